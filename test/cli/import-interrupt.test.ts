// Tests of Ctrl-C during assay import: the message is exact about what was stored, and the exit code is 130.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, watch, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { MAIN } from '../../bench/service.ts'
import { openFile } from '../../src/cli/import/input-files.ts'
import { importIntoStore } from '../../src/cli/target/store-import.ts'
import { withStore } from '../../src/cli/target/with-store.ts'
import { readSettings } from '../../src/settings/settings.ts'
import { isStoreEmpty, type Store } from '../../src/store/store.ts'
import { runAssayCommand } from '../support/command-runner/run.ts'
import { createTempFolder, createTestStore } from '../support/harness.ts'

const folder = createTempFolder()
const table = join(folder, 'table.csv')
writeFileSync(table, 'question,answer,score\nWhat?,That,1\nWho?,Me,0\n')

function startImport(args: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [MAIN, 'import', ...args], { env: { ...process.env, ...env } })
  child.stdin.on('error', () => undefined)
  return child
}

async function outputOf(child: ChildProcess & ReturnType<typeof startImport>) {
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code: child.exitCode, stdout, stderr }
}

test('while standard input is read, names the file and reports the files before it', async () => {
  const data = createTempFolder()
  const child = startImport([table, '-', '--data', data, '--evaluation', 'e'])
  const result = outputOf(child)
  // The first file is imported after the store is created.
  const watcher = watch(data)
  while (!existsSync(join(data, 'assay.db-wal'))) await once(watcher, 'change')
  watcher.close()
  child.kill('SIGINT')
  const { code, stdout, stderr } = await result
  assert.equal(code, 130, stderr)
  const { stdout: list } = await runAssayCommand(['list', '--data', data, '--json'])
  const isStored = (JSON.parse(list) as unknown[]).length === 1
  assert.equal(stdout.includes('2 scenarios added'), isStored)
  assert.match(
    stderr,
    isStored
      ? /^assay: Interrupted while - was imported\. Nothing of it was stored\. Files before it were imported as reported above\.\n.+\n$/
      : /^assay: Interrupted while .*table\.csv was imported\. Nothing of it was stored\.\n.+\n$/,
  )
})

test('rolls back what was stored of the file', async () => {
  const store = await createTestStore()
  const { settings } = readSettings('import', [table, '--data', folder], {})
  const { source, importer } = await openFile(table, settings)
  const controller = new AbortController()
  const interrupted: Store = {
    ...store,
    writer: {
      ...store.writer,
      transaction: (work, ...rest) =>
        store.writer.transaction(
          (transaction) => {
            controller.abort()
            return work(transaction)
          },
          ...rest,
        ),
    },
  }
  await assert.rejects(importIntoStore(interrupted, settings, source, importer, controller.signal), {
    name: 'AbortError',
  })
  await source.close()
  assert.equal((await runAssayCommand(['list', ...store.flags, '--json'])).stdout, '[]\n')
})

test('stops while another process writes to the store', async () => {
  const { settings } = readSettings('import', [table, '--data', createTempFolder()], {})
  await withStore(
    settings,
    async (store) => {
      const { source, importer } = await openFile(table, settings)
      const database = new DatabaseSync(store.file ?? '')
      database.exec('BEGIN IMMEDIATE')
      const controller = new AbortController()
      const importing = importIntoStore(store, settings, source, importer, controller.signal)
      const abort = setInterval(() => controller.abort(), 100)
      await assert.rejects(importing, { name: 'AbortError' })
      clearInterval(abort)
      database.close()
      await source.close()
      assert.equal(await isStoreEmpty(store.reader), true)
    },
    true,
  )
})

test('over HTTP, is exact about the time before and after the file was sent', async (t) => {
  const large = join(folder, 'large.csv')
  writeFileSync(large, `question,answer,score\n${`What?,${'x'.repeat(1000)},1\n`.repeat(50_000)}`)
  let child: ReturnType<typeof startImport> | undefined
  const server = createServer((request, response) => {
    if (request.url === '/api/key')
      return void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end('{"project":"default","scopes":["read","write"]}')
    // Never responds: the command is interrupted with the first bytes of the large file, and at the end of the small one.
    if (request.url?.includes('large'))
      request.once('data', () => {
        child?.kill('SIGINT')
        request.pause()
      })
    else request.resume().once('end', () => child?.kill('SIGINT'))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as { port: number }
  const env = { ASSAY_URL: `http://127.0.0.1:${port}`, ASSAY_KEY: 'key' }
  const cases: [file: string, message: RegExp][] = [
    [large, /^assay: Interrupted while .*large\.csv was imported\. Nothing of it was stored\.\n.+\n$/],
    [
      table,
      /^assay: Interrupted after .*table\.csv was sent, .*the service can have stored it completely or not at all\.\n.+\n$/,
    ],
  ]
  for (const [file, message] of cases) {
    child = startImport([file], env)
    const { code, stderr } = await outputOf(child)
    assert.equal(code, 130, stderr)
    assert.match(stderr, message)
  }
})
