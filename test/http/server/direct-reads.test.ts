// Sends the same requests to two services with one store, with and without the direct path for reads. Every byte of the
// responses, every log line and the request metrics must be the same, except times and request ids.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, mock, test } from 'node:test'
import fc from 'fast-check'
import pino from 'pino'
import { MAX_HEADER_BYTES } from '../../../src/http/request/checks.ts'
import { FailedKeyLimiter } from '../../../src/http/request/failed-key-limiter.ts'
import type { KeyRestriction } from '../../../src/schema/shares.ts'
import { addKey, revokeKey } from '../../../src/store/access/keys.ts'
import { sizes } from '../../sizes.ts'
import { addScenarios, fillCorpus, SCENARIO_COUNT, SPECIAL_ID, scenario } from '../../support/corpus.ts'
import { createTestKey, createTestStore, startTestService } from '../../support/harness.ts'
import { sendRequest } from '../../support/http.ts'
import { testOptions } from '../../support/options.ts'

const store = await createTestStore()
await fillCorpus(store)

const NOW = Date.parse('2026-06-01T00:00:00.000Z')
let now = NOW
// Random requests contain more invalid keys than one address can send.
const { mock: limiter } = mock.method(FailedKeyLimiter.prototype, 'recordFailure', () => undefined)
after(() => limiter.restore())

async function restrictedKey(confined_to: KeyRestriction): Promise<string> {
  const key = { project: 'default', name: 'share', scopes: ['read'] as const, confined_to, expires_at: null }
  return (await store.writer.transaction((transaction) => addKey(transaction, key))).key
}

const reader = await createTestKey(store)
const revocable = await createTestKey(store)
const KEYS = {
  reader: reader.key,
  named: (
    await store.writer.transaction((transaction) =>
      addKey(transaction, {
        project: 'default',
        name: 'a "name" \u2028',
        scopes: ['read', 'write'],
        expires_at: null,
      }),
    )
  ).key,
  writer: (await createTestKey(store, { scopes: ['write'] })).key,
  expiring: (await createTestKey(store, { expires_at: new Date(NOW + 1000).toISOString() })).key,
  foreign: (await createTestKey(store, { project: 'other' })).key,
  revocable: revocable.key,
  restricted: await restrictedKey({ evaluation_id: 'full' }),
  unknown: 'assay_000000000000_000000000000000000000000000000',
}

interface Observed {
  lines: Record<string, unknown>[]
  directResponses: number
}

/** Starts a service that records its log and how many requests the direct path has responded to. */
async function startObserved(settings: Parameters<typeof startTestService>[1], isDirect: boolean) {
  const observed: Observed = { lines: [], directResponses: 0 }
  const log = pino(
    { level: 'info', base: null, timestamp: pino.stdTimeFunctions.isoTime },
    { write: (line: string) => observed.lines.push(JSON.parse(line)) },
  )
  const service = await startTestService(store, settings, () => now, undefined, log)
  const { direct } = service.app
  service.app.direct = !isDirect
    ? null
    : direct && {
        remember: (request, response) => direct.remember(request, response),
        respond(request, response) {
          const hasResponded = direct.respond(request, response)
          if (hasResponded) observed.directResponses += 1
          return hasResponded
        },
      }
  return { ...service, observed }
}

type Pair = Awaited<ReturnType<typeof startObserved>>[]

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** Sends the text and half-closes the connection. Returns all bytes of the responses. */
async function exchange(port: number, text: string): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  socket.setTimeout(sizes.response_seconds * 1000, () => socket.destroy(new Error('No response in time')))
  socket.end(text, 'latin1')
  const response = Buffer.concat(await Array.fromAsync(socket)).toString('latin1')
  socket.destroy()
  return response.replace(UUID, 'ID').replace(/^date: .*$/gim, 'Date: TIME')
}

async function compare(pair: Pair, text: string): Promise<string> {
  const [first = '', second] = await Promise.all(pair.map(({ port }) => exchange(port, text)))
  assert.equal(first, second, text)
  return first
}

