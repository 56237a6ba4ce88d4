// Compares SQLite and PostgreSQL: the same requests and commands must produce byte-identical responses and files. Only
// random values and current times can differ.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { openStoreAt } from '../bench/store.ts'
import { MAX_URL_BYTES } from '../src/http/request/checks.ts'
import { LIST_ORDERS, parseListOrder } from '../src/schema/filters/orders.ts'
import { generateKey, type Scope } from '../src/schema/keys.ts'
import { revokeKey } from '../src/store/access/keys.ts'
import { DELETED_PROJECT } from '../src/store/access/projects.ts'
import type { Store } from '../src/store/store.ts'
import { runAssayCommand as runAssay } from './support/command-runner/run.ts'
import { EXACT_VALUES, exactBody, fillCorpus, SPECIAL_ID } from './support/corpus.ts'
import {
  createStoreLocation,
  createTempFolder,
  createTestKey,
  type Service,
  type StoreLocation,
  startTestService,
} from './support/harness.ts'
import { type HttpResponse, sendRequest } from './support/http.ts'
import { JsonTexts, seeded } from './support/json-texts.ts'
import { reportMeasurements } from './support/measurements.ts'
import { fullOnly, POSTGRES_ONLY, testOptions } from './support/options.ts'
import {
  type Body,
  EVALUATIONS,
  gzipHeaders,
  JSON_TYPE,
  ndjsonHeaders,
  nestedArrays,
  objectWithMembers,
  revisionBody,
  revisionsPath,
  scenarioOfSize,
  scenariosPath,
  VARIANTS,
  zstdHeaders,
} from './support/write-requests.ts'

const isFull = testOptions.profile === 'full'
/** All items in the full profile, otherwise each third one. */
const sampled = <Item>(items: Item[]) => items.filter((_, index) => isFull || index % 3 === 0)

const START = Date.now()
/** The time that the services see. Only answers of reviews contain it. */
const CLOCK = Date.parse('2026-01-01T00:00:00Z')
let clockTime = CLOCK
const MAX_RECORD_BYTES = 2_000_000
const MAX_BODY_BYTES = 3_000_000

interface EngineSetup {
  location: StoreLocation
  store: Store
  service: Service
  /** A service on the same store with the setting conceal. */
  concealingService: Service
  keys: Record<string, string>
}

/** A request. Uses a key of the project default and the service without conceal unless specified. */
interface TestRequest {
  method?: string
  path: string
  body?: Body
  headers?: Record<string, string | string[]>
  /** The name of a key, or null for no key. */
  keyName?: string | null
  target?: 'service' | 'concealingService'
}

async function setUpEngine(engine: 'sqlite' | 'postgres'): Promise<EngineSetup> {
  const location = await createStoreLocation(engine)
  const store = await openStoreAt(location.url)
  after(() => store.close())
  await fillCorpus(store)
  const keyFor = async (project: string, scopes: Scope[], expires_at: string | null = null) =>
    createTestKey(store, { project, scopes, expires_at })
  const revoked = await keyFor('default', ['read'])
  await store.writer.transaction((transaction) => revokeKey(transaction, revoked.public_id))
  const keys = {
    owner: await createTestKey(store, { name: 'Owner', scopes: ['read', 'write'] }),
    default: await keyFor('default', ['read', 'write']),
    other: await keyFor('other', ['read', 'write']),
    wide: await keyFor('wide', ['read', 'write']),
    imports: await keyFor('imports', ['read', 'write']),
    reader: await keyFor('default', ['read']),
    writer: await keyFor('default', ['write']),
    expired: await keyFor('default', ['read'], new Date(CLOCK).toISOString()),
    revoked,
    unknown: generateKey(),
    mistyped: { key: `${revoked.key.slice(0, -1)}!` },
  }
  const limits = {
    max_record_bytes: MAX_RECORD_BYTES,
    max_body_bytes: MAX_BODY_BYTES,
  }
  const start = (conceal: boolean) =>
    startTestService(store, { ...limits, conceal, database: location.url }, () => clockTime)
  return {
    location,
    store,
    service: await start(false),
    concealingService: await start(true),
    keys: Object.fromEntries(Object.entries(keys).map(([name, { key }]) => [name, key])),
  }
}

const skip = POSTGRES_ONLY
const engines = skip ? [] : [await setUpEngine('sqlite'), await setUpEngine('postgres')]

/** Sends a request to both engines and asserts that the responses are equal. */
let comparedCount = 0

async function sendToBoth(
  request: TestRequest | ((engine: EngineSetup, index: number) => TestRequest),
): Promise<HttpResponse[]> {
  const requests = engines.map((engine, index) =>
    typeof request === 'function' ? request(engine, index) : request,
  )
  const responses = await Promise.all(
    engines.map((engine, index) => sendToEngine(engine, requests[index] as TestRequest)),
  )
  const [{ method = 'GET', path, headers = {} } = { path: '' }] = requests
  const name = `${method} ${path.slice(0, 200)} ${JSON.stringify(headers).slice(0, 200)}`
  const [sqliteResponse, postgresResponse] = responses.map(normalized)
  assert.deepEqual(postgresResponse?.head, sqliteResponse?.head, name)
  assertSameBytes(sqliteResponse?.bytes, postgresResponse?.bytes, name)
  assert.ok((responses[0]?.status ?? 500) < 500, `${name} ${responses[0]?.text}`)
  comparedCount += 1
  return responses
}

function sendToEngine(
  engine: EngineSetup,
  { method, path, body, headers = {}, keyName = 'default', target = 'service' }: TestRequest,
) {
  const authorization = keyName === null ? {} : { authorization: engine.keys[keyName] ?? '' }
  const type = body === undefined ? {} : { 'content-type': JSON_TYPE }
  return sendRequest(engine[target].baseUrl, path, { ...authorization, ...type, ...headers }, method, body)
}

function assertSameBytes(first: Buffer | undefined, second: Buffer | undefined, name: string): void {
  if (first && second?.equals(first)) return
  const position = first?.findIndex((byte, index) => byte !== second?.[index]) ?? -1
  const excerpts = [first, second].map((bytes) =>
    bytes?.subarray(Math.max(0, position - 60), position + 60).toString(),
  )
  assert.fail(
    `${name}: ${first?.length} and ${second?.length} bytes, different from byte ${position} on\n${excerpts.join('\n')}`,
  )
}

