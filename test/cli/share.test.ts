// assay share: a link whose key opens what it was made for and nothing else, until it ends.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openAt } from '../../bench/store.ts'
import { fillCorpus, ODD_ID } from '../corpus.ts'
import { assay, freshPlace, spawnServer } from '../harness.ts'
import { ask } from '../wire.ts'

const { url, flags } = await freshPlace()
const store = await openAt(url)
await fillCorpus(store)
await store.close()
const { base } = await spawnServer(flags)

async function run(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await assay([...args, ...flags])
  assert.deepEqual([code, stderr], [0, ''])
  return stdout.trimEnd()
}

/** The page that a link leads to, and the key behind its number sign. */
function partsOf(link: string): { page: string; key: string } {
  const [, page = '', key = ''] = /^(\S+)#key=(assay_[0-9A-Za-z]{12}_[0-9A-Za-z]{36})$/.exec(link) ?? []
  return { page, key }
}

const status = async (key: string, path: string, method = 'GET') =>
  (await ask(base, path, { authorization: `Bearer ${key}` }, method)).status

const FULL = '/api/evaluations/full'
const SHARED = '/api/evaluations/shared'
const VARIANT = '/api/variants/full/revisions'

describe('the key of a link opens what it was made for and nothing else', () => {
  for (const [args, page, opens, refuses] of [
    [
      ['full'],
      '/evaluations/full',
      [FULL, `${FULL}/evaluation_scenarios`],
      [SHARED, VARIANT, `${FULL}/summary?base=shared`],
    ],
    [
      ['full', 'shared'],
      '/compare?evaluation=full&evaluation=shared',
      [FULL, SHARED, '/api/comparisons?evaluation=full&evaluation=shared', `${FULL}/summary?base=shared`],
      ['/api/evaluations/exact', VARIANT, '/api/comparisons?evaluation=full&evaluation=exact'],
    ],
    [['--variant', 'full'], '/variants/full', [VARIANT], [FULL, '/api/variants/shared']],
    [
      [ODD_ID],
      `/evaluations/${encodeURIComponent(ODD_ID)}`,
      [`/api/evaluations/${encodeURIComponent(ODD_ID)}`],
      [FULL],
    ],
  ] as const) {
    test(`assay share ${args.join(' ')}`, async () => {
      const link = partsOf(await run('share', ...args))
      assert.equal(link.page, `http://127.0.0.1:8080${page}`)
      for (const path of opens) assert.equal(await status(link.key, path), 200, path)
      for (const path of [...refuses, '/api/evaluations', '/api/variants', '/api/shares'])
        assert.equal(await status(link.key, path), 403, path)
      assert.equal(await status(link.key, FULL, 'DELETE'), 403)
    })
  }
})

test('a share is listed with what it is confined to, rotated with it, and ends when it is revoked', async () => {
  const { key } = partsOf(await run('share', 'full', 'shared', '--name', 'the review'))
  const public_id = key.slice(6, 18)
  const [line = ''] = (await run('keys', 'list')).split('\n').filter((line) => line.startsWith(public_id))
  assert.match(line, / read .* expires \S+ +the review +the comparison of 'full', 'shared'$/)
  const rotated = await run('keys', 'rotate', public_id)
  assert.deepEqual(
    [await status(rotated, SHARED), await status(rotated, '/api/evaluations/exact')],
    [200, 403],
  )
  assert.equal(await status(key, SHARED), 200)
  await run('keys', 'revoke', public_id)
  assert.equal(await status(key, SHARED), 401)
})

test('a share that was made over HTTP goes over to the key that its maker is rotated to, and ends with that', async () => {
  const maker = await run('keys', 'create', '--scope', 'read,write')
  const headers = { authorization: maker, 'content-type': 'application/json' }
  const body = JSON.stringify({ confined_to: { evaluation_id: 'full' } })
  const { key } = JSON.parse((await ask(base, '/api/shares', headers, 'POST', body)).text)
  const fresh = await run('keys', 'rotate', maker.slice(6, 18))
  await run('keys', 'revoke', maker.slice(6, 18))
  assert.equal(await status(key, FULL), 200)
  await run('keys', 'revoke', fresh.slice(6, 18))
  assert.equal(await status(key, FULL), 401)
})

test('it lasts seven days unless told otherwise, and tells all about itself as JSON', async () => {
  const { link, key, ...made } = JSON.parse(await run('share', 'full', '--json'))
  const { created_at, expires_at } = made
  assert.deepEqual(made, {
    project: 'default',
    public_id: key.slice(6, 18),
    last_four: key.slice(-4),
    name: null,
    confined_to: { evaluation_id: 'full' },
    created_at,
    expires_at,
  })
  assert.equal(link, `http://127.0.0.1:8080/evaluations/full#key=${key}`)
  assert.equal(Math.round((Date.parse(expires_at) - Date.parse(created_at)) / 60_000), 7 * 24 * 60)
  const told = JSON.parse((await ask(base, '/api/key', { authorization: key })).text)
  assert.deepEqual(told, { ...made, scopes: ['read'] })
  const later = JSON.parse(await run('share', 'full', '--json', '--expires', '2099-01-01T00:00:00+01:00'))
  assert.equal(later.expires_at, '2098-12-31T23:00:00.000Z')
})

test('the link leads to where the service is reached', async () => {
  const lead = async (...args: string[]) => partsOf(await run('share', 'full', ...args)).page
  assert.equal(await lead('--host', '::1', '--port', '9000'), 'http://[::1]:9000/evaluations/full')
  assert.equal(
    await lead('--public-url', 'https://evals.example/assay/', '--port', '0'),
    'https://evals.example/assay/evaluations/full',
  )
})

test('what another project has, or nobody, is not shared', async () => {
  for (const [args, says] of [
    [['foreign'], "has no evaluation 'foreign'"],
    [['full', 'nowhere'], "has no evaluation 'nowhere'"],
    [['--variant', 'foreign'], "has no variant 'foreign'"],
    [['full', '--project', 'other'], "The project 'other' has no evaluation 'full'"],
    [['full', '--project', 'nobody'], "The project 'nobody' has no evaluation 'full'"],
  ] as const) {
    const before = await run('keys', 'list', '--json')
    const { code, stdout, stderr } = await assay(['share', ...args, ...flags])
    assert.deepEqual([code, stdout], [1, ''])
    assert.ok(stderr.includes(says) && stderr.split('\n').length === 3, stderr)
    assert.equal(await run('keys', 'list', '--json'), before)
  }
  const { key } = partsOf(await run('share', 'shared', '--project', 'other'))
  const text = (await ask(base, SHARED, { authorization: key })).text
  assert.equal(JSON.parse(text).created_at, '2026-10-02T08:00:00.000Z', 'of its own project')
  assert.equal(await status(key, FULL), 403)
})
