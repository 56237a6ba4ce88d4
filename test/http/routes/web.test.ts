// Tests how the service serves the web page: its URLs, files, caching, encodings and security headers.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { createTempFolder, createTestKey, createTestStore, startTestService } from '../../support/harness.ts'
import { checkProblem, sendRequest } from '../../support/http.ts'

const store = await createTestStore()
const { baseUrl } = await startTestService(store)
const readBuiltFile = (name: string) =>
  readFileSync(new URL(`../../fixtures/web/${name}`, import.meta.url), 'utf8')
const SCRIPT = '/assets/index-C0ffee01.js'

const CONTENT_SECURITY_POLICY =
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

describe('page URLs', () => {
  for (const path of PAGE_PATHS) {
    test(`the page is served without a key at ${path}`, async () => {
      const response = await sendRequest(baseUrl, path)
      assert.equal(response.status, 200, response.text)
      assert.equal(response.text, readBuiltFile('index.html'))
      assert.equal(response.headers['content-type'], 'text/html; charset=utf-8')
      assert.equal(response.headers['cache-control'], 'no-cache')
      const headResponse = await sendRequest(baseUrl, path, {}, 'HEAD')
      assert.equal(headResponse.bytes.length, 0)
      assert.equal(headResponse.headers['content-length'], String(response.bytes.length))
      const putResponse = await sendRequest(baseUrl, path, {}, 'PUT')
      checkProblem(putResponse, 405, 'method-not-allowed')
      assert.equal(putResponse.headers.allow, 'GET, HEAD, OPTIONS')
    })
  }
})

describe('preloads of scripts', () => {
  const LINKS: [path: string, scripts: string[]][] = [
    ['/evaluations/x', ['evaluation-C0ffee03.js', 'table-C0ffee04.js']],
    ['/evaluations/x?arrow=y&row=z', ['evaluation-C0ffee03.js', 'table-C0ffee04.js', 'scenario-C0ffee05.js']],
    ['/compare?evaluation=a&evaluation=b', ['comparison-C0ffee06.js']],
    ['/compare?evaluation=a', ['comparison-start-C0ffee07.js']],
  ]
  for (const [path, scripts] of LINKS) {
    test(`are in the header Link at ${path}`, async () => {
      const { headers } = await sendRequest(baseUrl, path)
      const links = scripts.map((name) => `</assets/${name}>; rel=modulepreload`)
      assert.equal(headers.link, links.join(', '))
    })
  }

  test('are missing if the build has none for the page', async () => {
    assert.equal((await sendRequest(baseUrl, '/variants')).headers.link, undefined)
  })
})

describe('other paths', () => {
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
    test(`returns 404 for ${path}`, async () => {
      checkProblem(await sendRequest(baseUrl, path), 404, 'route-not-found')
    })
  }
})

describe('a browser that opens an unknown address', () => {
  const accept = 'text/html,application/xhtml+xml,*/*;q=0.8'

  for (const path of ['/nowhere', '/evaluations', '/variants/x/y', '/apis', '/index.html']) {
    test(`gets the page with status 404 at ${path}`, async () => {
      const response = await sendRequest(baseUrl, path, { accept })
      assert.equal(response.status, 404)
      assert.equal(response.text, readBuiltFile('index.html'))
      assert.equal(response.headers['content-type'], 'text/html; charset=utf-8')
      assert.equal(response.headers['content-security-policy'], CONTENT_SECURITY_POLICY)
      assert.equal(response.headers['cache-control'], 'no-cache')
      assert.equal(response.headers.vary, 'Accept, Accept-Encoding')
      const headResponse = await sendRequest(baseUrl, path, { accept }, 'HEAD')
      assert.deepEqual([headResponse.status, headResponse.bytes.length], [404, 0])
      checkProblem(await sendRequest(baseUrl, path, { accept }, 'POST'), 404, 'route-not-found')
    })
  }

  test('gets 404 also if it has cached the page', async () => {
    const { etag } = (await sendRequest(baseUrl, '/')).headers
    const response = await sendRequest(baseUrl, '/nowhere', { accept, 'if-none-match': String(etag) })
    assert.deepEqual([response.status, response.headers.etag], [404, undefined])
  })

  for (const path of ['/api/nowhere', '/%61pi/nowhere', '/docs/nowhere', '/assets/none.js', '/assets/a/b']) {
    test(`gets an error in JSON at ${path}`, async () => {
      checkProblem(await sendRequest(baseUrl, path, { accept }), 404, 'route-not-found')
    })
  }

  for (const other of ['*/*', 'application/json', 'text/html;q=0', 'image/png,*/*;q=0.8']) {
    test(`differs from a client that accepts ${other}, which gets an error in JSON`, async () => {
      checkProblem(await sendRequest(baseUrl, '/nowhere', { accept: other }), 404, 'route-not-found')
    })
  }

  test('gets 405 for a page with an unsupported method', async () => {
    checkProblem(await sendRequest(baseUrl, '/compare', { accept }, 'PUT'), 405, 'method-not-allowed')
  })

  test('gets an error in JSON if the page is not built', async () => {
    const unbuiltService = await startTestService(store, {}, undefined, `${createTempFolder()}/dist`)
    checkProblem(await sendRequest(unbuiltService.baseUrl, '/nowhere', { accept }), 404, 'route-not-found')
  })
})