/** Removes the values that can differ from a response, after checking their format. */
function normalized({ status, headers, bytes, text }: HttpResponse) {
  // Whether a rejected body closes the connection depends on how much of it has arrived.
  const { date, 'x-request-id': id = '', etag, link, connection: _, 'keep-alive': __, ...others } = headers
  assert.ok(date)
  assert.match(String(id), /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)
  const withoutInstance = withoutNow(text).replace(`"instance":"${id}"`, '"instance":""')
  assert.equal(withoutInstance.includes('"instance":""'), text !== '' && status >= 400)
  const head: Record<string, unknown> = {
    status,
    ...others,
    ...(etag && { etag: withoutVersion(etag) }),
    ...(link && { link: withoutKey(String(link)) }),
  }
  // A response with current times has different compressed bytes, so its text is compared instead.
  if (withoutInstance !== text && headers['content-encoding']) delete head['content-length']
  return { head, bytes: withoutInstance === text ? bytes : Buffer.from(withoutInstance) }
}

/** The version with a baseline ends with why it was chosen, and that of a summary with the number of changed parameters. */
function withoutVersion(etag: string): string {
  const [, etagSuffix] =
    /^"[\w-]{16}(?:\.[\w-]{16})*(?:\.(?:declared|marked|previous|))?(?:\.(?:\d+|null))?-((?:json|ndjson|csv)\d+(?:-(?:gzip|br|zstd))?)"$/.exec(
      etag,
    ) ?? []
  assert.ok(etagSuffix, etag)
  return etagSuffix
}

function withoutNow(text: string): string {
  return text.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, (timeAt) =>
    Date.parse(timeAt) >= START ? 'now' : timeAt,
  )
}

/**
 * Removes the row key from the cursor of a list, and current times. Row keys differ, because SQLite reuses the keys of
 * failed writes and PostgreSQL does not.
 */
function withoutKey(link: string): string {
  return link.replace(/(?<=cursor=)[\w-]+/, (cursor) => {
    const [listHash, ...position] = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    if (position.length === 1) return cursor
    assert.ok(Number.isSafeInteger(position[1]))
    return JSON.stringify([listHash, withoutNow(position[0])])
  })
}

// Test data. It is the same in every run.

/** Statistics that are computed, and not a value of the data. */
const STATISTIC = /"(?:mean|base_mean|delta|total|pass_rate|match_rate|p_value)":(-?\d[^,}\]]*)/g

const random = seeded(12)
const pick = <Item>(items: Item[]) => items[Math.floor(random() * items.length)] as Item
const texts = new JsonTexts(3)
/** Texts without line breaks, for NDJSON. */
const lineTexts = new JsonTexts(4, ['', '', ' ', '\t'])
const NUMBERS = '-0 5e-324 1.7976931348623157e308 9223372036854775808 1e-400 0.1 null'.split(' ')

/** Code points of every Unicode plane, including noncharacters. */
const PLANES = Array.from({ length: 17 }, (_, plane) =>
  String.fromCodePoint(...[0xf4a1, 0xfffd, 0xfffe, 0xffff].map((code) => plane * 0x10000 + code)),
).join('')
/** Longer than an index entry can be. */
const LONG = String.fromCodePoint(...Array.from({ length: 3000 }, (_, n) => 0x4e00 + ((n * 7919) % 20_000)))
const WIDE_ID = '💡'.repeat(200)
/** Ids that linguistic collations sort differently than bytes, or treat as equal. */
const COLLATION_IDS = [
  ...'a A ä Z z é e\u0301 ß ss ı I i İ _a - 10 9 ﬀ か カ \uffff \u{10000} \' " \\ $1 ? % \u2028 \ufeff'.split(
    ' ',
  ),
  ' a',
  'x'.repeat(200),
  WIDE_ID,
  [...PLANES].slice(0, 60).join(''),
]

function generateScenario(texts: JsonTexts, id: string, filler = ''): string {
  const value = () => texts.value(100).loose
  const results = ['a', 'b\\u0000', '\\ud800'].map(
    (name) => `{"evaluator_config":"${name}","result":{"type":"json","value":${value()}}}`,
  )
  const parts = [
    `"id":${JSON.stringify(id)}`,
    `"inputs":[{"name":${texts.string()},"type":"json","value":${value()}},{"name":"q","type":"text","value":"${filler}"}]`,
    `"outputs":[{"result":{"type":"text","value":${value()}},"cost":${pick(NUMBERS)},"latency":${pick(NUMBERS)}},{"result":{"type":"error","error":{"message":${texts.string()}}}}]`,
    `"correct_answers":[{"key":${texts.string()},"value":${texts.string()}}]`,
    `"is_pinned":${pick(['true', 'false', 'null'])},"note":${texts.string()}`,
    `"results":[${results}]`,
    `"extra":${pick([texts.object(50).loose, 'null'])}`,
  ]
  return `{${parts.join(',')}}`
}

const generateRows = (texts: JsonTexts, count: number, filler = '') =>
  Array.from({ length: count }, (_, index) => generateScenario(texts, `s-${index}`, filler))
const toArray = (rows: string[]) => `[${rows.join(',\n')}]`
const toNdjson = (rows: string[]) => `${rows.join('\n')}\n`
const longNames = `{"id":"names","inputs":[{"name":"${LONG}","type":"${LONG}","value":1}],"results":[{"evaluator_config":"${LONG}","result":{"type":"${LONG}","value":"${LONG}"}}]}`
const manyResults = Array.from(
  { length: 9000 },
  (_, n) => `{"evaluator_config":"e${n}","result":{"type":"number","value":${n}}}`,
)
const exact = EXACT_VALUES.map((value, position) =>
  exactBody(position, value).replace('"s-', '"exact-').replace('"exact",', '"generated",'),
)

const ROWS = isFull ? 60 : 20
const LARGE: [id: string, body: Body, headers: Record<string, string>][] = [
  [
    'large/lines',
    gzipSync(toNdjson(generateRows(lineTexts, isFull ? 200 : 30, 'filled '.repeat(isFull ? 300 : 2500)))),
    { ...ndjsonHeaders, ...gzipHeaders },
  ],
  ['large one', `[{"id":"1","note":"${LONG.repeat(70)}${PLANES}"},{"id":"2"}]`, {}],
  ['large rows', zstdCompressSync(toArray(generateRows(texts, 7, LONG.repeat(10)))), zstdHeaders],
]
const WIDE_IDS = ['generated', ...LARGE.map(([id]) => id), ...COLLATION_IDS]
const GENERATED = scenariosPath('generated')
const FRESH = scenariosPath('fresh')
const FULL = scenariosPath('full')

const timeAt = (minute: number) => `2025-03-01T10:${String(minute).padStart(2, '0')}:00.000Z`
const evaluation = (id: string, minute: number, more = '') =>
  `{"id":${JSON.stringify(id)},"created_at":"${timeAt(minute)}"${more}}`
const revisionAt = (minute: number, config: string | undefined, more = '') =>
  revisionBody(config, `,"created_at":"${timeAt(minute)}"${more}`)
