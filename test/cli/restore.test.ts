// Tests of assay restore: the store is replaced safely, and keys that were revoked after the backup are reported.
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { readdirSync, readFileSync, realpathSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { openStoreAt } from '../../bench/store.ts'
import * as keys from '../../src/store/access/keys.ts'
import { runAssayCommand as runAssay } from '../support/command-runner/run.ts'
import { LINUX_ONLY, logFileOperations } from '../support/file-operations/run.ts'
import { createStoreLocation, createTempFolder, createTestKey } from '../support/harness.ts'

const PAST = '2020-01-01T00:00:00.000Z'

/** A store with four keys and its backup. Two of the keys are ended after the backup. */
async function createStoreWithBackup() {
  const { url, data } = await createStoreLocation('sqlite')
  const backup = join(createTempFolder(), 'backup.db')
  const store = await openStoreAt(url)
  const [active, revoked, rotated, revokedBefore] = await Promise.all(
    Array.from({ length: 4 }, () => createTestKey(store)),
  )
  assert.ok(active && revoked && rotated && revokedBefore)
  const change = store.writer.transaction.bind(store.writer)
  await change((transaction) => keys.revokeKey(transaction, revokedBefore.public_id))
  await store.backup(backup)
  await change((transaction) => keys.revokeKey(transaction, revoked.public_id))
  await change((transaction) => keys.expireKey(transaction, rotated.public_id, PAST))
  await store.close()
  return { url, data, file: join(data, 'assay.db'), backup, active, revoked, rotated, revokedBefore }
}

async function listKeys(url: string): Promise<Record<string, string>> {
  const store = await openStoreAt(url)
  const listed = await keys.listKeys(store.reader, 'default')
  await store.close()
  return Object.fromEntries(
    listed.map(({ public_id, revoked_at, expires_at }) => [
      public_id,
      revoked_at !== null ? 'revoked' : expires_at !== null ? 'expires' : 'active',
    ]),
  )
}

/** The names of the files in a folder, with a hash of their content. */
function filesIn(folder: string): [name: string, digest: string][] {
  return readdirSync(folder).map((name) => [name, hash('sha256', readFileSync(join(folder, name)))])
}

test('reports keys that were revoked after the backup, and revokes them with --revoke-newer-keys', async () => {
  const { url, data, backup, active, revoked, rotated, revokedBefore } = await createStoreWithBackup()
  const latestKeys = {
    [active.public_id]: 'active',
    [revoked.public_id]: 'revoked',
    [rotated.public_id]: 'expires',
    [revokedBefore.public_id]: 'revoked',
  }
  assert.deepEqual(await listKeys(url), latestKeys)

  const { code, stdout, stderr } = await runAssay(['restore', backup, '--data', data])
  assert.deepEqual([code, stderr], [0, ''])
  assert.match(stdout, /^Restored .*backup\.db to .*assay\.db\.\nThe replaced store is (.*)\.\nWARNING: /)
  assert.match(stdout, new RegExp(`${revoked.public_id}  project default  revoked 20`))
  assert.match(stdout, new RegExp(`${rotated.public_id}  project default  expired 2020`))
  assert.doesNotMatch(stdout, new RegExp(`${active.public_id}|${revokedBefore.public_id}`))
  assert.match(stdout, /assay keys revoke PUBLIC_ID\.\n.*--revoke-newer-keys\.\n$/)
  const revivedKeys = { ...latestKeys, [revoked.public_id]: 'active', [rotated.public_id]: 'active' }
  assert.deepEqual(await listKeys(url), revivedKeys)

  const [, replacedStore = ''] = /The replaced store is (.*)\.\n/.exec(stdout) ?? []
  assert.equal((await runAssay(['restore', replacedStore, '--data', data])).code, 0)
  assert.deepEqual(await listKeys(url), latestKeys, 'the replaced store is complete')

  const flags = ['--revoke-newer-keys', '--json', '--data', data]
  const second = await runAssay(['restore', backup, ...flags])
  const { revived_keys, revoked: isRevoked, previous_store, not_compared } = JSON.parse(second.stdout)
  assert.deepEqual(
    revived_keys.map(({ public_id }: { public_id: string }) => public_id).sort(),
    [revoked.public_id, rotated.public_id].sort(),
  )
  assert.deepEqual([isRevoked, not_compared], [true, undefined])
  assert.deepEqual(await listKeys(url), latestKeys, 'the keys are not active in the restored backup')
  assert.deepEqual(await listKeys(`sqlite:${previous_store}`), latestKeys)
  assert.deepEqual(
    readdirSync(data).filter((name) => !/^assay\.db(\.replaced-.*)?$/.test(name)),
    [],
    'no temporary file remains',
  )
})

test('syncs the restored file before it gets the name of the store, and then the folder', {
  skip: LINUX_ONLY,
}, async () => {
  const { data, backup } = await createStoreWithBackup()
  const folder = realpathSync(data)
  const file = join(folder, 'assay.db')
  const { code, operations } = await logFileOperations(['restore', backup, '--data', data])
  assert.equal(code, 0)
  assert.deepEqual(operations, [`sync ${file}.part`, `rename ${file}.part ${file}`, `sync ${folder}`])
})

test('refuses to replace a store that is in use', async () => {
  const { url, data, backup, revoked } = await createStoreWithBackup()
  const store = await openStoreAt(url)
  const { code, stdout, stderr } = await runAssay(['restore', backup, '--data', data])
  assert.deepEqual([code, stdout], [1, ''])
  assert.match(
    stderr,
    /^assay: The store .*assay\.db is in use\.\nNothing was changed\. Stop the service.*\n$/,
  )
  assert.ok((await keys.getKey(store.reader, revoked.public_id)).revoked_at)
  await store.close()
  assert.deepEqual(readdirSync(data), ['assay.db'])
})

test('a backup that cannot be restored changes nothing', async () => {
  const { data, file, backup } = await createStoreWithBackup()
  const folder = createTempFolder()
  const [truncated, overwritten, foreign] = ['truncated', 'overwritten', 'foreign'].map((name) =>
    join(folder, name),
  )
  assert.ok(truncated && overwritten && foreign)
  const bytes = readFileSync(backup)
  writeFileSync(truncated, bytes)
  truncateSync(truncated, bytes.length - 16384)
  writeFileSync(overwritten, bytes.fill(0xff, 16384 * 2, 16384 * 4))
  new DatabaseSync(foreign).exec('CREATE TABLE x (y)')
  const filesBefore = filesIn(data)
  for (const [target, message] of [
    [truncated, /truncated is damaged: /],
    [overwritten, /overwritten is damaged: /],
    [foreign, /foreign is not an Assay store\./],
    [import.meta.filename, /is not an Assay store\./],
    [join(folder, 'absent'), /There is no backup at /],
    [file, /is the store itself\./],
  ] as const) {
    const { code, stdout, stderr } = await runAssay(['restore', target, '--data', data])
    assert.deepEqual([code, stdout], [1, ''], target)
    assert.match(stderr, message)
    assert.match(stderr, /\nNothing was changed\. .*\n$/)
    assert.equal(stderr.trimEnd().split('\n').length, 2, stderr)
    assert.deepEqual(filesIn(data), filesBefore, target)
  }
})

test('restores over a damaged or missing store, and says that keys could not be compared', async () => {
  const { url, data, file, backup, revoked } = await createStoreWithBackup()
  const damage = [
    () => writeFileSync(file, 'x'.repeat(100_000)),
    () => writeFileSync(file, readFileSync(file).fill(0xff, 100, 60_000)),
    () => rmSync(data, { recursive: true }),
  ]
  for (const [index, apply] of damage.entries()) {
    apply()
    const damagedBytes = index < 2 ? readFileSync(file) : undefined
    const { code, stdout, stderr } = await runAssay([
      'restore',
      backup,
      '--data',
      data,
      '--revoke-newer-keys',
    ])
    assert.equal(code, 0, stderr)
    assert.match(
      stdout,
      /Keys could not be compared: .*\n.*active again\. Check them with assay keys list\.\n$/,
    )
    assert.equal((await listKeys(url))[revoked.public_id], 'active')
    const [, replacedStore] = /The replaced store is (.*)\.\n/.exec(stdout) ?? []
    assert.equal(replacedStore === undefined, index === 2)
    if (replacedStore !== undefined) assert.ok(damagedBytes?.equals(readFileSync(replacedStore)))
  }
})

test('a foreign database in the place of the store is not replaced', async () => {
  const { data, file, backup } = await createStoreWithBackup()
  rmSync(file)
  new DatabaseSync(file).exec('CREATE TABLE x (y)')
  const filesBefore = filesIn(data)
  const { code, stderr } = await runAssay(['restore', backup, '--data', data])
  assert.equal(code, 1)
  assert.match(stderr, /is not an Assay store\./)
  assert.deepEqual(filesIn(data), filesBefore)
})
