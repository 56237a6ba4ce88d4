// Tests of the HTTP server: malformed requests, limits, health checks, docs, CORS, the log and the graceful shutdown.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { addReadKey } from '../../../bench/data.ts'
import { openStoreAt } from '../../../bench/store.ts'
import { addKey } from '../../../src/store/access/keys.ts'
import { addIncompressibleEvaluation } from '../../support/corpus.ts'
import {
  createStoreLocation,
  createTestKey,
  createTestStore,
  rawRequest,
  type StoreLocation,
  spawnServer,
  startTestService,
} from '../../support/harness.ts'
import { checkDocumented, schemaErrors, sendRequest } from '../../support/http.ts'
import { reportMeasurements } from '../../support/measurements.ts'
import { fullOnly, testOptions } from '../../support/options.ts'
import { scenariosPath } from '../../support/write-requests.ts'

const store = await createTestStore()
const { key } = await createTestKey(store)
const { baseUrl, port } = await startTestService(store)

describe('malformed requests', () => {
  const longText = 'x'.repeat(100_000)
  const cases: [name: string, bytes: string, status: number, code: string][] = [
    ['garbage', 'GARBAGE\r\n\r\n', 400, 'invalid-request'],
    ['another protocol', '\x16\x03\x01\x02\x00', 400, 'invalid-request'],
    ['HTTP/2 with prior knowledge', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'invalid-request'],
    ['HTTP/1.1 without Host', 'GET /livez HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'invalid-request'],
    ['a space in the target', 'GET /a b HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'invalid-request'],
    [
      'a character that must be percent-encoded',
      'GET /é HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      400,
      'invalid-request',
    ],
    ['a header without a colon', 'GET / HTTP/1.1\r\nHost x\r\n\r\n', 400, 'invalid-request'],
    ['a space before a colon', 'GET / HTTP/1.1\r\nHost : x\r\n\r\n', 400, 'invalid-request'],
    ['a folded header', 'GET / HTTP/1.1\r\nHost: x\r\nX: a\r\n b\r\n\r\n', 400, 'invalid-request'],
    ['a NUL in a header', 'GET / HTTP/1.1\r\nHost: x\r\nX: \0\r\n\r\n', 400, 'invalid-request'],
    [
      'two Content-Length headers',
      'GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      400,
      'invalid-request',
    ],
    [
      'Content-Length with Transfer-Encoding: chunked',
      'GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
      'invalid-request',
    ],
    ...['gzip, chunked', 'x,CHUNKED', 'gzip\r\nTransfer-Encoding: chunked'].map(
      (encoding): (typeof cases)[number] => [
        `Transfer-Encoding: ${encoding.replace('\r\n', ', ')}`,
        `POST /api/evaluations HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: ${encoding}\r\n\r\n0\r\n\r\n`,
        501,
        'not-implemented',
      ],
    ),
    ...['identity', 'gzip', 'chunked, gzip', 'chunked, chunked'].map((encoding): (typeof cases)[number] => [
      `Transfer-Encoding: ${encoding}`,
      `GET /livez HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: ${encoding}\r\n\r\n0\r\n\r\n`,
      400,
      'invalid-request',
    ]),
    [
      'an invalid Content-Length',
      'GET / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n',
      400,
      'invalid-request',
    ],
    ...['+1', '0x1', '1, 1', '', '99999999999999999999999'].map((length): (typeof cases)[number] => [
      `the Content-Length '${length}'`,
      `POST /livez HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\nx`,
      400,
      'invalid-request',
    ]),
    [
      'two Host headers',
      'GET /livez HTTP/1.1\r\nHost: x\r\nHost: y\r\nConnection: close\r\n\r\n',
      400,
      'invalid-request',
    ],
    ...['a b', 'x/y', '[::1', 'x:80a', 'x y:80'].map((host): (typeof cases)[number] => [
      `the Host header '${host}'`,
      `GET /livez HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
      400,
      'invalid-request',
    ]),
    [
      'GET with the target *',
      'GET * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      400,
      'invalid-request',
    ],
    ['a fragment', 'GET /livez#top HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 400, 'invalid-request'],
    ['lines that end with a line feed only', 'GET /livez HTTP/1.1\nHost: x\n\n', 400, 'invalid-request'],
    [
      'lines that end with a carriage return only',
      'GET /livez HTTP/1.1\rHost: x\r\r',
      400,
      'invalid-request',
    ],
    ['a carriage return in a header', 'GET / HTTP/1.1\r\nHost: x\r\nX: a\rb\r\n\r\n', 400, 'invalid-request'],
    [
      'a control character in a header',
      'GET / HTTP/1.1\r\nHost: x\r\nX: \x01\r\n\r\n',
      400,
      'invalid-request',
    ],
    ['a header without a name', 'GET / HTTP/1.1\r\nHost: x\r\n: a\r\n\r\n', 400, 'invalid-request'],
    ['a space before the first header', 'GET / HTTP/1.1\r\n Host: x\r\n\r\n', 400, 'invalid-request'],
    ['tabs in the request line', 'GET\t/livez\tHTTP/1.1\r\nHost: x\r\n\r\n', 400, 'invalid-request'],
    ['a NUL in the target', 'GET /\0 HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'invalid-request'],
    ['a target without a slash', 'GET livez HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'invalid-request'],
    ['an invalid method', 'get / HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'invalid-request'],
    ['an invalid HTTP version', 'GET / HTTP/9.9\r\nHost: x\r\n\r\n', 400, 'invalid-request'],
    ['CONNECT', 'CONNECT example.test:443 HTTP/1.1\r\nHost: x\r\n\r\n', 405, 'method-not-allowed'],
    [
      'an unknown Expect',
      'GET /livez HTTP/1.1\r\nHost: x\r\nExpect: tea\r\nConnection: close\r\n\r\n',
      417,
      'expectation-failed',
    ],
    ['a URL above every limit', `GET /${longText} HTTP/1.1\r\nHost: x\r\n\r\n`, 414, 'uri-too-long'],
    [
      'a header above every limit',
      `GET / HTTP/1.1\r\nHost: x\r\nX: ${longText}\r\n\r\n`,
      431,
      'header-fields-too-large',
    ],
    [
      'too many headers',
      `GET / HTTP/1.1\r\nHost: x\r\n${'X: y\r\n'.repeat(20_000)}\r\n`,
      431,
      'header-fields-too-large',
    ],
  ]
  for (const [name, bytes, status, code] of cases) {
    test(`returns ${status} ${code} and closes the connection for ${name}`, async () => {
      const response = await rawRequest(port, Buffer.from(bytes, 'utf8'))
      const [head = '', body = ''] = response.split('\r\n\r\n')
      assert.match(head, new RegExp(`^HTTP/1\\.1 ${status} `))
      assert.match(head, /content-type: application\/problem\+json/i)
      const problem = JSON.parse(body.replace(/<\w+>$/, ''))
      assert.deepEqual(schemaErrors('Problem', problem), [])
      assert.deepEqual([problem.status, problem.code], [status, code])
      assert.match(head, new RegExp(`x-request-id: ${problem.instance}`, 'i'))
    })
  }

  const chunked = 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n'
  for (const chunk of [
    'zz\r\n[]\r\n',
    '-1\r\n[]\r\n',
    '2\n[]\n',
    '1\r\n[]]\r\n',
    'ffffffffffffffffff\r\n[]\r\n',
  ])
    test(`returns 400 and closes the connection for the chunk ${JSON.stringify(chunk)}`, async () => {
      const { key: writeKey } = await createTestKey(store, { scopes: ['write'] })
      const head = `POST /api/evaluations HTTP/1.1\r\nHost: x\r\nAuthorization: ${writeKey}\r\n`
      const response = await rawRequest(port, `${head}${chunked}${chunk}0\r\n\r\n`)
      assert.match(response, /^HTTP\/1\.1 400 [\s\S]*"code":"invalid-request"/)
    })

  test('returns 408 when the headers do not arrive in time', async () => {
    const service = await startTestService(store, { stall_timeout: 500 })
    const response = await rawRequest(service.port, 'GET /livez HTTP/1.1\r\nHost: x\r\n')
    assert.match(response, /^HTTP\/1\.1 408 [\s\S]*request-timeout/)
  })

  test('returns 408 when the body does not arrive in time', async () => {
    const service = await startTestService(store, { stall_timeout: 500 })
    const { key: writeKey } = await createTestKey(store, { scopes: ['write'] })
    const head = `POST /api/variants HTTP/1.1\r\nHost: x\r\nAuthorization: ${writeKey}\r\nConnection: close\r\n`
    const headers = 'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n'
    const response = await rawRequest(service.port, `${head}${headers}{"id":`)
    assert.match(response, /^HTTP\/1\.1 408 [\s\S]*request-timeout/)
  })

  for (const invalidRequest of ['GARBAGE\r\n\r\n', 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n']) {
    test(`sends the response to a valid request before ${invalidRequest.split('\r')[0]}, then closes the connection`, async () => {
      const head = `GET /api/evaluations HTTP/1.1\r\nHost: x\r\nAuthorization: ${key}\r\n\r\n`
      const response = await rawRequest(port, head + invalidRequest)
      assert.match(response, /^HTTP\/1\.1 200 [\s\S]*\r\ncontent-length: 2\r\n[\s\S]*\r\n\r\n\[\]$/)
    })
  }
})

test('ignores the body of a GET request and of requests that are rejected', async () => {
  const body = `${'5\r\nhello\r\n'.repeat(1000)}0\r\n\r\n`
  const head = `HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: nonsense\r\nTransfer-Encoding: chunked\r\n`
  const getResponse = await rawRequest(
    port,
    `GET /api/evaluations ${head}Authorization: ${key}\r\n\r\n${body}`,
  )
  assert.match(getResponse, /^HTTP\/1\.1 200 /)
  assert.match(await rawRequest(port, `POST /nowhere ${head}\r\n${body}`), /^HTTP\/1\.1 404 /)
  assert.match(await rawRequest(port, `POST /livez ${head}\r\n${body}`), /^HTTP\/1\.1 405 /)
})

test('closes the connection of a client that keeps sending its body slowly after the response', async () => {
  // With this timeout, only the end of the response can close the connection.
  const { port } = await startTestService(store, { stall_timeout: 3_600_000 })
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.resume()
  socket.write('GET /livez HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n')
  const timer = setInterval(() => socket.write('5\r\nhello\r\n'), 20)
  // events.once would reject if a reset comes before the close.
  await new Promise((resolve) => socket.on('close', resolve))
  clearInterval(timer)
})

test('responds to pipelined requests in order, and resets the connection above the limit', async () => {
  const paths = [
    '/livez',
    '/nowhere',
    '/api/evaluations',
    '/api/variants/none/revisions',
    '/api/evaluations?limit=0',
  ]
  const statuses = ['200', '404', '200', '404', '400']
  const count = 50
  const pipelined = Array.from({ length: count }, (_, index) => {
    const close = index === count - 1 ? 'Connection: close\r\n' : ''
    return `GET ${paths[index % 5]} HTTP/1.1\r\nHost: x\r\nAuthorization: ${key}\r\n${close}\r\n`
  }).join('')
  const responses = await rawRequest(port, pipelined)
  const receivedStatuses = [...responses.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status)
  assert.deepEqual(
    receivedStatuses,
    Array.from({ length: count }, (_, index) => statuses[index % 5]),
  )
  assert.match(
    await rawRequest(port, pipelined.replace('Connection: close\r\n', '').repeat(3)),
    /<ECONNRESET>$/,
  )
})

test('accepts 1500 small headers', async () => {
  const headers = Array.from({ length: 1500 }, (_, index) => `a${index}: b\r\n`).join('')
  const response = await rawRequest(
    port,
    `GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n`,
  )
  assert.match(response, /^HTTP\/1\.1 200 /)
})

test('returns 400 for other major versions of HTTP', async () => {
  for (const line of ['GET /livez HTTP/2.0', 'GET /livez HTTP/0.9']) {
    assert.match(
      await rawRequest(port, `${line}\r\nHost: x\r\nConnection: close\r\n\r\n`),
      /^HTTP\/1\.1 400 /,
      line,
    )
  }
})

test('a percent-encoded path has the same methods as the decoded path', async () => {
  assert.equal((await sendRequest(baseUrl, '/api/%65valuations', { authorization: key })).status, 200)
  assert.equal((await sendRequest(baseUrl, '/api/%65valuations', {}, 'PUT')).status, 405)
  assert.equal((await sendRequest(baseUrl, '/api/%65valuations', {}, 'OPTIONS')).status, 204)
  assert.equal((await sendRequest(baseUrl, '/api/evaluations//evaluation_scenarios', {}, 'PUT')).status, 405)
})

test('keeps running when a client sends CONNECT and disconnects', async () => {
  for (const event of ['connect', 'readable']) {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write('CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n')
    await once(socket, event)
    socket.resetAndDestroy()
    await once(socket, 'close')
  }
  assert.equal((await sendRequest(baseUrl, '/livez')).status, 200)
})

test('rejects a pipelined request with an unknown Expect header in order', async () => {
  const createRequest = (header = '') => `GET /livez HTTP/1.1\r\nHost: x\r\n${header}\r\n`
  const response = await rawRequest(
    port,
    createRequest() + createRequest('Expect: tea\r\n') + createRequest('Connection: close\r\n'),
  )
  const receivedStatuses = [...response.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status)
  assert.deepEqual(receivedStatuses, ['200', '417', '200'])
})

describe('Expect: 100-continue', { concurrency: true }, () => {
  const json = 'Content-Type: application/json\r\n'
  const createHead = (start: string, headers: string, length = 2) =>
    `${start} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nExpect: 100-continue\r\nContent-Length: ${length}\r\n${headers}\r\n`
  let authorization = ''
  before(async () => {
    const writeKey = await createTestKey(store, { scopes: ['read', 'write'] })
    authorization = `Authorization: ${writeKey.key}\r\n`
  })
  const post = 'POST /api/evaluations'
  const cases: [name: string, start: string, headers: () => string, status: number, length?: number][] = [
    ['without a key', post, () => json, 401],
    ['with an invalid key', post, () => `Authorization: nonsense\r\n${json}`, 401],
    ['without the scope', post, () => `Authorization: ${key}\r\n${json}`, 403],
    ['to an unknown path', 'POST /nowhere', () => json, 404],
    ['with an unsupported method', 'POST /livez', () => json, 405],
    ['with an unknown query parameter', `${post}?x=1`, () => authorization + json, 400],
    ['to an unknown id', 'PATCH /api/evaluations/none', () => authorization + json, 404],
    ['with an unsupported media type', post, () => `${authorization}Content-Type: text/plain\r\n`, 415],
    ['with an unsupported encoding', post, () => `${authorization}${json}Content-Encoding: br\r\n`, 415],
    ['with a Content-Length above the limit', post, () => authorization + json, 413, 1e12],
    ['that needs no body', 'GET /livez', () => '', 200],
  ]
  for (const [name, start, headers, status, length] of cases) {
    test(`returns ${status} without 100 Continue for a request ${name}`, async () => {
      const response = await rawRequest(port, createHead(start, headers(), length))
      assert.match(response, new RegExp(`^HTTP/1\\.1 ${status} `))
    })
  }

  test('sends 100 Continue when the body is needed, and then the response', async () => {
    const socket = connect(port, '127.0.0.1')
    socket.write(createHead(post, authorization + json))
    const [interim] = await once(socket, 'data')
    assert.equal(String(interim), 'HTTP/1.1 100 Continue\r\n\r\n')
    socket.write('{}')
    const chunks: Buffer[] = []
    for await (const chunk of socket) chunks.push(chunk as Buffer)
    assert.match(Buffer.concat(chunks).toString(), /^HTTP\/1\.1 201 /)
  })

  test('responds to a client that sends a rejected body without waiting', async () => {
    const bytes = 8_000_000
    const response = await rawRequest(port, createHead(post, json, bytes), Buffer.alloc(bytes, 'x'))
    assert.match(response, /^HTTP\/1\.1 401 /)
    assert.doesNotMatch(response, /<ECONNRESET>$/)
  })
})

test('sends the complete response to a client that half-closes after its request', async () => {
  await addIncompressibleEvaluation(store, 'large', 40, 100_000)
  const path = `${scenariosPath('large')}?format=csv`
  const expectedText = (await sendRequest(baseUrl, path, { authorization: key })).text
  const socket = connect(port, '127.0.0.1')
  socket.end(`GET ${path} HTTP/1.0\r\nAuthorization: ${key}\r\n\r\n`)
  const chunks: Buffer[] = []
  for await (const chunk of socket) chunks.push(chunk)
  const response = Buffer.concat(chunks).toString()
  assert.ok(response.slice(response.indexOf('\r\n\r\n') + 4) === expectedText)
})

test('responds once to a client that ends an incomplete body after the response', async () => {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  socket.write(
    `GET /api/variants/none HTTP/1.1\r\nHost: x\r\nAuthorization: ${key}\r\nTransfer-Encoding: chunked\r\n\r\n`,
  )
  let text = ''
  for await (const chunk of socket) {
    text += chunk
    // The problem document is the end of the response.
    if (text.endsWith('}')) socket.end()
  }
  assert.match(text, /^HTTP\/1\.1 404 /)
  assert.equal(text.match(/HTTP\/1\.1 /g)?.length, 1, text)
})

describe('health checks, metrics, docs and CORS', () => {
  test('livez and readyz need no API key', async () => {
    assert.equal((await sendRequest(baseUrl, '/livez')).text, 'ok\n')
    assert.equal((await sendRequest(baseUrl, '/readyz')).text, 'ok\n')
    assert.equal((await sendRequest(baseUrl, '/readyz', {}, 'HEAD')).status, 200)
  })

  test('readyz returns 503 with Retry-After while the database is not available, and livez returns 200', async () => {
    const closedStore = await openStoreAt((await createStoreLocation()).url)
    const service = await startTestService(closedStore)
    await closedStore.close()
    const response = await sendRequest(service.baseUrl, '/readyz')
    assert.equal(response.status, 503)
    assert.equal(response.headers['retry-after'], '5')
    assert.equal((await sendRequest(service.baseUrl, '/livez')).status, 200)
  })

  test('metrics count requests by route pattern, never by id', async () => {
    await sendRequest(baseUrl, '/api/evaluations/secret-name/evaluation_scenarios', { authorization: key })
    const { text } = await sendRequest(baseUrl, '/metrics')
    assert.match(
      text,
      /assay_http_request_duration_seconds_count\{method="GET",route="\/api\/evaluations\/:evaluation_id\/evaluation_scenarios",status="404"\} 1/,
    )
    assert.match(text, /process_resident_memory_bytes \d/)
    for (const name of ['running', 'waiting', 'rejected_total'])
      assert.match(text, new RegExp(`^assay_queries_${name} 0$`, 'm'))
    assert.ok(!text.includes('secret-name'))
  })

  test('metrics require the token if the setting metrics-token is set', async () => {
    const service = await startTestService(store, { metrics_token: 'open sesame' })
    const rejectedResponse = await sendRequest(service.baseUrl, '/metrics')
    assert.equal(rejectedResponse.status, 401)
    assert.equal(rejectedResponse.headers['www-authenticate'], 'Bearer realm="assay"')
    assert.equal(
      (await sendRequest(service.baseUrl, '/metrics', { authorization: 'Bearer open' })).status,
      401,
    )
    assert.equal(
      (await sendRequest(service.baseUrl, '/metrics', { authorization: 'Bearer open sesame' })).status,
      200,
    )
  })

  test('the API reference needs no API key and loads nothing from other hosts', async () => {
    const document = JSON.parse((await sendRequest(baseUrl, '/api/openapi.json')).text)
    assert.equal(document.openapi, '3.1.0')
    for (const path of ['/docs', '/docs/errors', '/docs/']) {
      const { status, text, headers } = await sendRequest(baseUrl, path)
      assert.equal(status, 200)
      assert.match(String(headers['content-security-policy']), /default-src 'none'/)
      assert.doesNotMatch(text, /(?:src|href)="(?!\/|#)/, 'a link refers to another host')
      assert.deepEqual(text.match(/<script[^>]*>/g), [
        '<script src="/theme.js">',
        '<script src="/docs.js" defer>',
      ])
    }
  })

  test('GET /api needs no API key and links to every resource', async () => {
    for (const path of ['/api', '/api/']) {
      const response = await sendRequest(baseUrl, path)
      assert.equal(response.status, 200)
      assert.equal(response.headers['content-type'], 'application/json')
      checkDocumented('/api', response)
      const index = JSON.parse(response.text)
      assert.deepEqual(schemaErrors('ApiIndex', index), [])
      assert.deepEqual(index.links, {
        docs: '/docs',
        evaluations: '/api/evaluations',
        comparisons: '/api/comparisons',
        'comparisons/labels': '/api/comparisons/labels',
        'comparisons/rows': '/api/comparisons/rows',
        leaderboards: '/api/leaderboards',
        'leaderboards/rows': '/api/leaderboards/rows',
        variants: '/api/variants',
        changes: '/api/changes',
        key: '/api/key',
        shares: '/api/shares',
        openapi: '/api/openapi.json',
      })
      for (const link of Object.values<string>(index.links)) {
        const { status } = await sendRequest(baseUrl, link, { authorization: key })
        assert.equal(status, /^\/api\/(comparisons|leaderboards)/.test(link) ? 400 : 200, link)
      }
    }
    const { status, headers } = await sendRequest(baseUrl, '/api?x=1')
    assert.deepEqual([status, headers['content-type']], [400, 'application/problem+json'])
  })

  test('the OpenAPI document has less than 400 kB, is compressed and has an ETag', async () => {
    const path = '/api/openapi.json'
    const plainResponse = await sendRequest(baseUrl, path)
    assert.equal(plainResponse.headers['content-encoding'], undefined)
    assert.ok(plainResponse.bytes.length < 400_000, `${plainResponse.bytes.length} bytes`)
    for (const encoding of ['zstd', 'br', 'gzip']) {
      const response = await sendRequest(baseUrl, path, { 'accept-encoding': encoding })
      checkDocumented(path, response)
      assert.equal(response.headers['content-encoding'], encoding)
      assert.equal(response.text, plainResponse.text)
      assert.ok(response.bytes.length < 60_000, `${response.bytes.length} bytes`)
      const etag = String(response.headers.etag)
      assert.notEqual(etag, plainResponse.headers.etag)
      const repeated = await sendRequest(baseUrl, path, {
        'accept-encoding': encoding,
        'if-none-match': etag,
      })
      checkDocumented(path, repeated)
      assert.deepEqual([repeated.status, repeated.bytes.length], [304, 0])
    }
  })

  test('/docs describes every operation, and /docs/errors has an anchor for every code', async () => {
    const page = (await sendRequest(baseUrl, '/docs')).text
    const document = JSON.parse((await sendRequest(baseUrl, '/api/openapi.json')).text)
    for (const [path, item] of Object.entries<Record<string, { operationId: string }>>(document.paths)) {
      assert.ok(page.includes(`<code>${path}</code>`), path)
      for (const { operationId } of Object.values(item))
        assert.ok(page.includes(`id="${operationId}"`), operationId)
    }
    const errorsPage = (await sendRequest(baseUrl, '/docs/errors')).text
    assert.ok(errorsPage.includes('id="evaluation-not-found"'))
    assert.match(errorsPage, /<code>line<\/code> and <code>offset<\/code> give the position/)
  })

  test('/docs has curl examples with all required parameters, and lists parameters by their query names', async () => {
    const page = (await sendRequest(baseUrl, '/docs')).text
    assert.ok(
      page.includes('/api/comparisons?evaluation={evaluation_1}&#38;evaluation={evaluation_2}&#34;</pre>'),
    )
    assert.match(page, /<code>evaluation<\/code><\/td><td>query, required<\/td>/)
    assert.match(page, /<code>by<\/code><\/td><td>query<\/td>/)
    // Reviews have a member with this name.
    assert.doesNotMatch(page, /<code>filters<\/code><\/td><td>query/)
    for (const name of ['result.&#60;evaluator&#62;', 'input.&#60;input&#62;', 'delta.&#60;evaluator&#62;'])
      assert.ok(page.includes(`<tr><td><code>${name}</code></td><td>query</td>`), name)
    assert.doesNotMatch(page, /`/)
    assert.match(page, /<code>docs\/README\.md<\/code>/)
  })

  test('allows cross-origin requests only from the configured origins', async () => {
    const defaultResponse = await sendRequest(baseUrl, '/api/evaluations', {
      authorization: key,
      origin: 'https://a.example',
    })
    assert.equal(defaultResponse.headers['access-control-allow-origin'], undefined)
    const corsService = await startTestService(store, {
      cors_origin: ['https://a.example', 'https://b.example'],
    })
    const allowedResponse = await sendRequest(corsService.baseUrl, '/api/evaluations', {
      authorization: key,
      origin: 'https://b.example',
    })
    assert.equal(allowedResponse.headers['access-control-allow-origin'], 'https://b.example')
    assert.equal(allowedResponse.headers.vary, 'Accept, Accept-Encoding, Authorization, Origin')
    assert.match(String(allowedResponse.headers['access-control-expose-headers']), /ETag, .*Link, Location/)
    const otherOriginResponse = await sendRequest(corsService.baseUrl, '/api/evaluations', {
      authorization: key,
      origin: 'https://c.example',
    })
    assert.equal(otherOriginResponse.headers['access-control-allow-origin'], undefined)
    const preflight = await sendRequest(
      corsService.baseUrl,
      '/api/evaluations',
      { origin: 'https://a.example' },
      'OPTIONS',
    )
    assert.equal(preflight.status, 204)
    assert.match(
      String(preflight.headers['access-control-allow-headers']),
      /Authorization,.* If-Match, If-None-Match,/,
    )
  })
})

test('the log has one line per request, with the request id and without secrets of API keys', async () => {
  const namedKey = { project: 'default', name: 'CI', scopes: ['read'] as const, expires_at: null }
  const { key: secret } = await store.writer.transaction((transaction) => addKey(transaction, namedKey))
  const server = await spawnServer([...store.flags, '--log-level', 'trace'])
  const headers = { authorization: `Bearer ${secret}` }
  const ids: unknown[] = []
  for (const path of [
    '/api/evaluations',
    '/nowhere',
    `/api/evaluations?key=${secret}`,
    `/api/evaluations/${secret}/evaluation_scenarios`,
    '/api/%zz',
  ]) {
    ids.push((await sendRequest(server.baseUrl, path, headers)).headers['x-request-id'])
  }
  await sendRequest(server.baseUrl, '/livez', {}, 'PATCH')
  server.child.kill('SIGTERM')
  await once(server.child, 'close')
  const lines = server
    .stderr()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  const requests = lines.filter(({ msg }) => msg === 'request')
  assert.equal(requests.length, 6)
  assert.deepEqual(
    requests.slice(0, 5).map(({ request_id }) => request_id),
    ids,
  )
  assert.deepEqual(
    requests.map(({ status }) => status),
    [200, 404, 400, 404, 400, 405],
  )
  const [{ key, key_name, address }] = requests
  assert.deepEqual([key, key_name, address], [secret.slice(6, 18), 'CI', '127.0.0.1'])
  assert.ok(!server.stderr().includes(secret.slice(19)), 'the secret is in the log')
})

const largeStoreLocation = await createStoreLocation()
let largeStore: Promise<StoreLocation & { readKey: string }> | undefined

/** Creates a store with a large evaluation on the first call. Tests that only read it share it. */
function getLargeStore() {
  largeStore ??= (async () => {
    const store = await openStoreAt(largeStoreLocation.url)
    await addIncompressibleEvaluation(store, 'large', 400, 30_000)
    const readKey = await addReadKey(store)
    await store.close()
    return { ...largeStoreLocation, readKey }
  })()
  return largeStore
}

const STREAM_COUNT = testOptions.profile === 'full' ? 20 : 3

test('on SIGTERM, finishes pending responses, closes other connections and exits with 0 without a -wal file', async (t) => {
  const { data, flags, readKey } = await getLargeStore()
  const server = await spawnServer(flags)
  const { port } = new URL(server.baseUrl)
  const path = `${scenariosPath('large')}?format=ndjson`
  const expectedBytes = (await sendRequest(server.baseUrl, path, { authorization: readKey })).bytes

  const streams = await Promise.all(
    Array.from({ length: STREAM_COUNT }, async () => {
      const clientRequest = request(`${server.baseUrl}${path}`, {
        headers: { authorization: readKey },
        agent: false,
      })
      clientRequest.end()
      const [response] = await once(clientRequest, 'response')
      return response
    }),
  )
  const idleSocket = connect(Number(port), '127.0.0.1')
  const partialSocket = connect(Number(port), '127.0.0.1')
  await Promise.all([once(idleSocket, 'connect'), once(partialSocket, 'connect')])
  partialSocket.write('GET /livez HTTP/1.1\r\nHost')
  for (const socket of [idleSocket, partialSocket]) socket.on('error', () => undefined)
  idleSocket.resume()
  partialSocket.resume()

  const start = performance.now()
  server.child.kill('SIGTERM')
  const exitEvent = once(server.child, 'exit')
  await assert.doesNotReject(once(idleSocket, 'close'))
  await assert.rejects(sendRequest(server.baseUrl, '/livez'), /ECONNREFUSED|ECONNRESET|hang up/)
  for (const stream of streams) {
    const chunks: Buffer[] = []
    for await (const chunk of stream) chunks.push(chunk)
    assert.ok(Buffer.concat(chunks).equals(expectedBytes), 'a pending response was truncated')
  }
  assert.deepEqual(await exitEvent, [0, null])
  assert.ok(!existsSync(join(data, 'assay.db-wal')))
  reportMeasurements(t, { cases: STREAM_COUNT, wrong: 0, exit_ms: performance.now() - start })
})

for (const event of ['the drain timeout expires', 'a second signal arrives']) {
  test(`resets unfinished responses, also for HTTP/1.0, when ${event} while draining`, {
    skip: fullOnly('waits for the drain timeout'),
  }, async () => {
    const { flags, readKey } = await getLargeStore()
    const usesTimeout = event === 'the drain timeout expires'
    const server = await spawnServer([...flags, '--drain-timeout', usesTimeout ? '300ms' : '1h'])
    const socket = connect(Number(new URL(server.baseUrl).port), '127.0.0.1')
    const errorEvent = once(socket, 'error')
    socket.write(`GET ${scenariosPath('large')} HTTP/1.0\r\nAuthorization: ${readKey}\r\n\r\n`)
    await once(socket, 'readable')
    const exitEvent = once(server.child, 'exit')
    server.child.kill('SIGTERM')
    while (!usesTimeout && !server.stderr().includes('draining'))
      await once(server.child.stderr ?? socket, 'data')
    if (!usesTimeout) server.child.kill('SIGTERM')
    assert.deepEqual(await exitEvent, [0, null])
    socket.resume()
    const [error] = await errorEvent
    assert.equal(error.code, 'ECONNRESET')
  })
}