const idempotencyKey = (value: string) => ({ 'idempotency-key': value })
const post = (path: string, body: Body, headers = {}): TestRequest => ({
  method: 'POST',
  path,
  body,
  headers,
})
const patch = (path: string, body: string, headers = {}): TestRequest => ({
  method: 'PATCH',
  path,
  body,
  headers,
})
const remove = (path: string, headers = {}): TestRequest => ({ method: 'DELETE', path, headers })
const repeatRequest = (request: TestRequest): TestRequest[] => [request, { ...request }]
const withWideKey = (requests: TestRequest[]): TestRequest[] =>
  requests.map((request) => ({ ...request, keyName: 'wide' }))

const FIRST_WRITES: TestRequest[] = withWideKey([
  ...WIDE_IDS.map((id, index) => {
    const name = JSON.stringify(`${id}\u0000`)
    const more = `,"name":${name},"source":"\\ud800","metadata":${texts.object(20).loose}`
    // Some have the same time.
    return post(EVALUATIONS, evaluation(id, index % 20, more))
  }),
  post(GENERATED, toArray(generateRows(texts, ROWS))),
  post(
    GENERATED,
    toNdjson(generateRows(lineTexts, ROWS).map((row) => row.replace('"s-', '"l-'))),
    ndjsonHeaders,
  ),
  post(GENERATED, toArray(COLLATION_IDS.map((id) => generateScenario(texts, id)))),
  post(GENERATED, toArray([longNames, ...exact])),
  post(GENERATED, '[{"id":"z2"},{"id":"Y","extra":{}},{"id":"x"},{"id":"z2"}]'),
  ...LARGE.map(([id, body, headers]) => post(scenariosPath(id), body, headers)),
  post(revisionsPath('v'), revisionAt(1, undefined, ',"revision":2147483647')),
  post(revisionsPath('v'), revisionAt(2, `{"config_name":"${LONG}"}`, ',"revision":0,"message":"\\u0000"')),
  ...repeatRequest(
    post(
      revisionsPath('v'),
      revisionAt(3, `{"config_name":"c","parameters":${texts.object(50).loose}}`, ',"revision":7'),
    ),
  ),
  ...repeatRequest(
    patch(
      `${EVALUATIONS}/generated`,
      '{"variant_id":"v","revision":0,"baseline_id":"later"}',
      idempotencyKey('p'),
    ),
  ),
])

const LATER_WRITES: TestRequest[] = [
  ...withWideKey([
    ...COLLATION_IDS.map((id) => post(revisionsPath(id), revisionAt(4, undefined))),
    ...repeatRequest(post(VARIANTS, `{"id":"named","name":"${PLANES}"}`)),
    // More values than a PostgreSQL statement can have.
    post(scenariosPath('many'), `[{"id":"results","results":[${manyResults}]}]`),
    post(
      scenariosPath('many'),
      toNdjson(Array.from({ length: isFull ? 10_100 : 100 }, (_, n) => `{"id":"${n}"}`)),
      ndjsonHeaders,
    ),
    remove(`${EVALUATIONS}/many`),
    patch(
      `${EVALUATIONS}/large%20one`,
      `{"variant_id":"v","revision":2147483647,"evaluators":[{"name":"e\\u0000","threshold":1.0}],"metadata":{"a":1E2}}`,
    ),
    patch(`${GENERATED}/s-3`, '{"is_pinned":true,"note":"\\u0000\\ud800"}', idempotencyKey('n')),
    ...repeatRequest(
      patch(
        `${GENERATED}/${encodeURIComponent(WIDE_ID)}`,
        `{"note":"${LONG}"}`,
        idempotencyKey('~'.repeat(255)),
      ),
    ),
    ...repeatRequest(
      post(scenariosPath(WIDE_ID), '[{"id":"a"}]', {
        ...idempotencyKey('~'.repeat(255)),
        'transfer-encoding': 'chunked',
      }),
    ),
  ]),
  post(scenariosPath('created by its scenarios'), '[{"id":"a"}]'),
  ...repeatRequest(post(FULL, '[{"id":"s-25","note":"after the others"}]', idempotencyKey('once'))),
  post(EVALUATIONS, '{"id":"old","created_at":"0000-01-01T00:00:00Z"}'),
  post(
    EVALUATIONS,
    evaluation(
      'tagged',
      8,
      ',"status":"running","expected_count":1E2,"tags":["nightly","ü, \\"\\ud83d\\udca1\\""]',
    ),
  ),
  patch(`${EVALUATIONS}/tagged`, '{"status":"failed","expected_count":null}'),
  patch(`${VARIANTS}/full`, '{"name":"Renamed \\u0000"}'),
  patch(`${VARIANTS}/full`, '{"name":null}'),
  post(EVALUATIONS, evaluation('of full', 6, ',"variant_id":"full","revision":3')),
  ...repeatRequest(remove(`${VARIANTS}/full`, idempotencyKey('gone'))),
  post(revisionsPath('full'), revisionAt(5, undefined)),
  post(EVALUATIONS, evaluation('again', 7)),
  post(scenariosPath('again'), '[{"id":"a"}]'),
  remove(`${EVALUATIONS}/again`),
  post(EVALUATIONS, evaluation('again', 7)),
]

/** Writes that fail after some rows were written, and are rolled back. */
const ROLLED_BACK_WRITES: TestRequest[] = [
  post(FRESH, '[{"id":"a"},{"id":"a","inputs":[]},{"id":"a","extra":{}}]'),
  post(FRESH, '[{"id":"a"},{"id":"b"},{"id":"a","outputs":[{"result":{"type":"t"}}]}]', idempotencyKey('c')),
  post(FRESH, toNdjson([...Array(500).fill('{"id":"a"}'), '{"id":"a","extra":{}}']), ndjsonHeaders),
]

const INVALID_UTF8 = sampled([[0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xc0, 0x80], [0xff], [0x00]])
const INVALID_IDS = sampled([
  '%00',
  'a%00b',
  '%7F',
  'x'.repeat(201),
  'x'.repeat(9000),
  '%C2%85',
  '%zz',
  '.%2e',
  '%ED%A0%80',
])

