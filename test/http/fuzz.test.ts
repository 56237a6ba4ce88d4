// Requests nobody would write by hand: whatever is sent, the answer is one that openapi.json knows.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fillCorpus, ODD_ID } from '../corpus.ts'
import { freshStore, mint, serveStore } from '../harness.ts'
import { ask, documented, schemaErrors } from '../wire.ts'

/** FUZZ_RUNS=20000 for a long campaign. */
const RUNS = Number(process.env.FUZZ_RUNS ?? 1500)

const store = await freshStore()
await fillCorpus(store)
const { key } = await mint(store)
const { base } = await serveStore(store, { failed_key_limit: 1_000_000 })

/** What may stand in a field: visible ASCII, as HTTP has it. */
const fieldText = fc.string({
  unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
  maxLength: 60,
})
const anyText = fc.string({ unit: 'binary', maxLength: 30 }).filter((text) => text.isWellFormed())
const encoded = anyText.map((text) => encodeURIComponent(text))

const id = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom('full', 'empty', 'foreign', 'shared', 'exact', encodeURIComponent(ODD_ID)),
  },
  { weight: 2, arbitrary: encoded },
  {
    weight: 1,
    arbitrary: fc.constantFrom('..', '%2e', '%00', '%zz', '%ff', '%ED%A0%80', '%2F', '', '*', "'", '";--'),
  },
)
const path = fc.oneof(
  { weight: 4, arbitrary: id.map((one) => `/api/evaluations/${one}/evaluation_scenarios`) },
  { weight: 4, arbitrary: id.map((one) => `/api/variants/${one}/revisions`) },
  {
    weight: 1,
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
  { weight: 1, arbitrary: fc.oneof(encoded, id).map((text) => `/${text}`) },
  { weight: 1, arbitrary: id.map((text) => `/nowhere/${text}`) },
)
const parameter = fc.tuple(
  fc.oneof(
    fc.constantFrom('limit', 'cursor', 'format', 'include', '_x', '__proto__', 'constructor'),
    encoded,
  ),
  fc.oneof(
    fc.constantFrom('1', '1000', '0', 'json', 'csv', 'ndjson', 'extra', '', '1e3', '%zz', 'WyJ4IiwxXQ'),
    encoded,
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

test(`${RUNS} requests of every kind: no 5xx, nothing undocumented, every refusal a problem`, async () => {
  const property = fc.asyncProperty(path, query, headers, method, async (path, query, headers, method) => {
    const target = query === '' ? path : `${path}?${query}`
    const answer = await ask(base, target, headers, method)
    assert.ok(answer.status < 500, answer.text)
    const response = documented(target, answer.status)
    const isListed = response !== undefined || (method === 'OPTIONS' && answer.status === 204)
    // A path that is documented with an id in it may hold none, and is then another path.
    assert.ok(isListed || answer.status === 404, `${answer.status} is not documented`)
    if (answer.status < 400 || method === 'HEAD') return
    assert.deepEqual(schemaErrors('Problem', JSON.parse(answer.text)), [])
    assert.equal(answer.headers['content-type'], 'application/problem+json')
  })
  await fc.assert(property, { numRuns: RUNS })
})
