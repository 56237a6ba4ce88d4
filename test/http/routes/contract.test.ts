// Tests the contract of the two main reads: errors, formats, encodings, validators and pages. Every response must match
// openapi.json.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  EXACT_VALUES,
  exactBody,
  fillCorpus,
  REVISION_COUNT,
  SCENARIO_COUNT,
  SPECIAL_ID,
} from '../../support/corpus.ts'
import { createTestKey, createTestStore, rawRequest, startTestService } from '../../support/harness.ts'
import {
  checkDocumented,
  checkProblem,
  type HttpResponse,
  schemaErrors,
  sendRequest,
} from '../../support/http.ts'

const store = await createTestStore()
await fillCorpus(store)
const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
const writeOnly = await createTestKey(store, { scopes: ['write'] })
const expired = await createTestKey(store, { expires_at: '2026-01-01T00:00:00.000Z' })
const revoked = await createTestKey(store)
await store.writer.transaction((transaction) =>
  transaction.run('UPDATE api_key SET revoked_at = created_at WHERE public_id = ?', revoked.public_id),
)
const wrongSecret = (await createTestKey(store)).key
await store.writer.transaction((transaction) =>
  transaction.run(
    'UPDATE api_key SET hash = ? WHERE public_id = ?',
    new Uint8Array(32),
    wrongSecret.slice(6, 18),
  ),
)

const SCENARIOS = '/api/evaluations/full/evaluation_scenarios'
const REVISIONS = '/api/variants/full/revisions'
const READS = [
  { noun: 'evaluation', id: 'full', path: SCENARIOS, element: 'EvaluationScenario', count: SCENARIO_COUNT },
  { noun: 'variant', id: 'full', path: REVISIONS, element: 'VariantRevision', count: REVISION_COUNT },
]
const withId = (path: string, id: string) => path.replace('/full/', `/${id}/`)

const service = await startTestService(store)
const serviceWithoutDirectReads = await startTestService(store)
serviceWithoutDirectReads.app.direct = null

/** Sends the request twice, the second time to caches, and to a service without direct reads. All responses must be equal. */
async function get(path: string, headers: Record<string, string | string[]> = {}, method = 'GET') {
  const send = ({ baseUrl }: { baseUrl: string }) =>
    sendRequest(baseUrl, path, { authorization: key, ...headers }, method)
  const response = await send(service)
  const expected = comparable(response)
  assert.deepEqual(comparable(await send(service)), expected)
  assert.deepEqual(comparable(await send(serviceWithoutDirectReads)), expected)
  return response
}

/** Without the time and the request id, which is also in problems. */
function comparable({ status, headers, bytes }: HttpResponse) {
  const { date: _date, 'x-request-id': id = '', ...otherHeaders } = headers
  const body = bytes.toString('latin1').replace(`"${id}"`, '""')
  return { status, headers: otherHeaders, body }
}

interface ErrorCase {
  name: string
  path: string
  headers?: Record<string, string | string[]>
  method?: string
  status: number
  code: string
  detail?: RegExp
  responseHeaders?: Record<string, string>
}

/** Scenarios that match filters can be deleted. */
const allowedMethods = (noun: string) => `${noun === 'evaluation' ? 'DELETE, ' : ''}GET, HEAD, OPTIONS, POST`

/** A key that was never issued, with a correct checksum. */
const UNKNOWN_KEY = 'assay_000000000000_000000000000000000000000000000'
const challenge = 'Bearer realm="assay", error="invalid_token"'