const REJECTED_WRITES: TestRequest[] = [
  ...withWideKey([
    post(GENERATED, toArray(generateRows(texts, 3))),
    post(revisionsPath('v'), revisionBody('{"config_name":"other"}', ',"revision":7')),
    post(revisionsPath('v'), revisionBody('{"config_name":"after the last"}')),
    patch(`${EVALUATIONS}/generated`, '{"name":"another body"}', idempotencyKey('p')),
  ]),
  post(FULL, '[{"id":"new"},{"id":"s-3"}]'),
  post(EVALUATIONS, '{"id":"full"}'),
  post(VARIANTS, '{"id":"full","name":"Other"}', idempotencyKey('v')),
  patch(`${EVALUATIONS}/full`, '{"variant_id":"full","revision":77}'),
  patch(`${EVALUATIONS}/full`, '{"variant_id":"nowhere"}'),
  patch(`${EVALUATIONS}/empty`, '{"revision":1}'),
  post(EVALUATIONS, '{"id":"fresh","variant_id":"full","revision":2147483648}'),
  post(EVALUATIONS, '{"id":"fresh","created_at":"2025-02-30T00:00:00Z"}'),
  post(EVALUATIONS, '{"id":"\\u0000"}'),
  post(EVALUATIONS, '{"id":"\\ud800","variant_id":"\\u0000","baseline_id":"\\udfff"}'),
  post(FRESH, '[{"id":"a"},{"id":"b"'),
  post(FRESH, '{"id":"a"}\n{"id":"b"\n', ndjsonHeaders),
  post(
    FRESH,
    `[{"id":"a","extra":{"a":${nestedArrays(200)}}},{"id":1},{"id":"b","extra":${objectWithMembers(10_001)}}]`,
  ),
  post(FRESH, '{"id":"a"}'),
  post(FRESH, `[${scenarioOfSize(MAX_RECORD_BYTES + 1)}]`),
  post(FRESH, toArray([scenarioOfSize(1_900_000), scenarioOfSize(1_900_000)])),
  post(FRESH, gzipSync(toArray([scenarioOfSize(1_900_000), scenarioOfSize(1_900_000)])), gzipHeaders),
  post(FRESH, 'not compressed', gzipHeaders),
  post(FRESH, '[]', { 'content-type': 'text/csv' }),
  post(FRESH, '[]', { 'content-encoding': 'br' }),
  post(FRESH, '[]', idempotencyKey('two words')),
  { ...post(FRESH, '[]'), keyName: 'reader' },
  remove(`${EVALUATIONS}/foreign`),
  remove(`${VARIANTS}/nowhere`, idempotencyKey('d')),
  patch(`${FULL}/nowhere`, '{"note":"x"}'),
  patch(`${EVALUATIONS}/foreign`, '{"name":"x"}'),
  ...INVALID_UTF8.flatMap((bytes) =>
    ['[{"id":"x","note":"', '[{"id":"', '[{"extra":{"'].map((head) =>
      post(FRESH, Buffer.concat([Buffer.from(head), Buffer.from(bytes), Buffer.from('"}]')])),
    ),
  ),
  ...INVALID_IDS.flatMap((id) => [
    post(`${EVALUATIONS}/${id}/evaluation_scenarios`, '[{"id":"a"}]', idempotencyKey('odd')),
    patch(`${EVALUATIONS}/${id}`, '{"name":"x"}', idempotencyKey('odd')),
    patch(`${FULL}/${id}`, '{"note":"x"}', idempotencyKey('odd')),
    remove(`${EVALUATIONS}/${id}`, idempotencyKey('odd')),
    post(`${VARIANTS}/${id}/revisions`, revisionBody(), idempotencyKey('odd')),
    remove(`${VARIANTS}/${id}`, idempotencyKey('odd')),
  ]),
]

const VALID_WRITES = [...FIRST_WRITES, ...LATER_WRITES]
const WRITES = [...interleave(FIRST_WRITES, ROLLED_BACK_WRITES), ...interleave(LATER_WRITES, REJECTED_WRITES)]

function interleave(valid: TestRequest[], rejected: TestRequest[]): TestRequest[] {
  const each = Math.ceil(rejected.length / valid.length)
  return valid.flatMap((request, index) => [request, ...rejected.slice(index * each, (index + 1) * each)])
}

const INVALID_QUERIES = [
  ...'limit=0 limit=1001 limit=1e1 limit=1&limit=2 format=xml include= unknown=1 %zz=1 cursor='.split(' '),
  ...['"x"', '1.5', '9007199254740993'].map((position) => `cursor=${cursorOf(FULL, position)}`),
  `cursor=${cursorOf(GENERATED, '1')}`,
  `_=${'x'.repeat(MAX_URL_BYTES)}`,
]

const REJECTED_READS: TestRequest[] = [
  ...INVALID_QUERIES.map((query) => ({ path: `${FULL}?${query}` })),
  ...['"\\u0000",1', '"x",1.5', '"x",1e300', '1,1', '"x"'].map((position) => ({
    path: `${EVALUATIONS}?cursor=${cursorOf(EVALUATIONS, position)}`,
  })),
  ...[null, 'expired', 'revoked', 'unknown', 'mistyped', 'writer', 'other'].map((keyName) => ({
    path: FULL,
    keyName,
  })),
  ...['foreign', 'nowhere'].flatMap((id) =>
    [scenariosPath(id), revisionsPath(id)].flatMap((path): TestRequest[] => [
      { path },
      { method: 'HEAD', path },
    ]),
  ),
  ...INVALID_IDS.flatMap((id) => [
    { path: `${EVALUATIONS}/${id}/evaluation_scenarios` },
    { path: `${VARIANTS}/${id}/revisions` },
  ]),
  { path: '/api/nowhere' },
  { path: '/%00' },
  { method: 'PUT', path: FULL },
  { method: 'POST', path: '/livez' },
  { path: FULL, headers: { accept: 'image/png' } },
  { path: FULL, headers: { 'accept-encoding': 'identity;q=0, deflate' } },
  { path: EVALUATIONS, headers: { accept: 'text/csv' } },
]

/** Returns the path of the read that shows the effect of a write. */
function readPathOf({ path }: TestRequest): string | undefined {
  const [, noun, id] = /^\/api\/(evaluations|variants)\/([^/]+)/.exec(path) ?? []
  if (!noun) return undefined
  return `/api/${noun}/${id}/${noun === 'evaluations' ? 'evaluation_scenarios' : 'revisions'}`
}

