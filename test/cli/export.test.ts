// Tests of assay export: file and standard output, files that must not be replaced, and write errors.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { MAIN } from '../../bench/service.ts'
import { openStoreAt } from '../../bench/store.ts'
import { parsedValue } from '../../src/schema/validation/parsed-value.ts'
import { ensureProject } from '../../src/store/access/projects.ts'
import { createEvaluation } from '../../src/store/evaluations/evaluations.ts'
import { runAssayCommand as runAssay } from '../support/command-runner/run.ts'
import { addScenarios, scenario } from '../support/corpus.ts'
import { createTempFolder } from '../support/harness.ts'

const data = createTempFolder()
const url = `sqlite:${join(data, 'assay.db')}`
const store = await openStoreAt(url)
await store.writer.transaction(async (transaction) => {
  const project = await ensureProject(transaction, 'default')
  const key = await createEvaluation(transaction, project, parsedValue({ id: 'e' }))
  await addScenarios(
    transaction,
    key,
    Array.from({ length: 2000 }, (_, position) => scenario('e', position)),
  )
})
await store.close()

const run = (...args: string[]) => runAssay(['export', 'e', '--data', data, ...args])

test('writes the same content to a file and to standard output, in each format', async () => {
  for (const format of ['json', 'ndjson', 'csv']) {
    const file = join(createTempFolder(), 'out')
    const { stdout } = await run('--format', format)
    assert.equal((await run('--format', format, '--output', file)).code, 0)
    assert.equal(readFileSync(file, 'utf8'), stdout)
  }
})

test('--csv excel adds an apostrophe to cells that begin like a formula', async () => {
  const { stdout } = await run('--format', 'csv')
  const safeTable = await run('--format', 'csv', '--csv', 'excel')
  assert.equal(safeTable.stdout, stdout.replaceAll(/(?<=^|,)(?=[=+@-])/gm, "'"))
})

test('does not replace a file of the store', async () => {
  const storeContent = readFileSync(join(data, 'assay.db'))
  for (const name of ['assay.db', 'assay.db-wal', 'assay.db-shm']) {
    const { code, stderr } = await run('--output', join(data, name))
    assert.equal(code, 1)
    assert.match(stderr, /is a file of the store\.\n.+\n$/)
  }
  assert.deepEqual(readdirSync(data), ['assay.db'])
  assert.ok(readFileSync(join(data, 'assay.db')).equals(storeContent))
})

test('follows a symbolic link, and rejects a folder as target', async () => {
  const folder = createTempFolder()
  const [file, link] = [join(folder, 'file'), join(folder, 'link')]
  writeFileSync(file, 'before')
  symlinkSync(file, link)
  assert.equal((await run('--output', link)).code, 0)
  assert.match(readFileSync(file, 'utf8'), /^\[/)
  const { code, stderr } = await run('--output', folder)
  assert.equal(code, 1)
  assert.match(stderr, /exists and is not a regular file\.\n.+\n$/)
  assert.deepEqual(readdirSync(folder).sort(), ['file', 'link'])
})

function shell(command: string, env = {}) {
  return spawnSync('sh', ['-c', command], {
    encoding: 'utf8',
    env: { ...process.env, NODE: process.execPath, MAIN, DATA: data, ...env },
  })
}

test('a reader can close the pipe early, but a full disk is an error', () => {
  const early = shell('{ "$NODE" "$MAIN" export e --data "$DATA"; echo "exit $?" >&2; } | head -c 10')
  assert.equal(early.stderr, 'exit 0\n')
  for (const command of ['export e', 'check', 'keys create']) {
    const { status, stderr } = shell(`"$NODE" "$MAIN" ${command} --data "$DATA" > /dev/full`)
    assert.equal(status, 1, command)
    assert.match(stderr, /^(?:Created a key .*\n)?assay: Cannot write to standard output: .*ENOSPC.*\n.+\n$/)
  }
})

test('an error while a file is written is reported, and the previous file stays', () => {
  const folder = createTempFolder()
  const file = join(folder, 'out.json')
  writeFileSync(file, 'previous')
  const { status, stderr } = shell(
    'ulimit -f 128; "$NODE" "$MAIN" export e --data "$DATA" --output "$FILE"',
    {
      FILE: file,
    },
  )
  assert.match(stderr, /^assay: Cannot write .*out\.json: EFBIG.*\n.+\n$/)
  assert.equal(status, 1)
  assert.deepEqual(readdirSync(folder), ['out.json'])
  assert.equal(readFileSync(file, 'utf8'), 'previous')
})

test('only the owner can read a backup file', async () => {
  const file = join(createTempFolder(), 'copy.db')
  assert.equal((await runAssay(['backup', file, '--data', data])).code, 0)
  assert.equal(statSync(file).mode & 0o777, 0o600)
})