for (const { noun, path } of READS) {
  const allow = allowedMethods(noun)
  const errorCases: ErrorCase[] = [
    { name: 'a path with another last segment', path: `${path}x`, status: 404, code: 'route-not-found' },
    { name: 'a path with more segments', path: `${path}/x/y`, status: 404, code: 'route-not-found' },
    { name: 'an invalid percent-encoding', path: withId(path, '%zz'), status: 400, code: 'invalid-request' },
    {
      name: 'a percent-encoding of an incomplete character',
      path: withId(path, '%C3'),
      status: 400,
      code: 'invalid-request',
    },
    {
      name: 'PUT',
      path,
      method: 'PUT',
      status: 405,
      code: 'method-not-allowed',
      responseHeaders: { allow },
    },
    { name: 'TRACE', path, method: 'TRACE', status: 405, code: 'method-not-allowed' },
    {
      name: 'an unsupported method without a key',
      path,
      method: 'PATCH',
      headers: { authorization: '' },
      status: 405,
      code: 'method-not-allowed',
    },
    {
      name: 'no key',
      path,
      headers: { authorization: '' },
      status: 401,
      code: 'unauthorized',
      responseHeaders: { 'www-authenticate': 'Bearer realm="assay"' },
    },
    {
      name: 'a scheme without a key',
      path,
      headers: { authorization: 'Bearer' },
      status: 401,
      code: 'unauthorized',
    },
    {
      name: 'a malformed key',
      path,
      headers: { authorization: 'nonsense' },
      status: 401,
      code: 'unauthorized',
      responseHeaders: { 'www-authenticate': challenge },
    },
    {
      name: 'a mistyped key',
      path,
      headers: { authorization: mistype(key) },
      status: 401,
      code: 'unauthorized',
      responseHeaders: { 'www-authenticate': challenge },
    },
    {
      name: 'an unknown key',
      path,
      headers: { authorization: withChecksum(UNKNOWN_KEY) },
      status: 401,
      code: 'unauthorized',
      responseHeaders: { 'www-authenticate': challenge },
    },
    {
      name: 'a wrong secret',
      path,
      headers: { authorization: wrongSecret },
      status: 401,
      code: 'unauthorized',
    },
    {
      name: 'an expired key',
      path,
      headers: { authorization: expired.key },
      status: 401,
      code: 'unauthorized',
    },
    {
      name: 'a revoked key',
      path,
      headers: { authorization: revoked.key },
      status: 401,
      code: 'unauthorized',
    },
    {
      name: 'an unknown scheme',
      path,
      headers: { authorization: `Basic ${key}` },
      status: 401,
      code: 'unauthorized',
      responseHeaders: { 'www-authenticate': 'Bearer realm="assay"' },
      detail:
        /^The authorization scheme 'Basic' is not supported\. Send "Authorization: Bearer <key>", "Authorization: ApiKey <key>" or/,
    },
    {
      name: 'a key in the query',
      path: `${path}?key=${key}`,
      headers: { authorization: '' },
      status: 401,
      code: 'unauthorized',
    },
    {
      name: 'a key without the scope read',
      path,
      headers: { authorization: writeOnly.key },
      status: 403,
      code: 'access-denied',
    },
    {
      name: 'a key without the scope read and an invalid query',
      path: `${path}?limit=x`,
      headers: { authorization: writeOnly.key },
      status: 403,
      code: 'access-denied',
    },
    ...['0', '1001', '-1', '1.0', '1e2', '+5', '%205', '', 'x', '99999999999999999999'].map((limit) => ({
      name: `limit=${limit}`,
      path: `${path}?limit=${limit}`,
      status: 400,
      code: 'invalid-request',
    })),
    { name: 'a repeated parameter', path: `${path}?limit=1&limit=1`, status: 400, code: 'invalid-request' },
    { name: 'an unknown parameter', path: `${path}?page=2`, status: 400, code: 'invalid-request' },
    {
      name: 'an unknown parameter named like a property of Object.prototype',
      path: `${path}?constructor=1`,
      status: 400,
      code: 'invalid-request',
    },
    ...['limit=%ff', 'limit=1&cursor=%c3%28', 'limit=%', 'page%ff=1', '%5fpage=1&limit=1%e2%82'].map(
      (query) => ({
        name: `the invalid percent-encoding ${query}`,
        path: `${path}?${query}`,
        status: 400,
        code: 'invalid-request',
        detail: /^The query parameter '(limit|cursor|page%ff)' has invalid percent-encoding\. /,
      }),
    ),
    {
      name: 'an id with invalid percent-encoding',
      path: withId(path, '%ff'),
      status: 400,
      code: 'invalid-request',
      detail: /^The path has invalid percent-encoding\. /,
    },
    { name: 'an unknown format', path: `${path}?format=xml`, status: 400, code: 'invalid-request' },
    { name: 'an invalid cursor', path: `${path}?cursor=abc`, status: 400, code: 'invalid-request' },
    {
      name: 'a cursor that contains other JSON',
      path: `${path}?cursor=${Buffer.from('{}').toString('base64url')}`,
      status: 400,
      code: 'invalid-request',
    },
    {
      name: 'an invalid query and an unknown id',
      path: `${withId(path, 'unknown')}?limit=0`,
      status: 400,
      code: 'invalid-request',
    },
    { name: 'an unknown id', path: withId(path, 'unknown'), status: 404, code: `${noun}-not-found` },
    { name: 'an id in a different case', path: withId(path, 'FULL'), status: 404, code: `${noun}-not-found` },
    {
      name: 'an id that is encoded twice',
      path: withId(path, encodeURIComponent(encodeURIComponent(SPECIAL_ID))),
      status: 404,
      code: `${noun}-not-found`,
    },
    {
      name: 'an id that is too long',
      path: withId(path, 'x'.repeat(201)),
      status: 404,
      code: `${noun}-not-found`,
    },
    {
      name: 'an id that is far too long',
      path: withId(path, 'x'.repeat(5000)),
      status: 404,
      code: `${noun}-not-found`,
    },
    {
      name: 'an id with a control character',
      path: withId(path, 'a%00b'),
      status: 404,
      code: `${noun}-not-found`,
    },
    { name: 'a dot segment as id', path: withId(path, '..'), status: 404, code: `${noun}-not-found` },
    {
      name: 'an encoded dot segment as id',
      path: withId(path, '%2E%2E'),
      status: 404,
      code: `${noun}-not-found`,
    },
    {
      name: 'an unknown id and an unsupported media type',
      path: withId(path, 'unknown'),
      headers: { accept: 'image/png' },
      status: 404,
      code: `${noun}-not-found`,
    },
    { name: 'an id of another project', path: withId(path, 'foreign'), status: 403, code: 'access-denied' },
    {
      name: 'an id of another project and an unsupported media type',
      path: withId(path, 'foreign'),
      headers: { accept: 'image/png' },
      status: 403,
      code: 'access-denied',
    },
    {
      name: 'an unsupported media type',
      path,
      headers: { accept: 'text/html' },
      status: 406,
      code: 'not-acceptable',
    },
    {
      name: 'a media type with q=0',
      path,
      headers: { accept: 'application/json;q=0' },
      status: 406,
      code: 'not-acceptable',
    },
    {
      name: 'an Accept-Encoding that excludes every encoding',
      path,
      headers: { 'accept-encoding': 'identity;q=0' },
      status: 406,
      code: 'not-acceptable',
    },
    {
      name: 'an unsupported media type and If-None-Match',
      path,
      headers: { accept: 'text/html', 'if-none-match': '*' },
      status: 406,
      code: 'not-acceptable',
    },
    {
      name: 'a URL that is too long',
      path: `${path}?_=${'x'.repeat(8192)}`,
      status: 414,
      code: 'uri-too-long',
    },
    {
      name: 'headers that are too large',
      path,
      headers: { 'x-large': 'x'.repeat(16384) },
      status: 431,
      code: 'header-fields-too-large',
    },
    {
      name: 'a URL that is too long on an unknown path',
      path: `/nowhere?${'x'.repeat(8192)}`,
      status: 414,
      code: 'uri-too-long',
    },
  ]
  describe(`errors when reading a ${noun}`, () => {
    for (const {
      name,
      path,
      headers = {},
      method,
      status,
      code,
      detail,
      responseHeaders = {},
    } of errorCases) {
      test(`returns ${status} ${code} for ${name}`, async () => {
        const allHeaders =
          headers.authorization === '' ? withoutKey(headers) : { authorization: key, ...headers }
        const response = await sendRequest(service.baseUrl, path, allHeaders, method)
        const problem = checkProblem(response, status, code)
        if (detail) assert.match(problem.detail, detail)
        checkDocumented(path, response, method)
        for (const [header, value] of Object.entries(responseHeaders))
          assert.equal(response.headers[header], value)
      })
    }

    test('returns the same status for HEAD, without a body', async () => {
      const response = await get(withId(path, 'unknown'), {}, 'HEAD')
      assert.equal(response.status, 404)
      assert.equal(response.bytes.length, 0)
    })

    test('returns the same response for a foreign and an unknown id with the setting conceal', async () => {
      const concealing = await startTestService(store, { conceal: true })
      const [foreign, unknown] = await Promise.all(
        ['foreign', 'unknown'].map((id) =>
          sendRequest(concealing.baseUrl, withId(path, id), { authorization: key }),
        ),
      )
      assert.ok(foreign && unknown)
      checkProblem(foreign, 404, `${noun}-not-found`)
      const strip = (text: string, id: string) => text.replaceAll(id, 'ID').replace(/"instance":"[^"]*"/, '')
      assert.equal(strip(foreign.text, 'foreign'), strip(unknown.text, 'unknown'))
      await concealing.stop()
    })

    for (const header of ['Host', 'Authorization']) {
      test(`returns 400 for two ${header} headers, after checking path and method`, async () => {
        const doubled = `Host: x\r\nAuthorization: ${key}\r\n${header}: ${header === 'Host' ? 'x' : key}\r\nConnection: close\r\n\r\n`
        const readStatus = async (requestLine: string) =>
          (await rawRequest(service.port, `${requestLine} HTTP/1.1\r\n${doubled}`)).slice(9, 12)
        assert.equal(await readStatus(`GET ${path}`), '400')
        assert.equal(await readStatus('GET /nowhere'), '404')
        assert.equal(await readStatus(`PUT ${path}`), '405')
      })
    }
  })
}

