// Both engines side by side: whatever is written to them and asked of them over HTTP and by commands, their
// answers are the same to the byte. Only what is random or taken from the clock may differ, and only in its value.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { openAt } from '../bench/store.ts'
import { mintKey, type Scope } from '../src/schema/keys.ts'
import { revokeKey } from '../src/store/keys.ts'
import type { Store } from '../src/store/store.ts'
import { EXACT_VALUES, exactBody, fillCorpus, ODD_ID } from './corpus.ts'
import {
  assay,
  ENGINE,
  freshFolder,
  freshPlace,
  mint,
  type Place,
  type Service,
  serveStore,
} from './harness.ts'
import { JsonTexts, seeded } from './json-texts.ts'
import { type Answer, ask } from './wire.ts'
import {
  type Body,
  crowd,
  EVALUATIONS,
  gzip,
  JSON_TYPE,
  ndjson,
  nested,
  revision,
  revisionsOf,
  rowOfBytes,
  scenariosOf,
  VARIANTS,
  zstd,
} from './writes.ts'

const START = Date.now()
/** What a service takes for the time; it chose none of the times that answers show. */
const CLOCK = Date.parse('2026-01-01T00:00:00Z')
const MAX_URL_BYTES = 20_000
const MAX_RECORD_BYTES = 2_000_000
const MAX_BODY_BYTES = 3_000_000

interface Side {
  place: Place
  store: Store
  open: Service
  /** The same store, where ids of other projects are like none at all. */
  concealing: Service
  keys: Record<string, string>
}

/** With a key of the project default, and to the service that conceals nothing, unless it says otherwise. */
interface Sent {
  method?: string
  to: string
  body?: Body
  headers?: Record<string, string | string[]>
  /** The name of a key; null for none. */
  as?: string | null
  on?: 'open' | 'concealing'
}

async function openSide(engine: 'sqlite' | 'postgres'): Promise<Side> {
  const place = await freshPlace(engine)
  const store = await openAt(place.url)
  after(() => store.close())
  await fillCorpus(store)
  const keyFor = async (project: string, scopes: Scope[], expires_at: string | null = null) =>
    mint(store, { project, scopes, expires_at })
  const revoked = await keyFor('default', ['read'])
  await store.writer.transaction((transaction) => revokeKey(transaction, revoked.public_id))
  const keys = {
    default: await keyFor('default', ['read', 'write']),
    other: await keyFor('other', ['read', 'write']),
    wide: await keyFor('wide', ['read', 'write']),
    imports: await keyFor('imports', ['read', 'write']),
    reader: await keyFor('default', ['read']),
    writer: await keyFor('default', ['write']),
    expired: await keyFor('default', ['read'], new Date(CLOCK).toISOString()),
    revoked,
    unknown: mintKey(),
    mistyped: { key: `${revoked.key.slice(0, -1)}!` },
  }
  const limits = {
    max_url_bytes: MAX_URL_BYTES,
    max_record_bytes: MAX_RECORD_BYTES,
    max_body_bytes: MAX_BODY_BYTES,
  }
  const serve = (conceal: boolean) => serveStore(store, { ...limits, conceal }, () => CLOCK)
  return {
    place,
    store,
    open: await serve(false),
    concealing: await serve(true),
    keys: Object.fromEntries(Object.entries(keys).map(([name, { key }]) => [name, key])),
  }
}

const skip = ENGINE === 'sqlite' && 'runs with the tests on PostgreSQL'
const sides = skip ? [] : [await openSide('sqlite'), await openSide('postgres')]

/** Asks both for the same, or each for its own, and holds one answer against the other. */
async function both(sent: Sent | ((side: Side, index: number) => Sent)): Promise<Answer[]> {
  const requests = sides.map((side, index) => (typeof sent === 'function' ? sent(side, index) : sent))
  const answers = await Promise.all(sides.map((side, index) => askSide(side, requests[index] as Sent)))
  const [{ method = 'GET', to, headers = {} } = { to: '' }] = requests
  const name = `${method} ${to.slice(0, 200)} ${JSON.stringify(headers).slice(0, 200)}`
  const [first, second] = answers.map(comparable)
  assert.deepEqual(second?.head, first?.head, name)
  assertSameBytes(first?.bytes, second?.bytes, name)
  assert.ok((answers[0]?.status ?? 500) < 500, `${name} ${answers[0]?.text}`)
  return answers
}

