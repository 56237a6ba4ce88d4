// Tests of assay keys: create, list, revoke and rotate.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createTempFolder, runAssay } from '../support/harness.ts'

const data = join(createTempFolder(), 'data')
const keys = async (...args: string[]) => {
  const { code, stdout, stderr } = await runAssay(['keys', ...args, '--data', data])
  assert.deepEqual([code, stderr], [0, ''])
  return stdout
}
const listed = async (...args: string[]) => JSON.parse(await keys('list', '--json', ...args))

test('create prints only the key; list shows everything except the secret', async () => {
  const key = await keys('create', '--name', 'nightly job', '--scope', 'write,read', '--expires', '30d')
  assert.match(key, /^assay_[0-9A-Za-z]{12}_[0-9A-Za-z]{36}\n$/)
  const [row] = await listed()
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
  assert.deepEqual([row.public_id, row.last_four], [key.slice(6, 18), key.trim().slice(-4)])
  assert.deepEqual(
    [row.project, row.name, row.scopes, row.revoked_at],
    ['default', 'nightly job', ['read', 'write'], null],
  )
  const days = (Date.parse(row.expires_at) - Date.parse(row.created_at)) / 86_400_000
  assert.ok(Math.abs(days - 30) < 0.001)
  const table = await keys('list')
  assert.ok(!table.includes(key.slice(19).trim()))
  assert.match(table, /^PUBLIC ID +LAST FOUR +SCOPES +CREATED +STATE +NAME +RESTRICTED TO\n/)
})

test('the store does not contain the secret', async () => {
  const key = (await keys('create')).trim()
  for (const file of readdirSync(data)) {
    assert.ok(!readFileSync(join(data, file)).includes(key.slice(19)), file)
  }
})

test('accepts an expiry time with an offset and without T, and stores it in UTC', async () => {
  const created = JSON.parse(await keys('create', '--json', '--expires', '2099-01-01 01:30:00+01:30'))
  assert.equal(created.expires_at, '2099-01-01T00:00:00.000Z')
  assert.match(created.key, /^assay_/)
})

test('each project has its own keys', async () => {
  await keys('create', '--project', 'Zoë & co')
  const own = await listed('--project', 'Zoë & co')
  assert.equal(own.length, 1)
  assert.equal(own[0].project, 'Zoë & co')
  assert.equal(await keys('list', '--project', 'unknown'), `The project 'unknown' has no keys.\n`)
})

test('revoke is idempotent', async () => {
  const public_id = (await keys('create', '--project', 'revoking')).slice(6, 18)
  assert.equal(await keys('revoke', public_id), `Revoked ${public_id}.\n`)
  const [{ revoked_at }] = await listed('--project', 'revoking')
  assert.ok(Math.abs(Date.parse(revoked_at) - Date.now()) < 60_000)
  await keys('revoke', public_id)
  assert.equal((await listed('--project', 'revoking'))[0].revoked_at, revoked_at)
})

test('rotate creates a key with the same properties and expires the old one after the overlap', async () => {
  const properties = ['--project', 'rotating', '--scope', 'read,write', '--name', 'ci', '--expires', '10d']
  const old = (await keys('create', ...properties)).slice(6, 18)
  const rotated = (await keys('rotate', old, '--overlap', '2h')).slice(6, 18)
  const [before, after] = (await listed('--project', 'rotating')).sort((a: { public_id: string }) =>
    a.public_id === old ? -1 : 1,
  )
  assert.equal(after.public_id, rotated)
  assert.deepEqual([after.name, after.scopes], [before.name, before.scopes])
  assert.ok(Math.abs(Date.parse(before.expires_at) - Date.now() - 7_200_000) < 60_000)
  assert.ok(Math.abs(Date.parse(after.expires_at) - Date.now() - 864_000_000) < 60_000)
})

test('a revoked key cannot be rotated', async () => {
  const public_id = (await keys('create')).slice(6, 18)
  await keys('revoke', public_id)
  const { code, stderr } = await runAssay(['keys', 'rotate', public_id, '--data', data])
  assert.equal(code, 1)
  assert.match(stderr, /is not active: revoked/)
})

test('settings are read from flags, then from the environment, then from the defaults', async () => {
  const created = await runAssay(['keys', 'create', '--json', '--name', 'flag'], {
    ASSAY_DATA: data,
    ASSAY_PROJECT: 'from the environment',
    ASSAY_NAME: 'variable',
    ASSAY_SCOPE: '',
  })
  const { project, name, scopes } = JSON.parse(created.stdout)
  assert.deepEqual([project, name, scopes], ['from the environment', 'flag', ['read']])
})
