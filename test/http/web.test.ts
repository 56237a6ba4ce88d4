// The web page over HTTP: its addresses, its files, how they may be kept, and what it may do in a browser.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { freshFolder, freshStore, mint, serveStore } from '../harness.ts'
import { ask, checkProblem } from '../wire.ts'

const store = await freshStore()
const { base } = await serveStore(store)
const built = (name: string) => readFileSync(new URL(`../fixtures/web/${name}`, import.meta.url), 'utf8')
const SCRIPT = '/assets/index-C0ffee01.js'

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

const ADDRESSES = [
  '/',
  '/?q=refund&result.exact=is.false&limit=x&limit=y&%zz',
  '/evaluations/x',
  '/evaluations/a%2Fb%20%F0%9F%98%80',
  '/evaluations/x/scenarios/..%2f..%2fpackage.json',
  '/compare?evaluation=a&evaluation=b',
  '/compare/',
  '/variants',
  '/variants/x',
  '/variants/x/revisions/1',
  '/variants/x/revisions/1/diff/2',
]

describe('the page is at its addresses, without a key:', () => {
  for (const path of ADDRESSES) {
    test(path, async () => {
      const answer = await ask(base, path)
      assert.equal(answer.status, 200, answer.text)
      assert.equal(answer.text, built('index.html'))
      assert.equal(answer.headers['content-type'], 'text/html; charset=utf-8')
      assert.equal(answer.headers['cache-control'], 'no-cache')
      const head = await ask(base, path, {}, 'HEAD')
      assert.equal(head.bytes.length, 0)
      assert.equal(head.headers['content-length'], String(answer.bytes.length))
      const put = await ask(base, path, {}, 'PUT')
      checkProblem(put, 405, 'method-not-allowed')
      assert.equal(put.headers.allow, 'GET, HEAD, OPTIONS')
    })
  }
})

describe('nothing else is:', () => {
  for (const path of [
    '/evaluations',
    '/evaluations/x/y',
    '/evaluations/x/scenarios',
    '/compare/x',
    '/variants/x/revisions',
    '/index.html',
    '/.digest',
    '/assets',
    '/assets/',
    '/assets/none.js',
    '/assets/../index.html',
    '/assets/..%2findex.html',
    '/assets/%2e%2e%2f%2e%2e%2fpackage.json',
    '/assets/__proto__',
    '/theme.js/x',
    '/package.json',
  ]) {
    test(path, async () => {
      checkProblem(await ask(base, path), 404, 'route-not-found')
    })
  }
})

test('every page says what it may load and do, the reference too', async () => {
  for (const path of ['/', '/variants/x', SCRIPT, '/theme.js', '/icon.svg', '/docs', '/docs/errors']) {
    const { status, headers } = await ask(base, path)
    assert.equal(status, 200, path)
    assert.equal(headers['content-security-policy'], POLICY, path)
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.equal(headers['referrer-policy'], 'no-referrer')
    assert.equal(headers['cross-origin-opener-policy'], 'same-origin')
  }
})

test('files come with their types; those with a hash in their name are kept for ever', async () => {
  const forEver = 'public, max-age=31536000, immutable'
  for (const [path, type, caching] of [
    [SCRIPT, 'text/javascript; charset=utf-8', forEver],
    ['/assets/index-C0ffee02.css', 'text/css; charset=utf-8', forEver],
    ['/theme.js', 'text/javascript; charset=utf-8', 'no-cache'],
    ['/icon.svg', 'image/svg+xml', 'no-cache'],
  ] as const) {
    const answer = await ask(base, path)
    assert.equal(answer.text, built(path.slice(1)), path)
    assert.equal(answer.headers['content-type'], type)
    assert.equal(answer.headers['cache-control'], caching)
  }
})

test('each coding has its own bytes and validator, and a validator that is known is answered with 304', async () => {
  const tags = new Set<unknown>()
  for (const coding of ['identity', 'gzip', 'br', 'zstd']) {
    for (const time of ['first', 'second']) {
      const answer = await ask(base, SCRIPT, { 'accept-encoding': coding })
      assert.equal(answer.headers['content-encoding'], coding === 'identity' ? undefined : coding)
      assert.equal(answer.text, built(SCRIPT.slice(1)), `${coding}, the ${time} time`)
      assert.ok(coding === 'identity' || answer.bytes.length < 500, 'it is smaller')
      assert.equal(answer.headers.vary, 'Accept-Encoding')
      tags.add(answer.headers.etag)
    }
    for (const path of ['/', SCRIPT]) {
      const sent = { 'accept-encoding': coding }
      const tag = String((await ask(base, path, sent)).headers.etag)
      const again = await ask(base, path, { ...sent, 'if-none-match': tag })
      assert.deepEqual([again.status, again.bytes.length, again.headers.etag], [304, 0, tag])
      assert.equal((await ask(base, path, { ...sent, 'if-none-match': '"other"' })).status, 200)
    }
  }
  assert.equal(tags.size, 4)
})

test('metrics count pages by address, never by id', async () => {
  await ask(base, '/evaluations/secret-name')
  await ask(base, '/assets/secret-name')
  const { text } = await ask(base, '/metrics')
  assert.match(text, /method="GET",route="\/evaluations\/:evaluation_id",status="200"/)
  assert.match(text, /method="GET",route="\/assets\/:name",status="404"/)
  assert.ok(!text.includes('secret-name'))
})

test('where it was not built its addresses say how to build it, and the API works', async () => {
  const bare = await serveStore(store, {}, undefined, `${freshFolder()}/dist`)
  for (const path of ['/', '/evaluations/x', '/variants']) {
    const answer = await ask(bare.base, path)
    assert.equal(answer.status, 503)
    assert.equal(answer.headers['content-type'], 'text/html; charset=utf-8')
    assert.equal(answer.headers['content-security-policy'], POLICY)
    assert.equal(answer.headers['cache-control'], 'no-store')
    assert.match(answer.text, /<code>npm run build<\/code>/)
  }
  checkProblem(await ask(bare.base, SCRIPT), 404, 'route-not-found')
  const { key } = await mint(store)
  assert.equal((await ask(bare.base, '/api/evaluations', { authorization: key })).text, '[]')
})