function askSide(side: Side, { method, to, body, headers = {}, as = 'default', on = 'open' }: Sent) {
  const authorization = as === null ? {} : { authorization: side.keys[as] ?? '' }
  const type = body === undefined ? {} : { 'content-type': JSON_TYPE }
  return ask(side[on].base, to, { ...authorization, ...type, ...headers }, method, body)
}

function assertSameBytes(first: Buffer | undefined, second: Buffer | undefined, name: string): void {
  if (first && second?.equals(first)) return
  const at = first?.findIndex((byte, index) => byte !== second?.[index]) ?? -1
  const around = [first, second].map((bytes) => bytes?.subarray(Math.max(0, at - 60), at + 60).toString())
  assert.fail(
    `${name}: ${first?.length} and ${second?.length} bytes, from byte ${at} on\n${around.join('\n')}`,
  )
}

/** An answer without the values that may differ, each of which must have its form. */
function comparable({ status, headers, bytes, text }: Answer) {
  // How a refused body ends a connection depends on how much of it has arrived.
  const { date, 'x-request-id': id = '', etag, link, connection: _, 'keep-alive': __, ...others } = headers
  assert.ok(date)
  assert.match(String(id), /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)
  const head = {
    status,
    ...others,
    ...(etag && { etag: withoutVersion(etag) }),
    ...(link && { link: withoutKey(String(link)) }),
  }
  const plain = withoutNow(text).replace(`"instance":"${id}"`, '"instance":""')
  assert.equal(plain.includes('"instance":""'), text !== '' && status >= 400)
  // Times that were chosen here are compressed to something else each time.
  return { head, bytes: plain === text ? bytes : Buffer.from(plain) }
}

function withoutVersion(etag: string): string {
  const [, rest] = /^"[\w-]{16}-((?:json|ndjson|csv)(?:-(?:gzip|br|zstd))?)"$/.exec(etag) ?? []
  assert.ok(rest, etag)
  return rest
}

function withoutNow(text: string): string {
  return text.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, (time) =>
    Date.parse(time) >= START ? 'now' : time,
  )
}

/**
 * The cursor of a list has a time in it, and the store's own number: one that a failed write took is given again by
 * SQLite, and left out by PostgreSQL.
 */
function withoutKey(link: string): string {
  return link.replace(/(?<=cursor=)[\w-]+/, (cursor) => {
    const [mark, ...place] = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    if (place.length === 1) return cursor
    assert.ok(Number.isSafeInteger(place[1]))
    return JSON.stringify([mark, withoutNow(place[0])])
  })
}

// What is written. All of it is the same in every run.

const random = seeded(12)
const pick = <Item>(items: Item[]) => items[Math.floor(random() * items.length)] as Item
const texts = new JsonTexts(3)
/** Without line ends between tokens. */
const lineTexts = new JsonTexts(4, ['', '', ' ', '\t'])
const NUMBERS = '1e400 -0 5e-324 1.7976931348623157e308 9223372036854775808 1e-400 0.1 null'.split(' ')

/** Every plane, with its last code points, which are no characters. */
const PLANES = Array.from({ length: 17 }, (_, plane) =>
  String.fromCodePoint(...[0xf4a1, 0xfffd, 0xfffe, 0xffff].map((code) => plane * 0x10000 + code)),
).join('')
/** Longer than an index can hold. */
const LONG = String.fromCodePoint(...Array.from({ length: 3000 }, (_, n) => 0x4e00 + ((n * 7919) % 20_000)))
const WIDE_ID = '💡'.repeat(200)
/** Ids that languages put in another order than bytes do, take for the same, or write in other ways. */
const SORTED_APART = [
  ...'a A ä Z z é e\u0301 ß ss ı I i İ _a - 10 9 ﬀ か カ \uffff \u{10000} \' " \\ $1 ? % \u2028 \ufeff'.split(
    ' ',
  ),
  ' a',
  'x'.repeat(200),
  WIDE_ID,
  [...PLANES].slice(0, 60).join(''),
]