/** Compares the lines without times and ids, but with the order of their members. */
function compareLogs(pair: Pair): void {
  const texts = ({ observed }: Pair[number]) => {
    const requestLines = observed.lines.filter(({ msg }) => String(msg).startsWith('request'))
    const texts = requestLines.map((line) => JSON.stringify({ ...line, time: 0, request_id: 0, ms: 0 }))
    return texts.filter((text) => !text.includes('/metrics'))
  }
  const [first = [], second = []] = pair.map(texts)
  for (const [index, line] of first.entries()) assert.equal(line, second[index])
  assert.equal(first.length, second.length)
  for (const { observed } of pair) {
    for (const { time, request_id } of observed.lines) {
      assert.match(String(time), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      if (request_id !== undefined) assert.match(String(request_id), new RegExp(UUID.source))
    }
  }
}

/** The number of requests by method, route and status, when all are finished except the request for the metrics. */
async function requestMetrics({ baseUrl }: { baseUrl: string }): Promise<string[]> {
  for (;;) {
    const { text } = await sendRequest(baseUrl, '/metrics')
    const lines = text.split('\n').filter((line) => /^assay_http_request_duration_seconds_count/.test(line))
    // A response is counted and logged when it closes, which can be after the client has read it.
    if (/^assay_http_requests_in_flight 1$/m.test(text))
      return lines.filter((line) => !line.includes('/metrics')).sort()
  }
}

const READ_PATHS = ['/api/evaluations/ID/evaluation_scenarios', '/api/variants/ID/revisions']
const IDS = [
  'full',
  'empty',
  'exact',
  'shared',
  'foreign',
  'unknown',
  '.',
  '..',
  'a~b',
  encodeURIComponent(SPECIAL_ID),
]

const etags: string[] = []
for (const key of [KEYS.reader, KEYS.foreign]) {
  const { baseUrl, stop } = await startTestService(store)
  for (const path of READ_PATHS) {
    for (const id of IDS) {
      for (const encoding of ['identity', 'gzip']) {
        const headers = { authorization: key, 'accept-encoding': encoding }
        const { headers: responseHeaders } = await sendRequest(baseUrl, path.replace('ID', id), headers)
        if (responseHeaders.etag !== undefined) etags.push(responseHeaders.etag)
      }
    }
  }
  await stop()
}

const rarely = (value: fc.Arbitrary<string>) =>
  fc.oneof({ weight: 6, arbitrary: fc.constant('') }, { weight: 1, arbitrary: value })

const target = fc
  .tuple(
    fc.constantFrom(...READ_PATHS),
    fc.oneof(
      { weight: 4, arbitrary: fc.constant('full') },
      { weight: 3, arbitrary: fc.constantFrom(...IDS) },
    ),
    rarely(fc.constantFrom('?', '?limit=1', '?_x=1', '?format=csv', '/', '?x', '#f', 'x')),
    rarely(fc.constantFrom('/base', 'http://127.0.0.1', '/')),
  )
  .map(([path, id, suffix, prefix]) => `${prefix}${path.replace('ID', id)}${suffix}`)
const authorization = fc
  .tuple(
    fc.constantFrom('Authorization: ', 'authorization:', 'AUTHORIZATION: '),
    fc.oneof(
      { weight: 4, arbitrary: fc.constant('Bearer ') },
      { weight: 1, arbitrary: fc.constantFrom('bearer   ', 'ApiKey ', '', 'Basic ') },
    ),
    fc.oneof(
      { weight: 4, arbitrary: fc.constant(KEYS.reader) },
      { weight: 3, arbitrary: fc.constantFrom(...Object.values(KEYS), `${KEYS.reader}x`, '') },
    ),
  )
  .map((parts) => parts.join(''))
const acceptHeader = rarely(
  fc
    .constantFrom(
      '*/*',
      'application/json',
      'text/csv',
      'application/x-ndjson',
      'image/png',
      'text/*;q=0.1',
      '',
    )
    .map((value) => `Accept: ${value}`),
)
const encodingHeader = fc
  .constantFrom('', 'identity', 'gzip', 'br', 'zstd', 'gzip;q=0.5, br', '*;q=0', 'x-gzip')
  .map((value) => (value === '' ? '' : `Accept-Encoding: ${value}`))
const conditionHeader = rarely(
  fc
    .oneof(
      fc.constantFrom('*', '"x"', ...etags),
      fc.subarray(etags, { maxLength: 3 }).map((tags) => tags.join(', ')),
    )
    .map((value) => `If-None-Match: ${value}`),
)
const otherHeader = rarely(
  fc.constantFrom(
    ...[
      'Connection: close',
      'Connection: keep-alive',
      'Origin: https://app.example',
      'X-Forwarded-For: 10.1.2.3',
    ],
    ...[
      'Content-Length: 0',
      'Content-Length: 3',
      'Transfer-Encoding: chunked',
      'Expect: 100-continue',
      'Expect: x',
    ],
    ...['Upgrade: websocket', 'Accept-Version: 1', 'Range: bytes=0-1', 'Host: other', 'Cookie: a=b'],
    ...[`Authorization: ${KEYS.reader}`, `X-Long: ${'x'.repeat(MAX_HEADER_BYTES)}`, 'If-None-Match: *'],
  ),
)
const requestText = fc
  .tuple(
    fc.oneof(
      { weight: 9, arbitrary: fc.constant('GET') },
      { weight: 1, arbitrary: fc.constantFrom('HEAD', 'PUT', 'OPTIONS') },
    ),
    target,
    fc.oneof(
      { weight: 9, arbitrary: fc.constant('HTTP/1.1') },
      { weight: 1, arbitrary: fc.constant('HTTP/1.0') },
    ),
    rarely(fc.constant('no host')),
    fc.tuple(authorization, acceptHeader, encodingHeader, conditionHeader, otherHeader),
  )
  .map(([method, url, version, noHost, headers]) => {
    const lines = [`${method} ${url} ${version}`, noHost === '' ? 'Host: 127.0.0.1' : '', ...headers]
    return `${lines.filter((line) => line !== '').join('\r\n')}\r\n\r\n`
  })

let position = SCENARIO_COUNT

async function addScenario(): Promise<void> {
  position += 1
  await store.writer.transaction(async (transaction) => {
    const evaluation = await transaction.get<{ key: number }>(
      "SELECT evaluation.key FROM evaluation JOIN project ON project.key = project WHERE id = 'full' AND project.name = 'default'",
    )
    await addScenarios(transaction, evaluation?.key ?? 0, [scenario('full', position)])
  })
}

/** Changes the store or the time between two requests. */
const CHANGES: (() => Promise<unknown>)[] = [
  addScenario,
  () => store.writer.transaction((transaction) => revokeKey(transaction, revocable.public_id)),
  async () => {
    now = now === NOW ? NOW + 1000 : NOW
  },
]

const PLAIN_REQUEST = `GET /api/evaluations/empty/evaluation_scenarios HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${KEYS.reader}\r\n\r\n`

const SETTINGS = [
  { name: 'default settings', settings: {}, isDirect: true },
  { name: 'a path prefix', settings: { public_url: 'http://127.0.0.1/base' }, isDirect: true },
  { name: 'conceal', settings: { conceal: true }, isDirect: true },
  { name: 'a small cache', settings: { max_cache_bytes: 20_000 }, isDirect: true },
  { name: 'allowed origins', settings: { cors_origin: ['https://app.example'] }, isDirect: false },
  { name: 'a trusted proxy', settings: { trust_proxy: 1 }, isDirect: false },
]

for (const { name, settings, isDirect } of SETTINGS) {
  test(`responds with the same bytes, log and metrics with ${name}`, async () => {
    const pair = [await startObserved(settings, true), await startObserved(settings, false)]
    after(() => Promise.all(pair.map(({ stop }) => stop())))
    const step = fc.oneof(
      { weight: 12, arbitrary: fc.record({ text: requestText, count: fc.constantFrom(1, 1, 1, 2, 3) }) },
      { weight: 1, arbitrary: fc.constantFrom(...CHANGES) },
    )
    await fc.assert(
      fc.asyncProperty(step, async (nextStep) => {
        if (typeof nextStep === 'function') return void (await nextStep())
        // The routes respond to the first request and fill the caches.
        for (let repetition = 0; repetition < 2; repetition += 1)
          await compare(pair, nextStep.text.repeat(nextStep.count))
      }),
      // At least this request gets a direct response.
      { numRuns: sizes.direct_reads, examples: [[{ text: PLAIN_REQUEST, count: 1 }]] },
    )
    const [first, second] = await Promise.all(pair.map(requestMetrics))
    assert.deepEqual(first, second)
    compareLogs(pair)
    const hasRowCache = testOptions.engine === 'sqlite'
    assert.equal((pair[0]?.observed.directResponses ?? 0) > 0, isDirect && hasRowCache)
  })
}

test('rejects keys and old versions right after direct responses', async (t) => {
  if (testOptions.engine !== 'sqlite') return t.skip('Only SQLite has a direct path.')
  now = NOW
  const { baseUrl, observed } = await startObserved({}, true)
  const path = '/api/evaluations/full/evaluation_scenarios'
  const read = (key: string, headers: Record<string, string> = {}) =>
    sendRequest(baseUrl, path, { authorization: key, ...headers })
  /** Sends three requests, at least one of them after the caches contain the key and the response. */
  const statuses = async (key: string) => [
    (await read(key)).status,
    (await read(key)).status,
    (await read(key)).status,
  ]
  const isDirect = async (work: () => Promise<unknown>) => {
    const count = observed.directResponses
    await work()
    return observed.directResponses > count
  }
  const temporary = await createTestKey(store)
  const restricted = await restrictedKey({ evaluation_id: 'exact' })
  for (const key of [temporary.key, KEYS.expiring]) {
    assert.ok(await isDirect(async () => assert.deepEqual(await statuses(key), [200, 200, 200])))
  }
  now = NOW + 1000
  assert.equal((await read(KEYS.expiring)).status, 401)
  for (const key of [KEYS.writer, restricted, KEYS.foreign]) {
    assert.ok(!(await isDirect(async () => assert.deepEqual(await statuses(key), [403, 403, 403]))))
  }
  assert.ok(await isDirect(() => read(temporary.key)))
  await store.writer.transaction((transaction) => revokeKey(transaction, temporary.public_id))
  assert.equal((await read(temporary.key)).status, 401)
  const { etag = '' } = (await read(KEYS.reader)).headers
  const condition = { 'if-none-match': etag }
  assert.ok(await isDirect(async () => assert.equal((await read(KEYS.reader, condition)).status, 304)))
  await addScenario()
  assert.equal((await read(KEYS.reader, condition)).status, 200)
})

test('closes the connection after an error if the client asked for it, also with a cached key', async () => {
  const { port, stop } = await startTestService(store)
  after(stop)
  const lines = [
    'GET /api/variants/full/revisions?unknown=1 HTTP/1.1',
    'Host: 127.0.0.1',
    `Authorization: Bearer ${KEYS.reader}`,
    'Connection: close',
  ]
  for (let repetition = 0; repetition < 2; repetition += 1)
    assert.match(await exchange(port, `${lines.join('\r\n')}\r\n\r\n`), /^connection: close\r$/im)
})
