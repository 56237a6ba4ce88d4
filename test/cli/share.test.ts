// Tests of assay share: links with restricted keys, their expiry, rotation and revocation.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { runAssayCommand as runAssay } from '../support/command-runner/run.ts'
import { fillCorpus, SPECIAL_ID } from '../support/corpus.ts'
import { createTestStore, startTestService } from '../support/harness.ts'
import { sendRequest } from '../support/http.ts'

const store = await createTestStore()
await fillCorpus(store)
const { flags } = store
const { baseUrl } = await startTestService(store)

async function run(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runAssay([...args, ...flags])
  assert.equal(code, 0, stderr)
  return stdout.trimEnd()
}

/** The page and the key of a share link. */
function parseLink(link: string): { page: string; key: string } {
  const [, page = '', key = ''] = /^(\S+)#key=(assay_[0-9A-Za-z]{12}_[0-9A-Za-z]{36})$/.exec(link) ?? []
  return { page, key }
}

const status = async (key: string, path: string, method = 'GET') =>
  (await sendRequest(baseUrl, path, { authorization: `Bearer ${key}` }, method)).status

const FULL = '/api/evaluations/full'
const SHARED = '/api/evaluations/shared'
const VARIANT = '/api/variants/full/revisions'

describe('the key of a share link can read only what was shared', () => {
  for (const [args, page, allowed, denied] of [
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
      [SPECIAL_ID],
      `/evaluations/${encodeURIComponent(SPECIAL_ID)}`,
      [`/api/evaluations/${encodeURIComponent(SPECIAL_ID)}`],
      [FULL],
    ],
  ] as const) {
    test(`assay share ${args.join(' ')}`, async () => {
      const link = parseLink(await run('share', ...args))
      assert.equal(link.page, page)
      for (const path of allowed) assert.equal(await status(link.key, path), 200, path)
      for (const path of [...denied, '/api/evaluations', '/api/variants', '/api/shares'])
        assert.equal(await status(link.key, path), 403, path)
      assert.equal(await status(link.key, FULL, 'DELETE'), 403)
    })
  }
})

test('a share appears in keys list with its restriction, keeps it when rotated, and can be revoked', async () => {
  const { key } = parseLink(await run('share', 'full', 'shared', '--name', 'the review'))
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

test('a share created over HTTP moves to the rotated key of its creator, and is revoked with it', async () => {
  const creator = await run('keys', 'create', '--scope', 'read,write')
  const headers = { authorization: creator, 'content-type': 'application/json' }
  const body = JSON.stringify({ confined_to: { evaluation_id: 'full' } })
  const { key } = JSON.parse((await sendRequest(baseUrl, '/api/shares', headers, 'POST', body)).text)
  const rotated = await run('keys', 'rotate', creator.slice(6, 18))
  await run('keys', 'revoke', creator.slice(6, 18))
  assert.equal(await status(key, FULL), 200)
  await run('keys', 'revoke', rotated.slice(6, 18))
  assert.equal(await status(key, FULL), 401)
})

test('expires after seven days by default, and prints all properties with --json', async () => {
  const { link, key, ...share } = JSON.parse(await run('share', 'full', '--json'))
  const { created_at, expires_at } = share
  assert.deepEqual(share, {
    project: 'default',
    public_id: key.slice(6, 18),
    last_four: key.slice(-4),
    name: null,
    scopes: ['read'],
    confined_to: { evaluation_id: 'full' },
    created_at,
    expires_at,
  })
  assert.equal(link, `/evaluations/full#key=${key}`)
  assert.equal(Math.round((Date.parse(expires_at) - Date.parse(created_at)) / 60_000), 7 * 24 * 60)
  const ownKey = JSON.parse((await sendRequest(baseUrl, '/api/key', { authorization: key })).text)
  assert.deepEqual(ownKey, share)
  const laterShare = JSON.parse(
    await run('share', 'full', '--json', '--expires', '2099-01-01T00:00:00+01:00'),
  )
  assert.equal(laterShare.expires_at, '2098-12-31T23:00:00.000Z')
})

test('with --review, the link answers a review as the named reviewer', async () => {
  const review = { id: 'october', questions: [{ evaluator: 'human_verdict', type: 'verdict' }] }
  const projectKey = await run('keys', 'create', '--scope', 'read,write')
  const json = { 'content-type': 'application/json' }
  const headers = { authorization: projectKey, ...json }
  const created = await sendRequest(baseUrl, `${FULL}/reviews`, headers, 'POST', JSON.stringify(review))
  assert.equal(created.status, 201, created.text)
  const { key, scopes, link } = JSON.parse(
    await run('share', '--review', 'october', '--name', 'Maya', '--json'),
  )
  assert.deepEqual([scopes, link], [['review'], `/reviews/october#key=${key}`])
  const form = await sendRequest(baseUrl, '/api/reviews/october/form', { authorization: key })
  assert.deepEqual([form.status, JSON.parse(form.text).reviewer], [200, 'Maya'])
  assert.equal(await status(key, FULL), 403)
  assert.match(await run('keys', 'list'), new RegExp(`^${key.slice(6, 18)} .* review `, 'm'))
})

test('the link has the address of --public-url, or none with a hint', async () => {
  const pageOf = async (...args: string[]) => parseLink(await run('share', 'full', ...args)).page
  assert.equal(
    await pageOf('--public-url', 'https://evals.example/assay/'),
    'https://evals.example/assay/evaluations/full',
  )
  const { stdout, stderr } = await runAssay(['share', 'full', ...flags], { ASSAY_PORT: '9000' })
  assert.match(stdout, /^\/evaluations\/full#key=/)
  assert.match(stderr, /^Put the address of the service before this link, or set it with --public-url\.\n$/)
})

test('rejects ids that do not exist in the project', async () => {
  for (const [args, expected] of [
    [['foreign'], "has no evaluation 'foreign'"],
    [['full', 'nowhere'], "has no evaluation 'nowhere'"],
    [['--variant', 'foreign'], "has no variant 'foreign'"],
    [['full', '--project', 'other'], "The project 'other' has no evaluation 'full'"],
    [['full', '--project', 'unknown'], "The project 'unknown' has no evaluation 'full'"],
  ] as const) {
    const keysBefore = await run('keys', 'list', '--json')
    const { code, stdout, stderr } = await runAssay(['share', ...args, ...flags])
    assert.deepEqual([code, stdout], [1, ''])
    assert.ok(stderr.includes(expected) && stderr.split('\n').length === 3, stderr)
    assert.equal(await run('keys', 'list', '--json'), keysBefore)
  }
  const { key } = parseLink(await run('share', 'shared', '--project', 'other'))
  const text = (await sendRequest(baseUrl, SHARED, { authorization: key })).text
  assert.equal(JSON.parse(text).created_at, '2026-10-02T08:00:00.000Z', 'the evaluation of its own project')
  assert.equal(await status(key, FULL), 403)
})