function generated(texts: JsonTexts, id: string, filler = ''): string {
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

const rows = (texts: JsonTexts, count: number, filler = '') =>
  Array.from({ length: count }, (_, index) => generated(texts, `s-${index}`, filler))
const array = (rows: string[]) => `[${rows.join(',\n')}]`
const lines = (rows: string[]) => `${rows.join('\n')}\n`
const longNames = `{"id":"names","inputs":[{"name":"${LONG}","type":"${LONG}","value":1}],"results":[{"evaluator_config":"${LONG}","result":{"type":"${LONG}","value":"${LONG}"}}]}`
const manyResults = Array.from(
  { length: 9000 },
  (_, n) => `{"evaluator_config":"e${n}","result":{"type":"number","value":${n}}}`,
)
const exact = EXACT_VALUES.map((value, position) =>
  exactBody(position, value).replace('"s-', '"exact-').replace('"exact",', '"generated",'),
)

const LARGE: [id: string, body: Body, headers: Record<string, string>][] = [
  ['large/lines', gzipSync(lines(rows(lineTexts, 200, 'filled '.repeat(300)))), { ...ndjson, ...gzip }],
  ['large one', `[{"id":"1","note":"${LONG.repeat(70)}${PLANES}"},{"id":"2"}]`, {}],
  ['large rows', zstdCompressSync(array(rows(texts, 7, LONG.repeat(10)))), zstd],
]
const WIDE_IDS = ['generated', ...LARGE.map(([id]) => id), ...SORTED_APART]
const GENERATED = scenariosOf('generated')
const FRESH = scenariosOf('fresh')
const FULL = scenariosOf('full')

const time = (minute: number) => `2025-03-01T10:${String(minute).padStart(2, '0')}:00.000Z`
const evaluation = (id: string, minute: number, more = '') =>
  `{"id":${JSON.stringify(id)},"created_at":"${time(minute)}"${more}}`
const revisionAt = (minute: number, config: string | undefined, more = '') =>
  revision(config, `,"created_at":"${time(minute)}"${more}`)
const token = (value: string) => ({ 'idempotency-key': value })
const post = (to: string, body: Body, headers = {}): Sent => ({ method: 'POST', to, body, headers })
const patch = (to: string, body: string, headers = {}): Sent => ({ method: 'PATCH', to, body, headers })
const remove = (to: string, headers = {}): Sent => ({ method: 'DELETE', to, headers })
const twice = (sent: Sent): Sent[] => [sent, { ...sent }]
const inWide = (all: Sent[]): Sent[] => all.map((sent) => ({ ...sent, as: 'wide' }))

const FIRST_WRITES: Sent[] = inWide([
  ...WIDE_IDS.map((id, index) => {
    const name = JSON.stringify(`${id}\u0000`)
    const more = `,"name":${name},"source":"\\ud800","metadata":${texts.object(20).loose}`
    // Some are of the same time.
    return post(EVALUATIONS, evaluation(id, index % 20, more))
  }),
  post(GENERATED, array(rows(texts, 60))),
  post(GENERATED, lines(rows(lineTexts, 60).map((row) => row.replace('"s-', '"l-'))), ndjson),
  post(GENERATED, array(SORTED_APART.map((id) => generated(texts, id)))),
  post(GENERATED, array([longNames, ...exact])),
  post(GENERATED, '[{"id":"z2"},{"id":"Y","extra":{}},{"id":"x"},{"id":"z2"}]'),
  ...LARGE.map(([id, body, headers]) => post(scenariosOf(id), body, headers)),
  post(revisionsOf('v'), revisionAt(1, undefined, ',"revision":2147483647')),
  post(revisionsOf('v'), revisionAt(2, `{"config_name":"${LONG}"}`, ',"revision":0,"message":"\\u0000"')),
  ...twice(
    post(
      revisionsOf('v'),
      revisionAt(3, `{"config_name":"c","parameters":${texts.object(50).loose}}`, ',"revision":7'),
    ),
  ),
  ...twice(
    patch(`${EVALUATIONS}/generated`, '{"variant_id":"v","revision":0,"baseline_id":"later"}', token('p')),
  ),
])

const LATER_WRITES: Sent[] = [
  ...inWide([
    ...SORTED_APART.map((id) => post(revisionsOf(id), revisionAt(4, undefined))),
    ...twice(post(VARIANTS, `{"id":"named","name":"${PLANES}"}`)),
    // More values than a statement of PostgreSQL can have.
    post(scenariosOf('many'), `[{"id":"results","results":[${manyResults}]}]`),
    post(scenariosOf('many'), lines(Array.from({ length: 10_100 }, (_, n) => `{"id":"${n}"}`)), ndjson),
    remove(`${EVALUATIONS}/many`),
    patch(
      `${EVALUATIONS}/large%20one`,
      `{"variant_id":"v","revision":2147483647,"evaluators":[{"name":"e\\u0000","threshold":1.0}],"metadata":{"a":1E2}}`,
    ),
    patch(`${GENERATED}/s-3`, '{"is_pinned":true,"note":"\\u0000\\ud800"}', token('n')),
    ...twice(
      patch(`${GENERATED}/${encodeURIComponent(WIDE_ID)}`, `{"note":"${LONG}"}`, token('~'.repeat(255))),
    ),
    ...twice(
      post(scenariosOf(WIDE_ID), '[{"id":"a"}]', {
        ...token('~'.repeat(255)),
        'transfer-encoding': 'chunked',
      }),
    ),
  ]),
  post(scenariosOf('made by its scenarios'), '[{"id":"a"}]'),
  ...twice(post(FULL, '[{"id":"s-25","note":"behind the others"}]', token('once'))),
  post(EVALUATIONS, '{"id":"old","created_at":"0000-01-01T00:00:00Z"}'),
  post(EVALUATIONS, evaluation('of full', 6, ',"variant_id":"full","revision":3')),
  ...twice(remove(`${VARIANTS}/full`, token('gone'))),
  post(revisionsOf('full'), revisionAt(5, undefined)),
  post(EVALUATIONS, evaluation('again', 7)),
  post(scenariosOf('again'), '[{"id":"a"}]'),
  remove(`${EVALUATIONS}/again`),
  post(EVALUATIONS, evaluation('again', 7)),
]

/** They fail when something is stored already. */
const UNDONE_WRITES: Sent[] = [
  post(FRESH, '[{"id":"a"},{"id":"a","inputs":[]},{"id":"a","extra":{}}]'),
  post(FRESH, '[{"id":"a"},{"id":"b"},{"id":"a","outputs":[{"result":{"type":"t"}}]}]', token('c')),
  post(FRESH, lines([...Array(500).fill('{"id":"a"}'), '{"id":"a","extra":{}}']), ndjson),
]

const NO_UTF8 = [[0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xc0, 0x80], [0xff], [0x00]]
const REFUSED_IDS = [
  '%00',
  'a%00b',
  '%7F',
  '%C2%85',
  'x'.repeat(201),
  'x'.repeat(9000),
  '.%2e',
  '%zz',
  '%ED%A0%80',
]

const REFUSED_WRITES: Sent[] = [
  ...inWide([
    post(GENERATED, array(rows(texts, 3))),
    post(revisionsOf('v'), revision('{"config_name":"other"}', ',"revision":7')),
    post(revisionsOf('v'), revision('{"config_name":"behind the last"}')),
    patch(`${EVALUATIONS}/generated`, '{"name":"another body"}', token('p')),
  ]),
  post(FULL, '[{"id":"new"},{"id":"s-3"}]'),
  post(EVALUATIONS, '{"id":"full"}'),
  post(VARIANTS, '{"id":"full","name":"Other"}', token('v')),
  patch(`${EVALUATIONS}/full`, '{"variant_id":"full","revision":77}'),
  patch(`${EVALUATIONS}/full`, '{"variant_id":"nowhere"}'),
  patch(`${EVALUATIONS}/empty`, '{"revision":1}'),
  post(EVALUATIONS, '{"id":"fresh","variant_id":"full","revision":2147483648}'),
  post(EVALUATIONS, '{"id":"fresh","created_at":"2025-02-30T00:00:00Z"}'),
  post(EVALUATIONS, '{"id":"\\u0000"}'),
  post(EVALUATIONS, '{"id":"\\ud800","variant_id":"\\u0000","baseline_id":"\\udfff"}'),
  post(FRESH, '[{"id":"a"},{"id":"b"'),
  post(FRESH, '{"id":"a"}\n{"id":"b"\n', ndjson),
  post(FRESH, `[{"id":"a","extra":{"a":${nested(200)}}},{"id":1},{"id":"b","extra":${crowd(10_001)}}]`),
  post(FRESH, '{"id":"a"}'),
  post(FRESH, `[${rowOfBytes(MAX_RECORD_BYTES + 1)}]`),
  post(FRESH, array([rowOfBytes(1_900_000), rowOfBytes(1_900_000)])),
  post(FRESH, gzipSync(array([rowOfBytes(1_900_000), rowOfBytes(1_900_000)])), gzip),
  post(FRESH, 'not compressed', gzip),
  post(FRESH, '[]', { 'content-type': 'text/csv' }),
  post(FRESH, '[]', { 'content-encoding': 'br' }),
  post(FRESH, '[]', token('two words')),
  post(scenariosOf('foreign'), '[{"id":"a"}]', token('f')),
  { ...post(FRESH, '[]'), as: 'reader' },
  remove(`${EVALUATIONS}/foreign`),
  remove(`${VARIANTS}/nowhere`, token('d')),
  patch(`${FULL}/nowhere`, '{"note":"x"}'),
  patch(`${EVALUATIONS}/foreign`, '{"name":"x"}'),
  ...NO_UTF8.flatMap((bytes) =>
    ['[{"id":"x","note":"', '[{"id":"', '[{"extra":{"'].map((head) =>
      post(FRESH, Buffer.concat([Buffer.from(head), Buffer.from(bytes), Buffer.from('"}]')])),
    ),
  ),
  ...REFUSED_IDS.flatMap((id) => [
    post(`${EVALUATIONS}/${id}/evaluation_scenarios`, '[{"id":"a"}]', token('odd')),
    patch(`${EVALUATIONS}/${id}`, '{"name":"x"}', token('odd')),
    patch(`${FULL}/${id}`, '{"note":"x"}', token('odd')),
    remove(`${EVALUATIONS}/${id}`, token('odd')),
    post(`${VARIANTS}/${id}/revisions`, revision(), token('odd')),
    remove(`${VARIANTS}/${id}`, token('odd')),
  ]),
]

const GOOD_WRITES = [...FIRST_WRITES, ...LATER_WRITES]
const WRITES = [...inTurns(FIRST_WRITES, UNDONE_WRITES), ...inTurns(LATER_WRITES, REFUSED_WRITES)]

function inTurns(good: Sent[], refused: Sent[]): Sent[] {
  const each = Math.ceil(refused.length / good.length)
  return good.flatMap((sent, index) => [sent, ...refused.slice(index * each, (index + 1) * each)])
}

const WRONG_QUERIES = [
  ...'limit=0 limit=1001 limit=1e1 limit=1&limit=2 format=xml include= unknown=1 %zz=1 cursor='.split(' '),
  ...['"x"', '1.5', '9007199254740993'].map((place) => `cursor=${cursorOf(FULL, place)}`),
  `cursor=${cursorOf(GENERATED, '1')}`,
  `_=${'x'.repeat(MAX_URL_BYTES)}`,
]

const REFUSED_READS: Sent[] = [
  ...WRONG_QUERIES.map((query) => ({ to: `${FULL}?${query}` })),
  ...['"\\u0000",1', '"x",1.5', '"x",1e300', '1,1', '"x"'].map((place) => ({
    to: `${EVALUATIONS}?cursor=${cursorOf(EVALUATIONS, place)}`,
  })),
  ...[null, 'expired', 'revoked', 'unknown', 'mistyped', 'writer', 'other'].map((as) => ({ to: FULL, as })),
  ...['foreign', 'nowhere'].flatMap((id) =>
    [scenariosOf(id), revisionsOf(id)].flatMap((to): Sent[] => [{ to }, { method: 'HEAD', to }]),
  ),
  ...REFUSED_IDS.flatMap((id) => [
    { to: `${EVALUATIONS}/${id}/evaluation_scenarios` },
    { to: `${VARIANTS}/${id}/revisions` },
  ]),
  { to: '/api/nowhere' },
  { to: '/%00' },
  { method: 'PUT', to: FULL },
  { method: 'POST', to: '/livez' },
  { to: FULL, headers: { accept: 'image/png' } },
  { to: FULL, headers: { 'accept-encoding': 'identity;q=0, deflate' } },
  { to: EVALUATIONS, headers: { accept: 'text/csv' } },
]

/** The read that shows what a write did. */
function readOf({ to }: Sent): string | undefined {
  const [, noun, id] = /^\/api\/(evaluations|variants)\/([^/]+)/.exec(to) ?? []
  if (!noun) return undefined
  return `/api/${noun}/${id}/${noun === 'evaluations' ? 'evaluation_scenarios' : 'revisions'}`
}

const CODINGS = ['identity', 'gzip', 'br', 'zstd']
const coded = (coding: string) => ({ 'accept-encoding': coding })
const inProject = (as: string, ids: string[]) => ids.map((id): [string, string] => [as, id])
const OWNED = [
  ...inProject('default', ['full', 'empty', ODD_ID, 'exact', 'of full', 'again', 'made by its scenarios']),
  ...inProject('other', ['foreign', 'shared']),
  ...inProject('wide', WIDE_IDS),
]
const RICH = ['full', ODD_ID, 'exact', 'generated', ...LARGE.map(([id]) => id)]
const OWNED_RICH = OWNED.filter(([, id]) => RICH.includes(id))
const PAGES = ['limit=7', 'limit=1000', 'limit=50&format=csv', 'limit=30&include=extra&format=ndjson']
/** Places in lists that nobody was given. */
const LIST_PLACES = [
  '"",0',
  '"x",-9007199254740991',
  '":",9007199254740991',
  '"\\ud800",1',
  '"2025-03-01T10:05",3',
]
const FILTERS = [
  'name=ne.x',
  'name=contains.u',
  `name=contains.${encodeURIComponent('ü💡')}`,
  'name=eq.%00',
  'variant_id=eq.full&revision=lte.1',
  `variant_id=ne.${encodeURIComponent(ODD_ID)}`,
  'revision=gt.0',
  'created_at=lt.2026-10-03T00:00:00Z',
  'created_at=gte.2026-10-02T08:00:00.000Z&name=ne.Evaluation+full',
  'name=x',
  'revision=eq.2147483648',
]
const PLACES = ['9007199254740991', '-9007199254740991', '-0', '1e15', '5']

/** Every page, each side by its own links; returns how many there were. */
async function followPages(first: string, as: string, headers: Record<string, string>): Promise<number> {
  let targets: (string | undefined)[] = sides.map(() => first)
  let pages = 0
  for (; targets[0] !== undefined; pages += 1) {
    const answers = await both((_, index) => ({ to: targets[index] ?? '', as, headers }))
    targets = answers.map(({ headers: { link } }) => /^<(.*)>; rel="next"$/.exec(String(link))?.[1])
  }
  return pages
}

describe('SQLite and PostgreSQL', { skip }, () => {
  test('answer every write the same, good and refused, and change or keep the same validators', async () => {
    const tags = sides.map(() => new Map<string, unknown>())
    const statuses = new Set<number>()
    for (const sent of WRITES) {
      const [answer] = await both(sent)
      const status = answer?.status ?? 0
      statuses.add(status)
      const name = `${sent.method} ${sent.to.slice(0, 100)} ${String(sent.body).slice(0, 200)} ${answer?.text}`
      assert.equal(status < 300, GOOD_WRITES.includes(sent), name)
      const to = readOf(sent)
      if (to === undefined || status === 404) continue
      const heads = await both({ method: 'HEAD', to, ...(sent.as && { as: sent.as }) })
      const changed = heads.map(({ headers }, index) => {
        const before = tags[index]?.get(to)
        tags[index]?.set(to, headers.etag)
        return headers.etag !== before
      })
      assert.equal(changed[0], changed[1], name)
    }
    assert.deepEqual([...statuses].sort(), [200, 201, 204, 400, 403, 404, 409, 413, 415, 422])
  })

  test('hold the same, with everything derived', async () => {
    const tables = ['scenario', 'search', 'measure', 'result', 'input', 'evaluation_column']
    for (const table of [...tables, 'revision']) {
      const owner = table === 'revision' ? 'variant' : 'evaluation'
      const [first, second] = await Promise.all(
        sides.map(async ({ store }) => {
          const rows = await store.reader.all<Record<string, unknown>>(
            `SELECT project.name AS project_name, ${owner}.id AS owner_id, ${table}.* FROM ${table}
             JOIN ${owner} ON ${owner}.key = ${table}.${owner} JOIN project ON project.key = ${owner}.project`,
          )
          return rows.map(({ [owner]: _, ...row }) => lineOf(row)).sort()
        }),
      )
      assert.deepEqual(second, first, table)
      assert.ok((first?.length ?? 0) > 10, table)
    }
  })

  test('answer the reads the same, whole, in every format and coding, with extra and without', async () => {
    for (const [as, id] of OWNED) {
      const isRich = RICH.includes(id)
      // What is large is compressed below.
      const codings = isRich && !LARGE.some(([large]) => large === id) ? CODINGS : ['identity']
      for (const noun of ['evaluation', 'variant']) {
        const to = noun === 'evaluation' ? scenariosOf(id) : revisionsOf(id)
        const includes = noun === 'evaluation' ? ['', '&include=extra'] : ['']
        for (const format of isRich ? ['json', 'ndjson', 'csv'] : ['json'])
          for (const include of isRich ? includes : includes.slice(-1))
            for (const coding of codings)
              await both({ to: `${to}?format=${format}${include}`, as, headers: coded(coding) })
        await both({ method: 'HEAD', to, as })
      }
    }
  })

  test('stream what is large, and compress it to the same bytes', async () => {
    for (const [id] of LARGE) {
      const [plain] = await both({ to: scenariosOf(id), as: 'wide' })
      assert.ok((plain?.bytes.length ?? 0) > 512 * 1024, `${id} ${plain?.bytes.length}`)
      for (const coding of CODINGS) {
        const [answer] = await both({ to: scenariosOf(id), as: 'wide', headers: coded(coding) })
        assert.equal(answer?.text, plain?.text)
      }
    }
  })

  test('know the same validators again', async () => {
    for (const [as, id] of OWNED_RICH) {
      const to = scenariosOf(id)
      const answers = await both({ to, as, headers: coded('gzip') })
      const tag = (index: number) => answers[index]?.headers.etag ?? ''
      const conditions: [field: (index: number) => string, status: number][] = [
        [(index) => tag(index), 304],
        [(index) => `W/${tag(index)}`, 304],
        [(index) => `"x", ${tag(index)}`, 304],
        [() => '*', 304],
        [(index) => tag(1 - index), 200],
        [(index) => tag(index).replace('-gzip', ''), 200],
      ]
      for (const [field, status] of conditions) {
        const [answer] = await both((_, index) => {
          return { to, as, headers: { ...coded('gzip'), 'if-none-match': field(index) } }
        })
        assert.equal(answer?.status, status)
      }
    }
  })

  test('give the same pages, of elements and of lists', async () => {
    for (const [as, id] of OWNED_RICH)
      for (const query of PAGES) await followPages(`${scenariosOf(id)}?${query}`, as, coded('gzip'))
    assert.equal(await followPages(`${revisionsOf('v')}?limit=1`, 'wide', {}), 3)
    for (const as of ['default', 'other', 'wide']) {
      for (const list of [EVALUATIONS, VARIANTS]) {
        for (const coding of CODINGS) await both({ to: list, as, headers: coded(coding) })
        await both({ method: 'HEAD', to: list, as })
        for (const limit of [1, 3, 1000]) await followPages(`${list}?limit=${limit}`, as, coded('br'))
      }
    }
    assert.equal(await followPages(`${EVALUATIONS}?limit=5`, 'wide', {}), Math.ceil(WIDE_IDS.length / 5))
  })

  test('give the same one of many, the same differences, and the same that fit a filter', async () => {
    for (const [as, id] of OWNED) {
      await both({ to: `${EVALUATIONS}/${encodeURIComponent(id)}`, as })
      await both({ to: `${VARIANTS}/${encodeURIComponent(id)}`, as })
      await both({ to: `${revisionsOf(id)}?include=changes,message`, as })
      for (const numbers of ['0', '1', '7', '0/diff/1', '1/diff/2', '2/diff/9'])
        await both({ to: `${revisionsOf(id)}/${numbers}`, as })
    }
    await both({ to: `${revisionsOf('full')}?include=changes&format=ndjson`, headers: coded('gzip') })
    for (const filter of FILTERS) {
      await both({ to: `${EVALUATIONS}?${filter}` })
      await followPages(`${EVALUATIONS}?limit=2&${filter}`, 'default', {})
    }
  })

  test('take the same cursors that nobody was given', async () => {
    for (const list of [EVALUATIONS, VARIANTS])
      for (const place of LIST_PLACES)
        await both({ to: `${list}?limit=3&cursor=${cursorOf(list, place)}`, as: 'wide' })
    for (const place of PLACES)
      for (const query of ['', 'limit=3&', 'format=csv&'])
        await both({ to: `${GENERATED}?${query}cursor=${cursorOf(GENERATED, place)}`, as: 'wide' })
  })

  test('refuse the same reads with the same words, and conceal the same', async () => {
    const statuses = new Set<number>()
    for (const on of ['open', 'concealing'] as const) {
      for (const sent of REFUSED_READS) {
        const [answer] = await both({ ...sent, on })
        assert.ok(answer && answer.status >= 400, `${sent.to.slice(0, 100)} ${answer?.status}`)
        statuses.add(answer.status)
      }
    }
    assert.deepEqual([...statuses].sort(), [400, 401, 403, 404, 405, 406, 414])
  })

  test('refuse an id that is longer than a path may be as such', async () => {
    const [answer] = await both({ to: scenariosOf('x'.repeat(MAX_URL_BYTES + 1)) })
    assert.equal(answer?.status, 414)
  })

  const exported = (side: Side, project: string, id: string, ...flags: string[]) =>
    assay(['export', id, '--project', project, ...side.place.flags, ...flags])

  test('export the same files, and refuse to with the same words', async () => {
    const exports: [project: string, id: string, code: number, ...flags: string[][]][] = [
      ['wide', 'generated', 0, ['--format', 'json'], ['--format', 'ndjson'], ['--format', 'csv'], ['--full']],
      ['wide', 'large/lines', 0, ['--full']],
      ['default', ODD_ID, 0, ['--full']],
      ['default', 'nowhere', 1, []],
    ]
    for (const [project, id, code, ...all] of exports) {
      for (const flags of all) {
        const [first, second] = await Promise.all(sides.map((side) => exported(side, project, id, ...flags)))
        assert.ok(first && second)
        assert.deepEqual([second.code, second.stderr], [first.code, first.stderr])
        assert.equal(first.code, code, first.stderr)
        const files = [first, second].map(({ stdout }) => Buffer.from(withoutNow(stdout)))
        assertSameBytes(files[0], files[1], `${id} ${flags}`)
      }
    }
  })

  test('import the full export of the other, and export the same again', async () => {
    const files = sides.map(() => join(freshFolder(), 'full.ndjson'))
    for (const [index, side] of sides.entries())
      assert.equal(
        (await exported(side, 'wide', 'generated', '--full', '--output', files[index] ?? '')).code,
        0,
      )
    for (const [index, side] of sides.entries()) {
      const file = files[1 - index] ?? ''
      const { code, stderr } = await assay(['import', file, '--project', 'restored', ...side.place.flags])
      assert.equal(code, 0, stderr)
      const { stdout } = await exported(side, 'restored', 'generated', '--full')
      assertSameBytes(readFileSync(file), Buffer.from(stdout), file)
    }
  })

  test('take in the files of other tools the same, and hold the same of them', async () => {
    const folder = new URL('./fixtures/import/', import.meta.url)
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(json|jsonl|csv|tsv|eval)$/.test(name) && !name.includes('expected'))
      .sort()
    for (const name of files) {
      const body = readFileSync(new URL(name, folder))
      // The results of lm-evaluation-harness lie in two files, and only one is sent.
      const [{ status = 0, text = '' } = {}] = await both({
        method: 'POST',
        to: `/api/imports?name=${encodeURIComponent(name)}`,
        body,
        as: 'imports',
      })
      assert.ok(status === 200 || name.startsWith('lm-eval'), `${name}: ${text}`)
      if (status !== 200) continue
      const { evaluations, variants } = JSON.parse(text) as Record<string, { id: string }[]>
      for (const { id } of evaluations ?? [])
        await both({ to: `${scenariosOf(encodeURIComponent(id))}?include=extra`, as: 'imports' })
      for (const { id } of variants ?? [])
        await both({ to: revisionsOf(encodeURIComponent(id)), as: 'imports' })
    }
    await both({ to: EVALUATIONS, as: 'imports' })
  })

  test('find themselves sound, with the same counts', async () => {
    const [first, second] = await Promise.all(
      sides.map(({ place }) => assay(['check', '--json', ...place.flags])),
    )
    assert.ok(first && second)
    assert.equal(first.code, 0, first.stdout)
    assert.deepEqual(second, first)
  })
})

function cursorOf(list: string, place: string): string {
  const mark = createHash('sha256').update(list).digest('base64url').slice(0, 12)
  return Buffer.from(`["${mark}",${place}]`).toString('base64url')
}

function lineOf(row: Record<string, unknown>): string {
  const values = Object.entries(row).map(([name, value]) => [
    name,
    value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value,
  ])
  return JSON.stringify(Object.fromEntries(values))
}
