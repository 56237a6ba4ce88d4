// Tests of assay changes: the change log with the key and the address of each change, and its filters.
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { openStoreAt } from '../../bench/store.ts'
import { runAssayCommand as runAssay } from '../support/command-runner/run.ts'
import { createStoreLocation, createTempFolder, startTestService } from '../support/harness.ts'
import { sendRequest } from '../support/http.ts'

const { url, flags } = await createStoreLocation()

async function run(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runAssay([...args, ...flags])
  assert.equal(code, 0, stderr)
  return stdout
}

interface Entry {
  time: string
  action: string
  evaluation_id: string | null
  public_id: string | null
  key_id: string
  key_name: string | null
  address: string | null
}
const readEntries = async (...args: string[]): Promise<Entry[]> =>
  JSON.parse(await run('changes', '--json', ...args))
const actions = (entries: Entry[]) => entries.map(({ action }) => action)

/** Changes by commands, then by requests. */
const file = join(createTempFolder(), 'scenarios.ndjson')
await writeFile(file, '{"id":"a"}\n')
const key = (await run('keys', 'create', '--scope', 'read,write', '--name', 'nightly job')).trim()
await run('import', file, '--evaluation', 'imported')
await run('import', file, '--evaluation', 'imported')
await run('share', 'imported')
const rotatedKey = JSON.parse(await run('keys', 'create', '--json')).public_id
const newKey = JSON.parse(await run('keys', 'rotate', rotatedKey, '--json')).public_id
await run('keys', 'revoke', newKey)
await run('keys', 'revoke', newKey)
const store = await openStoreAt(url)
const service = await startTestService(store)
await sendRequest(service.baseUrl, '/api/evaluations/imported', { authorization: key }, 'DELETE')
await service.stop()
await store.close()

test('prints every change with the key and the address, and never a secret', async () => {
  const entries = await readEntries()
  assert.deepEqual(actions(entries), [
    'key.created',
    'evaluation.created',
    'scenarios.appended',
    'share.created',
    'key.created',
    'key.rotated',
    'key.created',
    'key.revoked',
    'evaluation.deleted',
  ])
  assert.deepEqual(
    entries.slice(4, 8).map(({ public_id }) => public_id),
    [rotatedKey, rotatedKey, newKey, newKey],
  )
  const actor = ({ key_id, key_name, address }: Entry) => [key_id, key_name, address]
  for (const entry of entries.slice(0, -1)) assert.deepEqual(actor(entry), ['cli', null, null])
  const lastEntry = entries.at(-1) as Entry
  assert.deepEqual(actor(lastEntry), [key.slice(6, 18), 'nightly job', '127.0.0.1'])
  const text = await run('changes')
  const lines = text.trimEnd().split('\n')
  assert.equal(lines.length, entries.length + 1)
  const cells = (line = '') => line.split(/ {2,}/)
  assert.deepEqual(cells(lines[0]), ['TIME', 'ACTION', 'SUBJECT', 'DETAILS', 'KEY', 'ADDRESS', 'KEY NAME'])
  assert.deepEqual(cells(lines.at(-1)), [
    lastEntry.time,
    'evaluation.deleted',
    'imported',
    '1 scenario',
    key.slice(6, 18),
    '127.0.0.1',
    'nightly job',
  ])
  // The columns are aligned.
  for (const heading of ['ACTION', 'SUBJECT', 'KEY']) {
    const column = lines[0]?.indexOf(heading) ?? 0
    for (const line of lines) assert.match(line.slice(column - 2), /^ {2}\S/)
  }
  assert.ok(!text.includes(key.slice(19)))
})

test('filters by action, key and time', async () => {
  const entries = await readEntries()
  assert.deepEqual(actions(await readEntries('--action', 'key.rotated,share.created')), [
    'share.created',
    'key.rotated',
  ])
  assert.deepEqual(actions(await readEntries('--key-id', key.slice(6, 18))), ['evaluation.deleted'])
  assert.equal((await readEntries('--key-id', 'cli')).length, entries.length - 1)
  assert.deepEqual(await readEntries('--since', '1d'), entries)
  assert.deepEqual(await readEntries('--until', '1d'), [])
  assert.deepEqual(await readEntries('--since', '2026-01-01'), entries)
  assert.deepEqual(await readEntries('--until', '2026-01-01'), [])
  const { time } = entries[3] as Entry
  const [before, from] = [await readEntries('--until', time), await readEntries('--since', time)]
  assert.deepEqual([...before, ...from], entries)
  assert.equal(await run('changes', '--project', 'other'), "The project 'other' has no such changes.\n")
})

test('rejects unknown actions and invalid times', async () => {
  for (const args of [
    ['--action', 'evaluation.read'],
    ['--since', 'yesterday'],
    ['--since', '2026-02-30'],
    ['--until', '2026-13-01T00:00:00Z'],
  ]) {
    const { code, stderr } = await runAssay(['changes', ...args, ...flags])
    assert.equal(code, 2, stderr)
    assert.ok(stderr.includes(args[1] as string), stderr)
  }
})