test('every page, including the docs, has a content security policy and security headers', async () => {
  for (const path of ['/', '/variants/x', SCRIPT, '/theme.js', '/icon.svg', '/docs', '/docs/errors']) {
    const { status, headers } = await sendRequest(baseUrl, path)
    assert.equal(status, 200, path)
    assert.equal(headers['content-security-policy'], CONTENT_SECURITY_POLICY, path)
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
    const response = await sendRequest(baseUrl, path)
    assert.equal(response.text, readBuiltFile(path.slice(1)), path)
    assert.equal(response.headers['content-type'], type)
    assert.equal(response.headers['cache-control'], cacheControl)
  }
})

test('each encoding has its own bytes and ETag, and If-None-Match returns 304', async () => {
  const etags = new Set<unknown>()
  for (const encoding of ['identity', 'gzip', 'br', 'zstd']) {
    for (const ordinal of ['first', 'second']) {
      const response = await sendRequest(baseUrl, SCRIPT, { 'accept-encoding': encoding })
      assert.equal(response.headers['content-encoding'], encoding === 'identity' ? undefined : encoding)
      assert.equal(response.text, readBuiltFile(SCRIPT.slice(1)), `${encoding}, the ${ordinal} request`)
      assert.ok(encoding === 'identity' || response.bytes.length < 500, 'the compressed body is too large')
      assert.equal(response.headers.vary, 'Accept-Encoding')
      etags.add(response.headers.etag)
    }
    for (const path of ['/', SCRIPT]) {
      const headers = { 'accept-encoding': encoding }
      const etag = String((await sendRequest(baseUrl, path, headers)).headers.etag)
      const conditionalResponse = await sendRequest(baseUrl, path, { ...headers, 'if-none-match': etag })
      assert.deepEqual(
        [conditionalResponse.status, conditionalResponse.bytes.length, conditionalResponse.headers.etag],
        [304, 0, etag],
      )
      assert.equal((await sendRequest(baseUrl, path, { ...headers, 'if-none-match': '"other"' })).status, 200)
    }
  }
  assert.equal(etags.size, 4)
})

test('metrics count pages by route, never by id', async () => {
  await sendRequest(baseUrl, '/evaluations/secret-name')
  await sendRequest(baseUrl, '/assets/secret-name')
  const { text } = await sendRequest(baseUrl, '/metrics')
  assert.match(text, /method="GET",route="\/evaluations\/:evaluation_id",status="200"/)
  assert.match(text, /method="GET",route="\/assets\/:name",status="404"/)
  assert.ok(!text.includes('secret-name'))
})

test('without a build, the page URLs return 503 with build instructions, and the API works', async () => {
  const unbuiltService = await startTestService(store, {}, undefined, `${createTempFolder()}/dist`)
  for (const path of ['/', '/evaluations/x', '/variants']) {
    const response = await sendRequest(unbuiltService.baseUrl, path)
    assert.equal(response.status, 503)
    assert.equal(response.headers['content-type'], 'text/html; charset=utf-8')
    assert.equal(response.headers['content-security-policy'], CONTENT_SECURITY_POLICY)
    assert.equal(response.headers['cache-control'], 'no-store')
    assert.match(response.text, /<code>npm run build<\/code>/)
  }
  checkProblem(await sendRequest(unbuiltService.baseUrl, SCRIPT), 404, 'route-not-found')
  const { key } = await createTestKey(store)
  assert.equal(
    (await sendRequest(unbuiltService.baseUrl, '/api/evaluations', { authorization: key })).text,
    '[]',
  )
})

test('if the built page cannot be read, the page URLs say so', async () => {
  const unreadable = new URL('../../fixtures/web/index.html', import.meta.url).pathname
  const { baseUrl } = await startTestService(await createTestStore(), {}, undefined, unreadable)
  const { status, text } = await sendRequest(baseUrl, '/')
  assert.equal(status, 503)
  assert.match(text, /cannot be read.*<code>web\/dist<\/code>/s)
  assert.doesNotMatch(text, /not built/)
})