for (const { noun, path, element, count } of READS) {
  describe(`reading a ${noun}`, () => {
    test('returns an array of all elements that match the schema, without extra', async () => {
      const response = await get(path)
      assert.equal(response.status, 200)
      assert.equal(response.headers['content-type'], 'application/json')
      checkDocumented(path, response)
      const elements = JSON.parse(response.text)
      assert.ok(Array.isArray(elements))
      assert.equal(elements.length, count)
      for (const item of elements) {
        assert.deepEqual(schemaErrors(element, item), [])
        assert.ok(!('extra' in item))
      }
    })

    test('sends Content-Length for whole lists and short pages', async () => {
      for (const query of ['', '?format=ndjson', '?format=csv']) {
        for (const id of ['full', 'empty', encodeURIComponent(SPECIAL_ID)]) {
          const { headers, bytes } = await get(withId(path, id) + query)
          assert.equal(headers['content-length'], String(bytes.length), `${id}${query}`)
        }
      }
      const page = await get(`${path}?limit=2`)
      assert.equal(page.headers['content-length'], String(page.bytes.length))
      assert.match((await get(path, { 'accept-encoding': 'gzip' })).headers['content-length'] ?? '', /^\d+$/)
    })

    test('returns the elements in order', async () => {
      const elements = JSON.parse((await get(path)).text) as { id: string; revision: number }[]
      const order = elements.map((item) => (noun === 'evaluation' ? Number(item.id.slice(2)) : item.revision))
      assert.deepEqual(
        order,
        Array.from({ length: count }, (_, index) => index),
      )
    })

    test('returns an empty list in every format when there are no elements', async () => {
      const empty = withId(path, 'empty')
      assert.equal((await get(empty)).text, '[]')
      assert.equal((await get(`${empty}?format=ndjson`)).text, '')
      assert.match((await get(`${empty}?format=csv`)).text, /^[^\n]+\r\n$/)
      assert.equal((await get(`${empty}?limit=1`)).text, '[]')
    })

    test("returns the data of the key's project when an id exists in two projects", async () => {
      const response = await get(withId(path, 'shared'))
      assert.equal(response.status, 200)
      const other = await createTestKey(store, { project: 'other' })
      const foreign = await sendRequest(service.baseUrl, withId(path, 'shared'), { authorization: other.key })
      assert.equal(foreign.status, 200)
      assert.notEqual(foreign.headers.etag, response.headers.etag)
    })

    test('decodes a percent-encoded id once', async () => {
      assert.equal((await get(withId(path, encodeURIComponent(SPECIAL_ID)))).status, 200)
    })

    test('accepts a trailing slash', async () => {
      const [bare, slashed] = await Promise.all([get(path), get(`${path}/`)])
      assert.equal(slashed.text, bare.text)
      assert.equal(slashed.headers.etag, bare.headers.etag)
    })

    for (const authorization of ['<key>', 'ApiKey <key>', 'Bearer <key>', 'bEARER  <key>', 'APIKEY <key>']) {
      test(`accepts a key sent as "${authorization}"`, async () => {
        const response = await get(path, { authorization: authorization.replace('<key>', key) })
        assert.equal(response.status, 200)
      })
    }

    test('ignores parameters that start with an underscore, also repeated ones', async () => {
      assert.equal((await get(`${path}?_a=1&_a=2&_=%zz`)).status, 200)
    })

    test('ignores the Range header', async () => {
      const response = await get(path, { range: 'bytes=0-1' })
      assert.equal(response.status, 200)
      assert.equal(response.text, (await get(path)).text)
    })

    test('responds to OPTIONS with Allow, without a key', async () => {
      const response = await sendRequest(service.baseUrl, path, {}, 'OPTIONS')
      assert.equal(response.status, 204)
      assert.equal(response.headers.allow, allowedMethods(noun))
    })

    test('accepts an absolute URL as request target, as RFC 9112 requires', async () => {
      const head = `GET http://example.test${path} HTTP/1.1\r\nHost: example.test\r\nConnection: close\r\n`
      assert.match(await rawRequest(service.port, `${head}Authorization: ${key}\r\n\r\n`), /^HTTP\/1.1 200 /)
    })

    test('responds to HTTP/1.0 without chunked encoding', async () => {
      const response = await rawRequest(service.port, `GET ${path} HTTP/1.0\r\nAuthorization: ${key}\r\n\r\n`)
      assert.doesNotMatch(response, /transfer-encoding/i)
      assert.equal(response.slice(response.indexOf('\r\n\r\n') + 4), (await get(path)).text)
    })
  })

  describe(`formats when reading a ${noun}`, () => {
    const cases: [accept: string | undefined, query: string, type: string][] = [
      [undefined, '', 'application/json'],
      ['*/*', '', 'application/json'],
      ['', '', 'application/json'],
      ['application/*', '', 'application/json'],
      ['text/*', '', 'text/csv; charset=utf-8'],
      ['application/x-ndjson', '', 'application/x-ndjson'],
      ['text/csv', '', 'text/csv; charset=utf-8'],
      ['TEXT/CSV; charset=utf-8', '', 'text/csv; charset=utf-8'],
      ['text/csv, application/x-ndjson', '', 'application/x-ndjson'],
      ['text/csv;q=0.9, application/json;q=0.1', '', 'text/csv; charset=utf-8'],
      ['application/json;q=0.2, */*;q=0.1', '', 'application/json'],
      ['application/json;q=0, */*', '', 'application/x-ndjson'],
      ['text/html, application/xhtml+xml, */*;q=0.8', '', 'application/json'],
      ['image/png', '?format=csv', 'text/csv; charset=utf-8'],
      ['text/csv', '?format=json', 'application/json'],
      [undefined, '?format=ndjson', 'application/x-ndjson'],
    ]
    for (const [accept, query, type] of cases) {
      test(`returns ${type} for Accept: ${accept ?? 'none'} ${query}`, async () => {
        const response = await get(path + query, accept === undefined ? {} : { accept })
        assert.equal(response.status, 200)
        assert.equal(response.headers['content-type'], type)
        checkDocumented(path, response)
      })
    }

    test('NDJSON has one element per line, and every line ends with a newline', async () => {
      const [array, lines] = await Promise.all([get(path), get(`${path}?format=ndjson`)])
      assert.ok(lines.text.endsWith('\n'))
      assert.equal(`[${lines.text.slice(0, -1).split('\n').join(',')}]`, array.text)
    })
  })

  describe(`encodings when reading a ${noun}`, () => {
    const cases: [accept: string | undefined, encoding: string | undefined][] = [
      [undefined, undefined],
      ['', undefined],
      ['identity', undefined],
      ['gzip', 'gzip'],
      ['x-gzip', 'gzip'],
      ['br', 'br'],
      ['zstd', 'zstd'],
      ['gzip, br, zstd', 'zstd'],
      ['gzip, br', 'br'],
      ['gzip;q=1, zstd;q=0.5', 'gzip'],
      ['GZIP;Q=0.5', 'gzip'],
      ['*', 'zstd'],
      ['*;q=0.5, zstd;q=0', 'br'],
      ['identity;q=1, gzip;q=0.5', undefined],
      ['gzip;q=0', undefined],
      ['deflate', undefined],
      ['compress, gzip;q=0.001', 'gzip'],
    ]
    for (const [accept, encoding] of cases) {
      test(`returns ${encoding ?? 'identity'} for Accept-Encoding: ${accept ?? 'none'}`, async () => {
        const response = await get(path, accept === undefined ? {} : { 'accept-encoding': accept })
        assert.equal(response.headers['content-encoding'], encoding)
        assert.equal(response.text, (await get(path)).text)
      })
    }
  })

  describe(`validators when reading a ${noun}`, () => {
    test('each format and encoding has its own strong ETag', async () => {
      const etags = new Set<string>()
      for (const format of ['json', 'ndjson', 'csv']) {
        for (const encoding of ['identity', 'gzip', 'br', 'zstd']) {
          const { headers } = await get(`${path}?format=${format}`, { 'accept-encoding': encoding })
          assert.match(headers.etag ?? '', /^"[\x21\x23-\x7e]+"$/)
          assert.equal(headers['cache-control'], 'private, no-cache')
          assert.equal(headers.vary, 'Accept, Accept-Encoding, Authorization')
          etags.add(headers.etag ?? '')
        }
      }
      assert.equal(etags.size, 12)
    })

    test('If-None-Match with the current ETag returns 304 without a body, for GET and HEAD', async () => {
      const { etag = '' } = (await get(path)).headers
      for (const method of ['GET', 'HEAD']) {
        for (const ifNoneMatch of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
          const response = await get(path, { 'if-none-match': ifNoneMatch }, method)
          assert.equal(response.status, 304, ifNoneMatch)
          assert.equal(response.bytes.length, 0)
          assert.equal(response.headers.etag, etag)
          assert.equal(response.headers['cache-control'], 'private, no-cache')
          assert.equal(response.headers.vary, 'Accept, Accept-Encoding, Authorization')
          checkDocumented(path, response, method)
        }
      }
    })

    test('If-None-Match with another ETag returns the whole response', async () => {
      const { etag = '' } = (await get(path, { 'accept-encoding': 'gzip' })).headers
      for (const ifNoneMatch of [etag, etag.slice(1, -1), '"x"', '']) {
        assert.equal((await get(path, { 'if-none-match': ifNoneMatch })).status, 200, ifNoneMatch)
      }
    })

    test('HEAD returns the headers of GET', async () => {
      for (const query of ['', '?format=csv', '?limit=2', '?limit=1000']) {
        const [head, whole] = [await get(path + query, {}, 'HEAD'), await get(path + query)]
        assert.equal(head.status, 200)
        assert.equal(head.bytes.length, 0)
        for (const name of ['etag', 'content-type', 'cache-control', 'vary', 'link'] as const) {
          assert.equal(head.headers[name], whole.headers[name], name)
        }
        // The length of CSV is only known after it has been generated.
        const isKnown = query === ''
        assert.equal(head.headers['content-length'], isKnown ? whole.headers['content-length'] : undefined)
      }
    })
  })

  describe(`pages when reading a ${noun}`, () => {
    for (const limit of [1, 2, 3, count, count + 1, 1000]) {
      test(`the pages with limit=${limit} together are the whole list, and each page except the last links to the next`, async () => {
        const wholeText = (await get(`${path}?format=ndjson`)).text
        let nextPath: string | undefined = `${path}?limit=${limit}&format=ndjson`
        const pages: string[] = []
        while (nextPath) {
          const response: HttpResponse = await get(nextPath)
          assert.equal(response.status, 200)
          pages.push(response.text)
          nextPath = nextLink(response)
          assert.equal(
            response.text.split('\n').length - 1,
            nextPath ? limit : count - limit * (pages.length - 1),
          )
        }
        assert.equal(pages.join(''), wholeText)
        assert.equal(pages.length, Math.ceil(count / limit))
      })
    }

    test('a cursor without a limit returns all remaining elements', async () => {
      const nextPath = nextLink(await get(`${path}?limit=1`)) ?? ''
      const rest = await get(nextPath.replace('limit=1&', ''))
      assert.equal(JSON.parse(rest.text).length, count - 1)
      assert.equal(rest.headers.link, undefined)
    })

    test('a cursor from another list returns 400', async () => {
      const cursor = new URL(nextLink(await get(`${path}?limit=1`)) ?? '', service.baseUrl).searchParams.get(
        'cursor',
      )
      for (const other of [withId(path, 'shared'), path === SCENARIOS ? REVISIONS : SCENARIOS]) {
        checkProblem(await get(`${other}?cursor=${cursor}`), 400, 'invalid-request')
      }
    })

    test('the Link header contains a path independent of Host, or an absolute URL with the setting public_url', async () => {
      const { headers } = await get(`${path}?limit=1&format=csv`, { host: 'evil.example' })
      assert.match(String(headers.link), /^<\/api\/[^>]+>; rel="next"$/)
      assert.match(String(headers.link), /format=csv/)
      const proxied = await startTestService(store, { public_url: 'https://evals.example/base' })
      const response = await sendRequest(proxied.baseUrl, `${path}?limit=1`, { authorization: key })
      assert.match(String(response.headers.link), /^<https:\/\/evals\.example\/base\/api\//)
      await proxied.stop()
    })
  })
}

describe('element content', () => {
  test('every JSON value is returned with its exact text, in JSON and NDJSON', async () => {
    const bodies = EXACT_VALUES.map((value, position) => exactBody(position, value))
    const path = '/api/evaluations/exact/evaluation_scenarios'
    assert.equal((await get(path)).text, `[${bodies.join(',')}]`)
    assert.equal((await get(`${path}?format=ndjson`)).text, `${bodies.join('\n')}\n`)
  })

  test('extra is returned only with include=extra, as the last member', async () => {
    for (const scenario of JSON.parse((await get(SCENARIOS)).text)) assert.equal(scenario.extra, undefined)
    const response = await get(`${SCENARIOS}?include=extra`)
    const scenarios = JSON.parse(response.text)
    assert.equal(scenarios.length, SCENARIO_COUNT)
    for (const [position, scenario] of scenarios.entries()) {
      assert.deepEqual(schemaErrors('EvaluationScenario', scenario), [])
      assert.equal(Object.keys(scenario).at(-1), 'extra')
      assert.equal(scenario.extra === null, position % 3 !== 0)
    }
    checkProblem(await get(`${SCENARIOS}?include=everything`), 400, 'invalid-request')
    checkProblem(await get(`${REVISIONS}?include=extra`), 400, 'invalid-request')
  })
})

describe('lists', () => {
  for (const { path, element, ids } of [
    {
      path: '/api/evaluations',
      element: 'Evaluation',
      ids: ['exact', 'shared', SPECIAL_ID, 'empty', 'full'],
    },
    { path: '/api/variants', element: 'Variant', ids: ['shared', SPECIAL_ID, 'empty', 'full'] },
  ]) {
    test(`${path} lists the items of the project, newest first, with all members`, async () => {
      const response = await get(path)
      checkDocumented(path, response)
      const listed = JSON.parse(response.text)
      for (const item of listed) assert.deepEqual(schemaErrors(element, item), [])
      assert.deepEqual(
        listed.map(({ id }: { id: string }) => id),
        ids,
      )
    })

    test(`the pages of ${path} together are the whole list`, async () => {
      const seen: string[] = []
      let nextPath: string | undefined = `${path}?limit=2`
      while (nextPath) {
        const response: HttpResponse = await get(nextPath)
        for (const { id } of JSON.parse(response.text)) seen.push(id)
        nextPath = nextLink(response)
      }
      assert.deepEqual(seen, ids)
    })

    test(`${path} returns errors for other formats, a missing key and unknown parameters`, async () => {
      checkProblem(await get(path, { accept: 'text/csv' }), 406, 'not-acceptable')
      checkProblem(await sendRequest(service.baseUrl, path), 401, 'unauthorized')
      checkProblem(await get(`${path}?format=json`), 400, 'invalid-request')
    })
  }

  test('the counts in the lists match the numbers of returned elements', async () => {
    const [evaluations, variants] = await Promise.all([get('/api/evaluations'), get('/api/variants')])
    const byId = (response: HttpResponse, id: string) =>
      JSON.parse(response.text).find((item: { id: string }) => item.id === id)
    assert.equal(byId(evaluations, 'full').scenario_count, SCENARIO_COUNT)
    assert.equal(byId(evaluations, 'empty').scenario_count, 0)
    assert.deepEqual(
      [byId(variants, 'full').revision_count, byId(variants, 'full').latest_revision],
      [REVISION_COUNT, REVISION_COUNT - 1],
    )
    assert.deepEqual(
      [byId(variants, 'empty').revision_count, byId(variants, 'empty').latest_revision],
      [0, null],
    )
  })
})

describe('CSV format', () => {
  test('has the columns that the import reads, in order of first appearance, and CRLF line ends', async () => {
    const lines = (await get(`${SCENARIOS}?format=csv`)).text.split('\r\n')
    assert.equal(
      lines[0],
      'id,input.question,input.context,output,expected.answer,score.exact,score.similarity,cost,latency,error,is_pinned,note',
    )
    assert.equal(
      lines[1],
      's-0,"What is 0, ""exactly""?","{""position"":0,""tags"":[""a"",""b""]}","It is\n0",0,true,0,0.001,1.5,,true,look again',
    )
    assert.match(lines[10] ?? '', /,9,false,0.09,,,HTTP 429,,$/)
    assert.equal(lines.length, SCENARIO_COUNT + 2)
  })

  test('contains values that are not strings as their exact text', async () => {
    const { text } = await get('/api/evaluations/exact/evaluation_scenarios?format=csv')
    for (const value of ['1.0', '1E2', '-0', '1e400', '9007199254740993'])
      assert.ok(text.includes(`,${value},`), value)
    assert.ok(text.includes('"{""10"":1,""9"":2,""b"":3,""a"":4}"'))
  })

  test('csv=excel changes only cells that begin like a formula, and has its own ETag', async () => {
    const cells: [plain: string, safe: string][] = [
      ['=1+1', "'=1+1"],
      ['+1', "'+1"],
      ['-1', "'-1"],
      ['@a', "'@a"],
      ['"\n=1"', `"'\n=1"`],
      ['＝1+1', "'＝1+1"],
      ['\t=1', "'\t=1"],
      ['"\r=1"', `"'\r=1"`],
      ['"=1,""2""\n=3"', `"'=1,""2""\n=3"`],
      ['"a,=1"', '"a,=1"'],
      ["'=1", "'=1"],
      ['a=1', 'a=1'],
    ]
    const textOf = (cell: string) => cell.replace(/^"(.*)"$/s, '$1').replaceAll('""', '"')
    const scenarios = cells.map(([cell], index) => ({
      id: `f${index}`,
      inputs: [{ name: 'name', type: 'text', value: textOf(cell) }],
      outputs: [{ result: { type: 'number', value: -1 } }],
    }))
    const headers = { authorization: key, 'content-type': 'application/json' }
    const post = (path: string, body: object) =>
      sendRequest(service.baseUrl, path, headers, 'POST', JSON.stringify(body))
    const path = '/api/evaluations/formulas/evaluation_scenarios'
    await post('/api/evaluations', { id: 'formulas' })
    assert.equal((await post(path, scenarios)).status, 201)

    const expectedTexts = [0, 1].map((column) => {
      const prefix = column === 0 ? '' : "'"
      const lines = cells.map((cell, index) => `f${index},${cell[column]},${prefix}-1,,,,,`)
      return ['id,input.name,output,cost,latency,error,is_pinned,note', ...lines, ''].join('\r\n')
    })
    const queries = ['?format=csv', '?format=csv&csv=excel']
    // The second round can come from the cache.
    for (const _round of [1, 2]) {
      const responses = await Promise.all(queries.map((query) => get(path + query)))
      assert.deepEqual(
        responses.map(({ text }) => text),
        expectedTexts,
      )
      for (const [index, query] of queries.entries()) {
        for (const [other, response] of responses.entries()) {
          const etag = String(response.headers.etag)
          const { status } = await get(path + query, { 'if-none-match': etag })
          assert.equal(status, other === index ? 304 : 200, `${query} ${etag}`)
        }
      }
    }
    assert.equal((await get(`${path}?csv=excel`, { accept: 'text/csv' })).text, expectedTexts[1])
    assert.equal((await get(`${path}?format=csv&csv=excel&order=position.asc`)).text, expectedTexts[1])
    assert.match(nextLink(await get(`${path}?format=csv&csv=excel&limit=1`)) ?? '', /csv=excel/)
  })

  for (const path of [SCENARIOS, REVISIONS]) {
    test(`csv=excel returns 400 with another format than CSV: ${path}`, async () => {
      for (const query of ['', '&format=json', '&format=ndjson']) {
        const { detail } = checkProblem(await get(`${path}?csv=excel${query}`), 400, 'invalid-request')
        assert.match(detail, /'csv=excel' needs the format CSV/)
      }
      checkProblem(await get(`${path}?format=csv&csv=calc`), 400, 'invalid-request')
      const response = await get(`${path}?format=csv&csv=excel`)
      assert.equal(response.status, 200)
      checkDocumented(path, response)
    })
  }

  test('contains the parameters of revisions as JSON', async () => {
    const lines = (await get(`${REVISIONS}?format=csv`)).text.split('\r\n')
    assert.equal(lines[0], 'revision,modified_by,config_name,parameters,created_at')
    assert.match(
      lines[1] ?? '',
      /^0,Ana,r0,"\{""temperature"":0,""project"":\d+\}",2026-09-10T08:00:00.000Z$/,
    )
  })
})

function nextLink({ headers }: HttpResponse): string | undefined {
  return /^<([^>]+)>; rel="next"$/.exec(String(headers.link))?.[1]
}

function withoutKey({ authorization: _, ...headers }: Record<string, string | string[]>) {
  return headers
}

function mistype(key: string): string {
  return key.slice(0, 30) + (key[30] === 'x' ? 'y' : 'x') + key.slice(31)
}

function withChecksum(unchecked: string): string {
  const table = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  let crc = ~0
  for (const byte of Buffer.from(unchecked)) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  let digits = ''
  for (let rest = ~crc >>> 0; rest > 0; rest = Math.floor(rest / 62)) digits = table[rest % 62] + digits
  return unchecked + digits.padStart(6, '0')
}
