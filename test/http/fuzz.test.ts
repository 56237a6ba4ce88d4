// Requests nobody would write by hand: whatever is sent, the answer is one that openapi.json knows.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import fc from 'fast-check'
import { checkStore } from '../../src/store/check.ts'
import { fillCorpus } from '../corpus.ts'
import { encodedText, fieldText, generatedWrite, mostly, pathId } from '../generators.ts'
import { freshStore, mint, serveStore } from '../harness.ts'
import { ask, documented, schemaErrors } from '../wire.ts'
import { JSON_TYPE, NDJSON } from '../writes.ts'

/** FUZZ_RUNS=20000 for a long campaign. */
const RUNS = Number(process.env.FUZZ_RUNS ?? 1500)

const store = await freshStore()
await fillCorpus(store)
const { key } = await mint(store, { scopes: ['read', 'write'] })
const { base } = await serveStore(store, { failed_key_limit: 1_000_000 })

interface Sent {
  method: string
  path: string
  query: string
  headers: Record<string, string>
  body?: Uint8Array
}

const revisionNumber = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('0', '1', '3', '01', '4', '2147483648') },
  { weight: 1, arbitrary: encodedText },
)
const path = fc.oneof(
  { weight: 4, arbitrary: pathId.map((one) => `/api/evaluations/${one}/evaluation_scenarios`) },
  { weight: 4, arbitrary: pathId.map((one) => `/api/variants/${one}/revisions`) },
  { weight: 1, arbitrary: pathId.map((one) => `/api/evaluations/${one}`) },
  { weight: 2, arbitrary: pathId.map((one) => `/api/evaluations/${one}/summary`) },
  { weight: 1, arbitrary: pathId.map((one) => `/api/variants/${one}`) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(pathId, revisionNumber, revisionNumber, fc.constantFrom('', '/diff', '/x'))
      .map(([id, from, to, diff]) => `/api/variants/${id}/revisions/${from}${diff && `${diff}/${to}`}`),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      '/api/evaluations',
      '/api/variants',
      '/livez',
      '/readyz',
      '/',
      '/api',
      '//',
      '/docs',
    ),
  },
  { weight: 1, arbitrary: fc.oneof(encodedText, pathId).map((text) => `/${text}`) },
  { weight: 1, arbitrary: pathId.map((text) => `/nowhere/${text}`) },
)
const parameter = fc.tuple(
  fc.oneof(
    fc.constantFrom('limit', 'cursor', 'format', 'include', '_x', '__proto__', 'constructor'),
    fc.constantFrom('name', 'variant_id', 'revision', 'created_at', 'base'),
    encodedText,
  ),
  fc.oneof(
    fc.constantFrom('1', '1000', '0', 'json', 'csv', 'ndjson', 'extra', '', '1e3', '%zz', 'WyJ4IiwxXQ'),
    fc.constantFrom('scores', 'changes', 'evaluations,changes', 'eq.full', 'contains.%00', 'ne.1', 'gt.9e9'),
    fc.constantFrom('lt.2026-01-01T00:00:00Z', 'gte.2147483647', 'lt.99999999999999999999'),
    encodedText,
  ),
)
const query = fc
  .array(parameter, { maxLength: 3 })
  .map((pairs) => pairs.map(([name, value]) => `${name}=${value}`).join('&'))
const list = (names: string[]) =>
  fc
    .array(
      fc.tuple(fc.constantFrom(...names), fc.constantFrom('', ';q=0', ';q=0.5', ';q=1', ';q=x', ';v=1')),
      { maxLength: 4 },
    )
    .map((members) => members.map((member) => member.join('')).join(', '))
const headers = fc.record(
  {
    authorization: fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(key, `Bearer ${key}`) },
      { weight: 1, arbitrary: fieldText },
    ),
    accept: fc.oneof(
      list(['application/json', 'text/csv', 'application/x-ndjson', '*/*', 'text/*', 'image/png']),
      fieldText,
    ),
    'accept-encoding': fc.oneof(list(['gzip', 'br', 'zstd', 'identity', '*', 'deflate']), fieldText),
    'if-none-match': fc.oneof(fc.constantFrom('*', '"x"', 'W/"x"'), fieldText),
    range: fieldText,
    'x-forwarded-for': fieldText,
    origin: fieldText,
  },
  { requiredKeys: [] },
)
const method = fc.oneof(
  { weight: 6, arbitrary: fc.constant('GET') },
  {
    weight: 2,
    arbitrary: fc.constantFrom('HEAD', 'OPTIONS', 'POST', 'DELETE', 'PATCH', 'PROPFIND', 'TRACE'),
  },
)

const withoutBody: fc.Arbitrary<Sent> = fc.record({ method, path, query, headers })

/** What is done to a body, and what is said of it. */
const coding = mostly<[done: string, said?: string]>(
  fc.constantFrom(['identity'], ['gzip', 'gzip'], ['zstd', 'zstd']),
  fc.tuple(
    fc.constantFrom('identity', 'gzip', 'zstd'),
    fc.constantFrom('gzip', 'zstd', 'x-gzip', 'br', 'identity', 'gzip, gzip', ''),
  ),
)
const writeHeaders = fc.record(
  {
    'content-type': fc.oneof(fc.constantFrom('', JSON_TYPE, NDJSON, 'text/plain', 'a/b; c'), fieldText),
    authorization: fieldText,
    'idempotency-key': fieldText,
    accept: fieldText,
  },
  { requiredKeys: [] },
)
const withBody: fc.Arbitrary<Sent> = fc
  .record({
    write: generatedWrite,
    coding,
    /** Few, so that they meet the same request, and others. */
    token: fc.constantFrom({}, {}, { 'idempotency-key': 'k-0' }, { 'idempotency-key': 'k-1' }),
    framing: fc.constantFrom({}, { 'transfer-encoding': 'chunked' }),
    others: mostly(fc.constant({}), writeHeaders),
    query: mostly(fc.constant(''), query),
  })
  .map(({ write: { method, path, body, isLines }, coding: [done, said], token, framing, others, query }) => {
    const type = { 'content-type': isLines ? NDJSON : JSON_TYPE }
    const encoding = said === undefined ? {} : { 'content-encoding': said }
    const headers = { authorization: key, ...type, ...encoding, ...token, ...framing, ...others }
    return { method, path, query, headers, body: encode(done, body) }
  })

test(`${RUNS} requests of every kind: no 5xx, nothing undocumented, every refusal a problem`, async () => {
  const request = fc.oneof({ weight: 2, arbitrary: withoutBody }, { weight: 1, arbitrary: withBody })
  const property = fc.asyncProperty(request, async ({ method, path, query, headers, body }) => {
    const target = query === '' ? path : `${path}?${query}`
    const answer = await ask(base, target, headers, method, body)
    assert.ok(answer.status < 500, answer.text)
    const response = documented(target, answer.status, method)
    const isListed = response !== undefined || (method === 'OPTIONS' && answer.status === 204)
    assert.ok(isListed, `${method} ${target} ${answer.status} is not documented`)
    if (answer.status < 400 || method === 'HEAD') return
    assert.deepEqual(schemaErrors('Problem', JSON.parse(answer.text)), [])
    assert.equal(answer.headers['content-type'], 'application/problem+json')
  })
  await fc.assert(property, { numRuns: RUNS })
})

test('the store is sound after all of them', async () => {
  const { faults } = await checkStore(store, () => undefined)
  assert.deepEqual(faults, [])
})

function encode(coding: string, body: Uint8Array): Uint8Array {
  if (coding === 'gzip') return gzipSync(body)
  return coding === 'zstd' ? zstdCompressSync(body) : body
}
