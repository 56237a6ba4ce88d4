// assay export and the files it writes: never half, and never over something that is not to be replaced.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { MAIN } from '../../bench/service.ts'
import { openAt } from '../../bench/store.ts'
import { written } from '../../src/schema/written.ts'
import { addEvaluation } from '../../src/store/evaluations.ts'
import { ensureProject } from '../../src/store/projects.ts'
import { addScenarios, scenario } from '../corpus.ts'
import { assay, freshFolder } from '../harness.ts'

const data = freshFolder()
const url = `sqlite:${join(data, 'assay.db')}`
const store = await openAt(url)
await store.writer.transaction(async (transaction) => {
  const project = await ensureProject(transaction, 'default')
  const key = await addEvaluation(transaction, project, written({ id: 'e' }))
  await addScenarios(
    transaction,
    key,
    Array.from({ length: 2000 }, (_, position) => scenario('e', position)),
  )
})
await store.close()

const run = (...args: string[]) => assay(['export', 'e', '--data', data, ...args])

test('standard output and a file get the same, in each format', async () => {
  for (const format of ['json', 'ndjson', 'csv']) {
    const file = join(freshFolder(), 'out')
    const { stdout } = await run('--format', format)
    assert.equal((await run('--format', format, '--output', file)).code, 0)
    assert.equal(readFileSync(file, 'utf8'), stdout)
  }
})

test('a file of the store itself is not replaced', async () => {
  const before = readFileSync(join(data, 'assay.db'))
  for (const name of ['assay.db', 'assay.db-wal', 'assay.db-shm']) {
    const { code, stderr } = await run('--output', join(data, name))
    assert.equal(code, 1)
    assert.match(stderr, /is a file of the store itself\.\n.+\n$/)
  }
  assert.deepEqual(readdirSync(data), ['assay.db'])
  assert.ok(readFileSync(join(data, 'assay.db')).equals(before))
})

test('a link is followed, and what is no file is refused', async () => {
  const folder = freshFolder()
  const [file, link] = [join(folder, 'file'), join(folder, 'link')]
  writeFileSync(file, 'before')
  symlinkSync(file, link)
  assert.equal((await run('--output', link)).code, 0)
  assert.match(readFileSync(file, 'utf8'), /^\[/)
  const { code, stderr } = await run('--output', folder)
  assert.equal(code, 1)
  assert.match(stderr, /is there and is not a file\.\n.+\n$/)
  assert.deepEqual(readdirSync(folder).sort(), ['file', 'link'])
})

test('a reader that stops early is no error, and a full disk is one', () => {
  const shell = (command: string) =>
    spawnSync('sh', ['-c', command], {
      encoding: 'utf8',
      env: { ...process.env, NODE: process.execPath, MAIN, DATA: data },
    })
  const early = shell('{ "$NODE" "$MAIN" export e --data "$DATA"; echo "exit $?" >&2; } | head -c 10')
  assert.equal(early.stderr, 'exit 0\n')
  for (const command of ['export e', 'check', 'keys create']) {
    const { status, stderr } = shell(`"$NODE" "$MAIN" ${command} --data "$DATA" > /dev/full`)
    assert.equal(status, 1, command)
    assert.match(stderr, /^assay: Cannot write: .*ENOSPC.*\n.+\n$/)
  }
})

test('a backup is for its owner alone', async () => {
  const file = join(freshFolder(), 'copy.db')
  assert.equal((await assay(['backup', file, '--data', data])).code, 0)
  assert.equal(statSync(file).mode & 0o777, 0o600)
})
