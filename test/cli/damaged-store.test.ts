// Tests of a damaged SQLite file: requests and commands report that the store is damaged, where, and what to do.
import assert from 'node:assert/strict'
import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, test } from 'node:test'
import { openStoreAt } from '../../bench/store.ts'
import { runAssayCommand as runAssay } from '../support/command-runner/run.ts'
import { fillCorpus } from '../support/corpus.ts'
import {
  collectLog,
  createTempFolder,
  createTestKey,
  createTestStore,
  startTestService,
} from '../support/harness.ts'
import { checkProblem, sendRequest } from '../support/http.ts'

const PAGE_BYTES = 16384

const store = await createTestStore()
await fillCorpus(store)
const { key: authorization } = await createTestKey(store, { scopes: ['read', 'write'] })
const intactFile = join(createTempFolder(), 'intact.db')
await store.backup(intactFile)

function copyStore(): string {
  const file = join(createTempFolder(), 'assay.db')
  copyFileSync(intactFile, file)
  return file
}

/** Copies the store and overwrites all pages of a table or index. The header of the file, in page 1, stays. */
function createDamagedFile(tree: string): string {
  const file = copyStore()
  const database = new DatabaseSync(file, { readOnly: true })
  const pages = database.prepare('SELECT pageno FROM dbstat WHERE name = ?').all(tree) as { pageno: number }[]
  database.close()
  assert.ok(pages.length > 0, tree)
  const handle = openSync(file, 'r+')
  for (const { pageno } of pages) {
    const start = pageno === 1 ? 100 : 0
    writeSync(handle, Buffer.alloc(PAGE_BYTES - start, 0xff), 0, undefined, (pageno - 1) * PAGE_BYTES + start)
  }
  closeSync(handle)
  return file
}

const SCENARIOS = '/api/evaluations/full/evaluation_scenarios'
const REQUESTS: [tree: string, method: string, path: string][] = [
  ['scenario', 'GET', '/api/evaluations/full/rows?q=What'],
  ['scenario', 'GET', SCENARIOS],
  ['scenario', 'GET', `${SCENARIOS}?format=csv`],
  ['scenario', 'POST', SCENARIOS],
  ['measure', 'GET', '/api/evaluations/full/summary'],
  ['measure', 'GET', `${SCENARIOS}/s-1/history`],
  ['evaluation_by_time', 'GET', '/api/evaluations'],
  ['api_key', 'GET', '/api/evaluations'],
]

describe('a request that needs a damaged part of the store returns store-damaged, and the log names the file', () => {
  for (const [tree, method, path] of REQUESTS) {
    test(`${method} ${path} with a damaged ${tree}`, async () => {
      const file = createDamagedFile(tree)
      const damagedStore = await openStoreAt(`sqlite:${file}`)
      const { log, lines } = collectLog()
      const { baseUrl, stop } = await startTestService(damagedStore, {}, undefined, undefined, log)
      const headers = { authorization, 'content-type': 'application/json' }
      const body = method === 'POST' ? '[{"id":"new"}]' : undefined
      const response = await sendRequest(baseUrl, path, headers, method, body)
      checkProblem(response, 500, 'store-damaged')
      assert.ok(!response.text.includes(file), response.text)
      assert.match(JSON.parse(response.text).detail, /restore a backup/)
      assert.equal(lines.length, 1)
      assert.ok(JSON.stringify(lines[0]).includes(file))
      assert.equal((await sendRequest(baseUrl, '/livez', {})).status, 200)
      await stop()
      await damagedStore.close()
    })
  }
})

test('a read that was cached before the header was damaged returns store-damaged, and the service continues', async () => {
  const file = copyStore()
  const damagedStore = await openStoreAt(`sqlite:${file}`)
  const { baseUrl, stop } = await startTestService(damagedStore)
  for (let count = 0; count < 2; count += 1)
    assert.equal((await sendRequest(baseUrl, SCENARIOS, { authorization })).status, 200)
  // Another process has read the header, and commits afterwards.
  const database = new DatabaseSync(file)
  database.exec('PRAGMA wal_checkpoint(TRUNCATE); BEGIN IMMEDIATE')
  database.exec(`UPDATE evaluation SET name = 'changed'`)
  const handle = openSync(file, 'r+')
  writeSync(handle, Buffer.alloc(100, 0xff), 0, undefined, 0)
  closeSync(handle)
  database.exec('COMMIT')
  for (let count = 0; count < 2; count += 1)
    checkProblem(await sendRequest(baseUrl, SCENARIOS, { authorization }), 500, 'store-damaged')
  database.close()
  await stop()
  await damagedStore.close()
})

describe('a command that needs a damaged part of the store names the file and says what to do', () => {
  const file = createDamagedFile('scenario')
  const folder = createTempFolder()
  const truncatedFile = copyStore()
  truncateSync(truncatedFile, 3 * PAGE_BYTES)
  const importFile = join(folder, 'import.ndjson')
  writeFileSync(importFile, '{"id":"new","evaluation_id":"full"}\n')
  const schemaFile = createDamagedFile('sqlite_schema')
  const COMMANDS: [name: string, file: string, args: string[]][] = [
    ['export', file, ['export', 'full']],
    ['backup', file, ['backup', join(folder, 'backup.db')]],
    ['import', file, ['import', importFile, '--evaluation', 'full']],
    ['serve with a damaged schema', schemaFile, ['serve', '--port', '0']],
    ['check with a damaged schema', schemaFile, ['check']],
    ['serve with a truncated file', truncatedFile, ['serve', '--port', '0']],
    ['keys with a truncated file', truncatedFile, ['keys', 'list']],
  ]
  for (const [name, file, args] of COMMANDS) {
    test(name, async () => {
      const { code, stdout, stderr } = await runAssay([...args, '--database', `sqlite:${file}`])
      const expected = `assay: The store is damaged: ${file}: database disk image is malformed\nStop the service`
      assert.ok(stderr.startsWith(expected), stderr)
      assert.equal(stderr.split('\n').length, 3, stderr)
      assert.deepEqual([code, stdout], [1, ''])
      assert.ok(!existsSync(join(folder, 'backup.db')))
    })
  }

  test('check lists the damaged tables and everything that cannot be read', async () => {
    const { code, stdout, stderr } = await runAssay(['check', '--database', `sqlite:${file}`])
    assert.equal(code, 1)
    assert.match(stdout, /^store: table scenario\b/m)
    assert.match(stdout, /^evaluation full: cannot be read: .+: database disk image is malformed$/m)
    assert.match(stderr, /^assay: The store has integrity errors\.\nStop the service.+\n$/)
  })
})
