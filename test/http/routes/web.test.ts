// Tests how the service serves the web page: its URLs, files, caching, encodings and security headers.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { createTempFolder, createTestKey, createTestStore, startTestService } from '../../support/harness.ts'
import { checkProblem, sendRequest } from '../../support/http.ts'

const store = await createTestStore()
const { base } = await startTestService(store)
const builtFile = (name: string) =>
  readFileSync(new URL(`../../fixtures/web/${name}`, import.meta.url), 'utf8')
const SCRIPT = '/assets/index-C0ffee01.js'

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

const PAGE_PATHS = [
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

describe('the page is served without a key', () => {
  for (const path of PAGE_PATHS) {
    test(`at ${path}`, async () => {
      const response = await sendRequest(base, path)
      assert.equal(response.status, 200, response.text)
      assert.equal(response.text, builtFile('index.html'))
      assert.equal(response.headers['content-type'], 'text/html; charset=utf-8')
      assert.equal(response.headers['cache-control'], 'no-cache')
      const head = await sendRequest(base, path, {}, 'HEAD')
      assert.equal(head.bytes.length, 0)
      assert.equal(head.headers['content-length'], String(response.bytes.length))
      const put = await sendRequest(base, path, {}, 'PUT')
      checkProblem(put, 405, 'method-not-allowed')
      assert.equal(put.headers.allow, 'GET, HEAD, OPTIONS')
    })
  }
})

describe('other paths return 404', () => {
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
    test(`such as ${path}`, async () => {
      checkProblem(await sendRequest(base, path), 404, 'route-not-found')
    })
  }
})

test('every page, including the docs, has a content security policy and security headers', async () => {
  for (const path of ['/', '/variants/x', SCRIPT, '/theme.js', '/icon.svg', '/docs', '/docs/errors']) {
    const { status, headers } = await sendRequest(base, path)
    assert.equal(status, 200, path)
    assert.equal(headers['content-security-policy'], POLICY, path)
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.equal(headers['referrer-policy'], 'no-referrer')
    assert.equal(headers['cross-origin-opener-policy'], 'same-origin')
  }
})

test('files have their media types, and files with a hash in their name are cached for a year', async () => {
  const immutable = 'public, max-age=31536000, immutable'
  for (const [path, type, cacheControl] of [
    [SCRIPT, 'text/javascript; charset=utf-8', immutable],
    ['/assets/index-C0ffee02.css', 'text/css; charset=utf-8', immutable],
    ['/theme.js', 'text/javascript; charset=utf-8', 'no-cache'],
    ['/icon.svg', 'image/svg+xml', 'no-cache'],
  ] as const) {
    const response = await sendRequest(base, path)
    assert.equal(response.text, builtFile(path.slice(1)), path)
    assert.equal(response.headers['content-type'], type)
    assert.equal(response.headers['cache-control'], cacheControl)
  }
})

test('each encoding has its own bytes and ETag, and If-None-Match returns 304', async () => {
  const etags = new Set<unknown>()
  for (const encoding of ['identity', 'gzip', 'br', 'zstd']) {
    for (const time of ['first', 'second']) {
      const response = await sendRequest(base, SCRIPT, { 'accept-encoding': encoding })
      assert.equal(response.headers['content-encoding'], encoding === 'identity' ? undefined : encoding)
      assert.equal(response.text, builtFile(SCRIPT.slice(1)), `${encoding}, the ${time} time`)
      assert.ok(encoding === 'identity' || response.bytes.length < 500, 'the compressed body is smaller')
      assert.equal(response.headers.vary, 'Accept-Encoding')
      etags.add(response.headers.etag)
    }
    for (const path of ['/', SCRIPT]) {
      const headers = { 'accept-encoding': encoding }
      const etag = String((await sendRequest(base, path, headers)).headers.etag)
      const again = await sendRequest(base, path, { ...headers, 'if-none-match': etag })
      assert.deepEqual([again.status, again.bytes.length, again.headers.etag], [304, 0, etag])
      assert.equal((await sendRequest(base, path, { ...headers, 'if-none-match': '"other"' })).status, 200)
    }
  }
  assert.equal(etags.size, 4)
})

test('metrics count pages by route, never by id', async () => {
  await sendRequest(base, '/evaluations/secret-name')
  await sendRequest(base, '/assets/secret-name')
  const { text } = await sendRequest(base, '/metrics')
  assert.match(text, /method="GET",route="\/evaluations\/:evaluation_id",status="200"/)
  assert.match(text, /method="GET",route="\/assets\/:name",status="404"/)
  assert.ok(!text.includes('secret-name'))
})

test('without a build, the page URLs return 503 with build instructions, and the API works', async () => {
  const unbuilt = await startTestService(store, {}, undefined, `${createTempFolder()}/dist`)
  for (const path of ['/', '/evaluations/x', '/variants']) {
    const response = await sendRequest(unbuilt.base, path)
    assert.equal(response.status, 503)
    assert.equal(response.headers['content-type'], 'text/html; charset=utf-8')
    assert.equal(response.headers['content-security-policy'], POLICY)
    assert.equal(response.headers['cache-control'], 'no-store')
    assert.match(response.text, /<code>npm run build<\/code>/)
  }
  checkProblem(await sendRequest(unbuilt.base, SCRIPT), 404, 'route-not-found')
  const { key } = await createTestKey(store)
  assert.equal((await sendRequest(unbuilt.base, '/api/evaluations', { authorization: key })).text, '[]')
})