const ENCODINGS = ['identity', 'gzip', 'br', 'zstd']
const acceptEncoding = (encoding: string) => ({ 'accept-encoding': encoding })
const inProject = (keyName: string, ids: string[]) => ids.map((id): [string, string] => [keyName, id])
const STORED = [
  ...inProject('default', [
    'full',
    'empty',
    SPECIAL_ID,
    'exact',
    'of full',
    'again',
    'created by its scenarios',
  ]),
  ...inProject('other', ['foreign', 'shared']),
  ...inProject('wide', WIDE_IDS),
]
const DETAILED_IDS = ['full', SPECIAL_ID, 'exact', 'generated', ...LARGE.map(([id]) => id)]
const DETAILED = STORED.filter(([, id]) => DETAILED_IDS.includes(id))
/** Ids that sort differently are read in lists too, so the quick profile reads only each third by itself. */
const SINGLE = STORED.filter(([, id], index) => isFull || DETAILED_IDS.includes(id) || index % 3 === 0)
const PAGES = ['limit=30&include=extra&format=ndjson', 'limit=7', 'limit=1000', 'limit=50&format=csv']
/** List positions for cursors that the service never issued. */
const LIST_POSITIONS = [
  '"",0',
  '"x",-9007199254740991',
  '":",9007199254740991',
  '"\\ud800",1',
  '"2025-03-01T10:05",3',
]
const FILTERS = [
  'tags=has.nightly',
  `tags=has.nightly&tags=has.${encodeURIComponent('ü, "💡"')}`,
  'tags=has.night',
  'tags=has.%00',
  'status=eq.failed',
  'status=in.(running,finished)&name=ne.x',
  'name=ne.x',
  'name=contains.u',
  `name=contains.${encodeURIComponent('ü💡')}`,
  'name=eq.%00',
  'variant_id=eq.full&revision=lte.1',
  `variant_id=ne.${encodeURIComponent(SPECIAL_ID)}`,
  'revision=gt.0',
  'created_at=lt.2026-10-03T00:00:00Z',
  'created_at=gte.2026-10-02T08:00:00.000Z&name=ne.Evaluation+full',
  'name=x',
  'name=in.(x,%22Evaluation+full%22)&revision=in.(1,2)',
  'q=U&source=ne.x',
  'order=name.asc',
  'order=name.desc&created_at=gte.2026-10-02',
  'revision=eq.2147483648',
]
const SCENARIO_POSITIONS = ['9007199254740991', '-9007199254740991', '-0', '1e15', '5']

/** Reads all pages of both engines by their own links. Returns the number of pages. */
async function followPages(first: string, keyName: string, headers: Record<string, string>): Promise<number> {
  let targets: (string | undefined)[] = engines.map(() => first)
  let pages = 0
  for (; targets[0] !== undefined; pages += 1) {
    const responses = await sendToBoth((_, index) => ({ path: targets[index] ?? '', keyName, headers }))
    targets = responses.map(({ headers: { link } }) => /^<(.*)>; rel="next"$/.exec(String(link))?.[1])
  }
  return pages
}

