// Tests of assay keys: create, list, revoke and rotate.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { runAssayCommand as runAssay } from '../support/command-runner/run.ts'
import { createTempFolder } from '../support/harness.ts'

const data = join(createTempFolder(), 'data')
const runKeys = async (...args: string[]) => {
  const { code, stdout, stderr } = await runAssay(['keys', ...args, '--data', data])
  const isCreated = (args[0] === 'create' || args[0] === 'rotate') && !args.includes('--json')
  assert.equal(code, 0, stderr)
  assert.match(
    stderr,
    isCreated
      ? /^Created a key with the scopes? (read|write|read and write) for the project '.+'\.\n$/
      : /^$/,
  )
  return stdout
}
const listKeys = async (...args: string[]) => JSON.parse(await runKeys('list', '--json', ...args))

/** A key is `assay_<12 characters>_<36 characters>`: the public id and the secret. */
const publicIdOf = (key: string) => key.split('_')[1] ?? ''
const secretOf = (key: string) => key.trim().split('_')[2] ?? assert.fail('no secret')

test('create prints only the key, and list shows everything except the secret', async () => {
  const key = await runKeys('create', '--name', 'nightly job', '--scope', 'write,read', '--expires', '30d')
  assert.match(key, /^assay_[0-9A-Za-z]{12}_[0-9A-Za-z]{36}\n$/)
  const [row] = await listKeys()
  assert.deepEqual(Object.keys(row), [
    'public_id',
    'last_four',
    'project',
    'name',
    'scopes',
    'confined_to',
    'created_at',
    'expires_at',
    'revoked_at',
  ])
  assert.deepEqual([row.public_id, row.last_four], [publicIdOf(key), key.trim().slice(-4)])
  assert.deepEqual(
    [row.project, row.name, row.scopes, row.revoked_at],
    ['default', 'nightly job', ['read', 'write'], null],
  )
  const days = (Date.parse(row.expires_at) - Date.parse(row.created_at)) / 86_400_000
  assert.ok(Math.abs(days - 30) < 0.001)
  const table = await runKeys('list')
  assert.ok(!table.includes(secretOf(key)))
  assert.match(table, /^PUBLIC ID +LAST FOUR +SCOPES +CREATED +STATE +NAME +RESTRICTED TO\n/)
})

test('the store does not contain the secret', async () => {
  const key = await runKeys('create')
  for (const file of readdirSync(data)) {
    assert.ok(!readFileSync(join(data, file)).includes(secretOf(key)), file)
  }
})

test('accepts an expiry time with an offset and without T, and stores it in UTC', async () => {
  const createdKey = JSON.parse(await runKeys('create', '--json', '--expires', '2099-01-01 01:30:00+01:30'))
  assert.equal(createdKey.expires_at, '2099-01-01T00:00:00.000Z')
  assert.match(createdKey.key, /^assay_/)
})

test('each project has its own keys', async () => {
  await runKeys('create', '--project', 'Zoë & co')
  const projectKeys = await listKeys('--project', 'Zoë & co')
  assert.equal(projectKeys.length, 1)
  assert.equal(projectKeys[0].project, 'Zoë & co')
  assert.equal(await runKeys('list', '--project', 'unknown'), `The project 'unknown' has no keys.\n`)
})

/** Asserts that a time is the given duration after a moment between `start` and now. */
function assertSince(time: string, start: number, duration: number): void {
  const moment = Date.parse(time) - duration
  assert.ok(moment >= start && moment <= Date.now(), time)
}

test('revoking a key twice does not change the time of revocation', async () => {
  const public_id = publicIdOf(await runKeys('create', '--project', 'revoking'))
  const start = Date.now()
  assert.equal(await runKeys('revoke', public_id), `Revoked ${public_id}.\n`)
  const [{ revoked_at }] = await listKeys('--project', 'revoking')
  assertSince(revoked_at, start, 0)
  await runKeys('revoke', public_id)
  assert.equal((await listKeys('--project', 'revoking'))[0].revoked_at, revoked_at)
})

test('rotate creates a key with the same properties and expires the old one after the overlap', async () => {
  const start = Date.now()
  const properties = ['--project', 'rotating', '--scope', 'read,write', '--name', 'ci', '--expires', '10d']
  const oldId = publicIdOf(await runKeys('create', ...properties))
  const newId = publicIdOf(await runKeys('rotate', oldId, '--overlap', '2h'))
  const [oldKey, newKey] = (await listKeys('--project', 'rotating')).sort((a: { public_id: string }) =>
    a.public_id === oldId ? -1 : 1,
  )
  assert.equal(newKey.public_id, newId)
  assert.deepEqual([newKey.name, newKey.scopes], [oldKey.name, oldKey.scopes])
  assertSince(oldKey.expires_at, start, 7_200_000)
  assertSince(newKey.expires_at, start, 864_000_000)
})

test('a revoked key cannot be rotated', async () => {
  const public_id = publicIdOf(await runKeys('create'))
  await runKeys('revoke', public_id)
  const { code, stderr } = await runAssay(['keys', 'rotate', public_id, '--data', data])
  assert.equal(code, 1)
  assert.match(stderr, /is not active: revoked/)
})

test('settings are read from flags, then from the environment, then from the defaults', async () => {
  const createdKey = await runAssay(['keys', 'create', '--json', '--name', 'flag'], {
    ASSAY_DATA: data,
    ASSAY_PROJECT: 'from the environment',
    ASSAY_NAME: 'variable',
    ASSAY_SCOPE: '',
  })
  const { project, name, scopes } = JSON.parse(createdKey.stdout)
  assert.deepEqual([project, name, scopes], ['from the environment', 'flag', ['read']])
})