describe('SQLite and PostgreSQL', { skip }, () => {
  test('return the same responses to valid and invalid writes, and change the same ETags', async () => {
    const etags = engines.map(() => new Map<string, unknown>())
    const statuses = new Set<number>()
    for (const request of WRITES) {
      const [response] = await sendToBoth(request)
      const status = response?.status ?? 0
      statuses.add(status)
      const name = `${request.method} ${request.path.slice(0, 100)} ${String(request.body).slice(0, 200)} ${response?.text}`
      assert.equal(status < 300, VALID_WRITES.includes(request), name)
      const path = readPathOf(request)
      if (path === undefined || status === 404) continue
      const heads = await sendToBoth({
        method: 'HEAD',
        path,
        ...(request.keyName && { keyName: request.keyName }),
      })
      const hasChanged = heads.map(({ headers }, index) => {
        const oldEtag = etags[index]?.get(path)
        etags[index]?.set(path, headers.etag)
        return headers.etag !== oldEtag
      })
      assert.equal(hasChanged[0], hasChanged[1], name)
    }
    // The full profile also writes to an id that is longer than a URL can be.
    const tooLong = isFull ? [414] : []
    const expected = [200, 201, 204, 400, 403, 404, 409, 413, ...tooLong, 415, 422]
    assert.deepEqual([...statuses].sort(), expected)
  })

  test('store the same rows, including derived data', async () => {
    const tables = ['scenario', 'measure', 'result', 'input', 'evaluation_column']
    for (const table of [...tables, 'revision']) {
      const owner = table === 'revision' ? 'variant' : 'evaluation'
      const [sqliteResponse, postgresResponse] = await Promise.all(
        engines.map(async ({ store }) => {
          const rows = await store.reader.all<Record<string, unknown>>(
            `SELECT project.name AS project_name, ${owner}.id AS owner_id, ${table}.* FROM ${table}
             JOIN ${owner} ON ${owner}.key = ${table}.${owner} JOIN project ON project.key = ${owner}.project
             WHERE project.key <> ${DELETED_PROJECT}`,
          )
          return rows.map(({ [owner]: _, ...row }) => lineOf(row)).sort()
        }),
      )
      assert.deepEqual(postgresResponse, sqliteResponse, table)
      assert.ok((sqliteResponse?.length ?? 0) > 10, table)
    }
  })

  test('return the same whole lists in every format and encoding, with and without extra', async () => {
    for (const [keyName, id] of SINGLE) {
      const isDetailed = DETAILED_IDS.includes(id)
      // Another test compresses the large ones.
      const isEncoded = isFull ? isDetailed : id === DETAILED_IDS[0]
      const encodings = isEncoded && !LARGE.some(([large]) => large === id) ? ENCODINGS : ['identity']
      for (const noun of ['evaluation', 'variant']) {
        const path = noun === 'evaluation' ? scenariosPath(id) : revisionsPath(id)
        const includes = noun === 'evaluation' ? ['', '&include=extra'] : ['']
        for (const format of isDetailed ? ['json', 'ndjson', 'csv'] : ['json'])
          for (const include of isDetailed ? includes : includes.slice(-1))
            for (const encoding of encodings)
              await sendToBoth({
                path: `${path}?format=${format}${include}`,
                keyName,
                headers: acceptEncoding(encoding),
              })
        await sendToBoth({ method: 'HEAD', path, keyName })
      }
    }
  })

  test('stream large lists and compress them to the same bytes', async () => {
    for (const [id] of LARGE) {
      const [withoutInstance] = await sendToBoth({ path: scenariosPath(id), keyName: 'wide' })
      assert.ok((withoutInstance?.bytes.length ?? 0) > 512 * 1024, `${id} ${withoutInstance?.bytes.length}`)
      for (const encoding of ENCODINGS) {
        const [response] = await sendToBoth({
          path: scenariosPath(id),
          keyName: 'wide',
          headers: acceptEncoding(encoding),
        })
        assert.equal(response?.text, withoutInstance?.text)
      }
    }
  })

  test('return 304 for the same conditions', async () => {
    for (const [keyName, id] of DETAILED) {
      const path = scenariosPath(id)
      const responses = await sendToBoth({ path, keyName, headers: acceptEncoding('gzip') })
      const etag = (index: number) => responses[index]?.headers.etag ?? ''
      const conditions: [ifNoneMatch: (index: number) => string, status: number][] = [
        [(index) => etag(index), 304],
        [(index) => `W/${etag(index)}`, 304],
        [(index) => `"x", ${etag(index)}`, 304],
        [() => '*', 304],
        [(index) => etag(1 - index), 200],
        [(index) => etag(index).replace('-gzip', ''), 200],
      ]
      for (const [ifNoneMatch, status] of conditions) {
        const [response] = await sendToBoth((_, index) => {
          return {
            path,
            keyName,
            headers: { ...acceptEncoding('gzip'), 'if-none-match': ifNoneMatch(index) },
          }
        })
        assert.equal(response?.status, status)
      }
    }
  })

  test('return the same pages of scenarios, revisions and lists', async () => {
    for (const [keyName, id] of DETAILED)
      for (const query of sampled(PAGES))
        await followPages(`${scenariosPath(id)}?${query}`, keyName, acceptEncoding('gzip'))
    assert.equal(await followPages(`${revisionsPath('v')}?limit=1`, 'wide', {}), 3)
    for (const keyName of ['default', 'other', 'wide']) {
      for (const list of [EVALUATIONS, VARIANTS]) {
        for (const encoding of sampled(ENCODINGS))
          await sendToBoth({ path: list, keyName, headers: acceptEncoding(encoding) })
        await sendToBoth({ method: 'HEAD', path: list, keyName })
        for (const limit of isFull ? [1, 3, 1000] : [7])
          await followPages(`${list}?limit=${limit}`, keyName, acceptEncoding('br'))
      }
    }
    assert.equal(await followPages(`${EVALUATIONS}?limit=5`, 'wide', {}), Math.ceil(WIDE_IDS.length / 5))
  })

  test('return the same single items, diffs and filtered lists', async () => {
    for (const [keyName, id] of SINGLE) {
      await sendToBoth({ path: `${EVALUATIONS}/${encodeURIComponent(id)}`, keyName })
      await sendToBoth({ path: `${VARIANTS}/${encodeURIComponent(id)}`, keyName })
      await sendToBoth({ path: `${revisionsPath(id)}?include=changes,message`, keyName })
      for (const numbers of sampled(['0', '1', '7', '0/diff/1', '1/diff/2', '2/diff/9']))
        await sendToBoth({ path: `${revisionsPath(id)}/${numbers}`, keyName })
    }
    await sendToBoth({
      path: `${revisionsPath('full')}?include=changes&format=ndjson`,
      headers: acceptEncoding('gzip'),
    })
    for (const filter of FILTERS) {
      await followPages(`${EVALUATIONS}?limit=${isFull ? 2 : 100}&${filter}`, 'default', {})
    }
  })

  test('handle cursors that the service never issued in the same way', async () => {
    // Update times differ between the stores.
    for (const list of [EVALUATIONS, VARIANTS])
      for (const text of LIST_ORDERS.filter((order) => !order.startsWith('updated_at')))
        for (const position of sampled(LIST_POSITIONS)) {
          const cursor = cursorOf(list + JSON.stringify([[], parseListOrder(text)]), position)
          const path = `${list}?limit=3&order=${text}&cursor=${cursor}`
          const [response] = await sendToBoth({ path, keyName: 'wide' })
          assert.equal(response?.status, 200, path)
        }
    for (const position of sampled(SCENARIO_POSITIONS))
      for (const query of ['', 'limit=3&', 'format=csv&'])
        await sendToBoth({
          path: `${GENERATED}?${query}cursor=${cursorOf(GENERATED, position)}`,
          keyName: 'wide',
        })
  })

  test('return the same errors for invalid reads, with and without conceal', async () => {
    const statuses = new Set<number>()
    for (const target of ['service', 'concealingService'] as const) {
      for (const request of REJECTED_READS) {
        const [response] = await sendToBoth({ ...request, target })
        assert.ok(response && response.status >= 400, `${request.path.slice(0, 100)} ${response?.status}`)
        statuses.add(response.status)
      }
    }
    assert.deepEqual([...statuses].sort(), [400, 401, 403, 404, 405, 406, 414])
  })

  test('return 414 for an id that exceeds the maximum URL length', async () => {
    const [response] = await sendToBoth({ path: scenariosPath('x'.repeat(MAX_URL_BYTES + 1)) })
    assert.equal(response?.status, 414)
  })

  const runExport = (engine: EngineSetup, project: string, id: string, ...flags: string[]) =>
    runAssay(['export', id, '--project', project, ...engine.location.flags, ...flags])

  test('export the same files, and fail with the same messages', async () => {
    type Export = [project: string, id: string, code: number, ...flags: string[][]]
    const largeExport: Export = ['wide', 'large/lines', 0, ['--full']]
    // The service sends the other formats: see above.
    const formats = (isFull ? ['json', 'ndjson', 'csv'] : ['csv']).map((format) => ['--format', format])
    const exports: Export[] = [
      ['wide', 'generated', 0, ...formats, ['--full']],
      ...(isFull ? [largeExport] : []),
      ['default', SPECIAL_ID, 0, ['--full']],
      ['default', 'nowhere', 1, []],
    ]
    for (const [project, id, code, ...all] of exports) {
      for (const flags of all) {
        const [sqliteResponse, postgresResponse] = await Promise.all(
          engines.map((engine) => runExport(engine, project, id, ...flags)),
        )
        assert.ok(sqliteResponse && postgresResponse)
        assert.deepEqual(
          [postgresResponse.code, postgresResponse.stderr],
          [sqliteResponse.code, sqliteResponse.stderr],
        )
        assert.equal(sqliteResponse.code, code, sqliteResponse.stderr)
        const files = [sqliteResponse, postgresResponse].map(({ stdout }) => Buffer.from(withoutNow(stdout)))
        assertSameBytes(files[0], files[1], `${id} ${flags}`)
      }
    }
  })

  test('import the full export of the other engine and export the same bytes again', {
    skip: fullOnly('starts a command per evaluation; export.test.ts checks one engine'),
  }, async () => {
    const files = engines.map(() => join(createTempFolder(), 'full.ndjson'))
    for (const [index, engine] of engines.entries())
      assert.equal(
        (await runExport(engine, 'wide', 'generated', '--full', '--output', files[index] ?? '')).code,
        0,
      )
    for (const [index, engine] of engines.entries()) {
      const file = files[1 - index] ?? ''
      const { code, stderr } = await runAssay([
        'import',
        file,
        '--project',
        'restored',
        ...engine.location.flags,
      ])
      assert.equal(code, 0, stderr)
      const { stdout } = await runExport(engine, 'restored', 'generated', '--full')
      assertSameBytes(readFileSync(file), Buffer.from(stdout), file)
    }
  })

  test('import files of other tools with the same result', {
    skip: fullOnly('imports all fixtures into both engines'),
  }, async () => {
    const folder = new URL('./fixtures/import/', import.meta.url)
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(json|jsonl|csv|tsv|eval)$/.test(name) && !name.includes('expected'))
      .sort()
    for (const name of files) {
      const body = readFileSync(new URL(name, folder))
      // lm-evaluation-harness writes two files per run, but only one is sent here.
      const [{ status = 0, text = '' } = {}] = await sendToBoth({
        method: 'POST',
        // Some files contain the same run.
        path: `/api/imports?name=${encodeURIComponent(name)}&on_conflict=replace`,
        body,
        keyName: 'imports',
      })
      assert.ok(status === 200 || name.startsWith('lm-eval'), `${name}: ${text}`)
      if (status !== 200) continue
      const { evaluations, variants } = JSON.parse(text) as Record<string, { id: string }[]>
      for (const { id } of evaluations ?? [])
        await sendToBoth({
          path: `${scenariosPath(encodeURIComponent(id))}?include=extra`,
          keyName: 'imports',
        })
      for (const { id } of variants ?? [])
        await sendToBoth({ path: revisionsPath(encodeURIComponent(id)), keyName: 'imports' })
    }
    await sendToBoth({ path: EVALUATIONS, keyName: 'imports' })
  })

  test('return the same statistics, with 12 significant digits', async () => {
    const numbers = (count: number, numberAt: (row: number) => number | string) =>
      Array.from({ length: count }, (_, row) => numberAt(row))
    const draw = () => random() * 10 ** Math.floor(random() * 8 - 4)
    const count = isFull ? 500 : 80
    const lists: (number | string)[][] = [
      numbers(500, () => 0.00123),
      numbers(10, () => 0.1),
      numbers(count, (row) => (row % 2 === 0 ? 0.1 : 0.3)),
      numbers(count, draw),
      numbers(count, () => draw() - draw()),
      numbers(count, () => pick(NUMBERS.filter((text) => text !== 'null' && text !== '1e400'))),
      numbers(count, () => pick([1e300, -1e300, 5e-324, 1e16, -1e16, 1, 0.7])),
    ]
    await sendToBoth(post(revisionsPath('statistics'), revisionAt(1, undefined)))
    for (const [index, list] of lists.entries()) {
      // Ids differ, so that rows are paired by inputs. Some rows have repeats.
      const repeats = 1 + (index % 3)
      const rows = list.map((value, row) => {
        const result = row % 50 === 7 ? `${row % 100 === 7}` : value
        return `{"id":"${index}-${row}","inputs":[{"name":"n","type":"number","value":${Math.floor(row / repeats)}}],"outputs":[{"result":{"type":"text","value":"x"},"cost":${String(value).replace(/^-/, '')},"latency":${value}}],"results":[{"evaluator_config":"e","result":{"type":"number","value":${result}}},{"evaluator_config":"v","result":{"type":"bool","value":${row % 3 === 0}}},{"evaluator_config":"f","result":{"type":"number","value":${list.at(-1 - row)}}}]}`
      })
      const more = `,"evaluators":[{"name":"e","threshold":0.1}],"variant_id":"statistics","revision":1,"baseline_id":"statistics-${(index + 1) % lists.length}"`
      const id = `statistics-${index}`
      await sendToBoth(post(EVALUATIONS, evaluation(id, index, more)))
      const [response] = await sendToBoth(post(scenariosPath(id), toArray(rows)))
      assert.equal(response?.status, 201, response?.text ?? '')
    }
    const checkDigits = ([response]: HttpResponse[]) => {
      assert.equal(response?.status, 200, response?.text ?? '')
      for (const [, value = ''] of (response?.text ?? '').matchAll(STATISTIC))
        assert.equal(Number(Number(value).toPrecision(12)), Number(value), value)
    }
    for (const index of lists.keys()) {
      const path = `${EVALUATIONS}/statistics-${index}/summary`
      for (const query of sampled([
        '?base=statistics-3&result.v=is.true',
        '?base=statistics-2',
        '?base=',
        '?latency=gt.0.05',
        '',
      ]))
        checkDigits(await sendToBoth({ path: `${path}${query}` }))
      for (const query of sampled([
        'evaluator=f&with=e&latency=gt.0.05',
        'evaluator=e&with=f',
        'evaluator=e&with=v',
      ]))
        checkDigits(await sendToBoth({ path: `${EVALUATIONS}/statistics-${index}/agreement?${query}` }))
      const other = (index + 1) % lists.length
      const pair = `evaluation=statistics-${index}&evaluation=statistics-${other}`
      for (const by of sampled(['auto', 'position', 'input.n']))
        checkDigits(await sendToBoth({ path: `/api/comparisons?${pair}&by=${by}` }))
    }
    const all = lists.map((_, index) => `evaluation=statistics-${index}`).join('&')
    for (const on of ['e', 'v', 'f']) {
      checkDigits(await sendToBoth({ path: `/api/leaderboards?${all}&on=${on}&by=position` }))
      await sendToBoth({ path: `/api/leaderboards/rows?${all}&on=${on}&by=position&limit=50` })
    }
    checkDigits(await sendToBoth({ path: `${EVALUATIONS}?include=scores,base&limit=100` }))
    checkDigits(await sendToBoth({ path: `${revisionsPath('statistics')}?include=evaluations,base` }))
    const [sqliteResponse] = await sendToBoth({ path: `${EVALUATIONS}/statistics-0/summary` })
    assert.equal(JSON.parse(sqliteResponse?.text ?? '').cost.mean, 0.00123)
    assert.equal(JSON.parse(sqliteResponse?.text ?? '').cost.total, 0.615)
  })

  test('return the same responses to a random sequence of review operations', async () => {
    const rowIds = [...COLLATION_IDS.slice(0, isFull ? 40 : 12), SPECIAL_ID]
    const labels = ['ä', 'a', '\uffff', '💡', 'wrong deadline']
    const names = ['Zoë', 'ana', '💡', '\uffff']
    const of = (review: string, path = '') => `/api/reviews/${review}${path}`
    for (const id of ['reviewed', 'reviewed before']) {
      await sendToBoth(post(EVALUATIONS, evaluation(id, 1)))
      await sendToBoth(post(scenariosPath(id), toArray(rowIds.map((row) => generateScenario(texts, row)))))
    }
    const question = { evaluator: 'verdict', type: 'verdict', labels }
    const create = (id: string, evaluation: string, body: object) =>
      sendToBoth(
        post(`${EVALUATIONS}/${encodeURIComponent(evaluation)}/reviews`, JSON.stringify({ id, ...body })),
      )
    await create('all', 'reviewed', {
      questions: [question, { evaluator: 'grade', type: 'number' }, { evaluator: 'topic', type: 'label' }],
      reviewers_per_row: 2,
      overlap: 0.4,
    })
    const filtered = { filters: { is_pinned: ['is.true'] }, sample: { rows: 9, seed: 2 } }
    await create('filtered', 'reviewed', { ...filtered, questions: [{ ...question, evaluator: 'second' }] })
    await create('before', 'reviewed before', { questions: [question] })
    const evaluators = { all: ['verdict', 'grade', 'topic'], filtered: ['second'], before: ['verdict'] }
    const reviews = Object.keys(evaluators) as (keyof typeof evaluators)[]
    for (const engine of engines)
      for (const review of reviews)
        for (const name of names) {
          const body = JSON.stringify({ confined_to: { review_id: review }, name })
          const { status, text } = await sendToEngine(engine, post('/api/shares', body))
          assert.equal(status, 201, text)
          engine.keys[`${review} ${name}`] = JSON.parse(text).key
        }

    const values = [true, false, null, 4.5, -0, 1e300, 'ä', 'topic', '\ud800']
    const answer = (evaluator: string) => ({
      evaluator,
      value: pick(
        evaluator === 'grade' ? values.slice(2, 6) : evaluator === 'topic' ? labels : values.slice(0, 3),
      ),
      labels: labels.filter(() => random() < 0.3),
      note: pick([null, 'Odd.', PLANES]),
    })
    const statuses = new Map<string, number>()
    for (let step = 0; step < (isFull ? 500 : 90); step += 1) {
      clockTime += Math.floor(random() * 90_000)
      const review = pick(reviews)
      const keyName = random() < 0.85 ? `${review} ${pick(names)}` : 'owner'
      const answers = `/answers/${encodeURIComponent(pick(rowIds))}`
      const body = evaluators[review].map(answer)
      // Some have a value of another type, or too few answers.
      const sent =
        random() < 0.9 ? body : body.map((one) => ({ ...one, value: pick(values) })).slice(step % 2)
      const [from, to] = [labels.filter(() => random() < 0.4), pick(labels)]
      const change = pick([
        { overlap: random() },
        { reviewers_per_row: 1 + Math.floor(random() * 3) },
        { sample: pick([null, { rows: 10, seed: 7 }]) },
        { name: pick(labels) },
      ])
      const put = {
        method: 'PUT',
        path: of(review, answers),
        body: JSON.stringify({ answers: sent }),
        keyName,
      }
      const operations: [share: number, request: TestRequest][] = [
        [0.6, put],
        [0.7, { ...remove(of(review, answers)), keyName }],
        [
          0.85,
          { path: of(review, pick(['/next', `/next?after=${encodeURIComponent(pick(rowIds))}`])), keyName },
        ],
        [0.93, patch(of(review), JSON.stringify(change))],
        [1, post(of(review, '/labels'), JSON.stringify({ evaluator: body[0]?.evaluator, labels: from, to }))],
      ]
      const share = random()
      const [, request] = operations.find(([end]) => share < end) ?? assert.fail()
      const [response] = await sendToBoth(request)
      const name = `${request.method ?? 'GET'} ${(response?.status ?? 0) < 300}`
      statuses.set(name, (statuses.get(name) ?? 0) + 1)
      if (step % 15 !== 14) continue
      const reviewer = `${review} ${pick(names)}`
      const [report] = await sendToBoth({ path: of(review) })
      assert.equal(report?.status, 200, report?.text ?? '')
      await sendToBoth({ path: of(review, '/rows') })
      for (const path of ['/rows', '/form']) await sendToBoth({ path: of(review, path), keyName: reviewer })
      await sendToBoth({ path: `${scenariosPath('reviewed')}?include=extra` })
      await sendToBoth({
        path: `${EVALUATIONS}/reviewed/rows?result.verdict=is.true&order=result.grade.desc`,
      })
      await sendToBoth({ path: `${EVALUATIONS}/reviewed/summary` })
    }
    for (const method of ['PUT', 'DELETE', 'GET', 'PATCH', 'POST'])
      assert.ok((statuses.get(`${method} true`) ?? 0) > 0, `${method} never succeeded: ${[...statuses]}`)
    const [compared] = await sendToBoth({
      path: '/api/comparisons/labels?evaluation=reviewed+before&evaluation=reviewed&on=verdict',
    })
    assert.ok(JSON.parse(compared?.text ?? '').labels.length > 0, compared?.text ?? '')
    const [first, second] = await Promise.all(
      engines.map((engine) => runExport(engine, 'default', 'reviewed', '--full')),
    )
    assert.match(first?.stdout ?? '', /"answered_at":"2026-01-01T0/)
    const files = [first, second].map((run) => Buffer.from(withoutNow(run?.stdout ?? '')))
    assertSameBytes(files[0], files[1], 'full export')
    await sendToBoth(remove(of('all')))
    await sendToBoth({ path: `${scenariosPath('reviewed')}?include=extra` })
    clockTime = CLOCK
  })

  test('pass assay check with the same counts', async () => {
    const [sqliteResponse, postgresResponse] = await Promise.all(
      engines.map(({ location }) => runAssay(['check', '--json', ...location.flags])),
    )
    assert.ok(sqliteResponse && postgresResponse)
    assert.equal(sqliteResponse.code, 0, sqliteResponse.stdout)
    assert.deepEqual(postgresResponse, sqliteResponse)
  })

  test('return the same bytes after assay copy from one to the other', async (t) => {
    const [sqlite, postgres] = engines as [EngineSetup, EngineSetup]
    const copies: [from: EngineSetup, to: EngineSetup, project: string][] = [
      [sqlite, postgres, 'default'],
      [postgres, sqlite, 'default'],
      [sqlite, postgres, 'wide'],
    ]
    for (const [from, to, project] of sampled(copies)) {
      const copiedProject = `copy of ${project}`
      const projects = ['--project', project, '--to-project', copiedProject]
      const { code, stderr } = await runAssay(['copy', from.location.url, to.location.url, ...projects])
      assert.deepEqual([code, stderr], [0, ''])
      const { key } = await createTestKey(to.store, { project: copiedProject })
      for (const [, id] of SINGLE.filter(([keyName]) => keyName === project))
        for (const path of [`${scenariosPath(id)}?include=extra,has_generated_id`, revisionsPath(id)]) {
          const authorization = from.keys[project] ?? ''
          const original = await sendRequest(from.service.baseUrl, path, { authorization })
          const copied = await sendRequest(to.service.baseUrl, path, { authorization: key })
          assert.equal(copied.status, original.status, path)
          // The body of an error contains the id of the request.
          if (original.status === 200) assert.equal(copied.text, original.text, path)
          comparedCount += 1
        }
    }
    reportMeasurements(t, { cases: comparedCount, wrong: 0 })
  })
})

function cursorOf(list: string, position: string): string {
  const listHash = createHash('sha256').update(list).digest('base64url').slice(0, 12)
  return Buffer.from(`["${listHash}",${position}]`).toString('base64url')
}

function lineOf(row: Record<string, unknown>): string {
  const values = Object.entries(row).map(([name, value]) => [
    name,
    value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value,
  ])
  return JSON.stringify(Object.fromEntries(values))
}
