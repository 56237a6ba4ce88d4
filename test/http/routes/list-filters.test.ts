// Tests the filters of the list endpoints: rejected filters, and results checked against an in-memory model.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Evaluation } from '../../../src/schema/evaluations.ts'
import { sizes } from '../../sizes.ts'
import { fillCorpus } from '../../support/corpus.ts'
import { createTestKey, createTestStore, startTestService } from '../../support/harness.ts'
import { checkDocumented, checkProblem, type HttpResponse, sendRequest } from '../../support/http.ts'
import { JSON_TYPE } from '../../support/write-requests.ts'

const RUNS = Math.max(60, sizes.generated_evaluations)

const store = await createTestStore()
await fillCorpus(store)
const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
const { baseUrl } = await startTestService(store)

async function get(path: string) {
  const response = await sendRequest(baseUrl, path, { authorization: key })
  checkDocumented(path, response)
  return response
}

async function listItems(path: string): Promise<Evaluation[]> {
  const response = await get(path)
  assert.equal(response.status, 200, response.text)
  return JSON.parse(response.text)
}

const NAMES = ['100%', '100', 'a_b', 'a\u0000b', "it's", 'Ä', 'ä', '', null, 'Evaluation full']
for (const [index, name] of NAMES.entries()) {
  const body = JSON.stringify({
    id: `named-${index}`,
    name,
    variant_id: index % 2 ? 'full' : null,
    revision: index % 2 ? index % 4 : null,
    created_at: `2026-11-0${index % 4}T00:00:00.000Z`.replace('-00T', '-09T'),
  })
  const headers = { authorization: key, 'content-type': JSON_TYPE }
  assert.equal((await sendRequest(baseUrl, '/api/evaluations', headers, 'POST', body)).status, 201)
}

describe('rejected list filters', () => {
  const INVALID_FILTERS: [list: string, filter: string, detail: string][] = [
    ['evaluations', 'name=', 'eq, ne or contains'],
    ['evaluations', 'name=eq.', 'a text'],
    ['evaluations', 'name=contains.', 'a text'],
    ['evaluations', 'name=gt.x', 'eq, ne or contains'],
    ['evaluations', 'variant_id=contains.x', 'eq or ne'],
    ['evaluations', 'revision=one', 'eq, ne, lt, lte, gt or gte'],
    ['evaluations', 'created_at=2026-01-01T00:00:00Z', 'lt, lte, gt or gte'],
    ['evaluations', 'revision=eq.1.0', 'an integer'],
    ['evaluations', 'revision=eq.-1', 'an integer'],
    ['evaluations', 'revision=lt.2147483648', '2147483647'],
    ['evaluations', `revision=lt.${'9'.repeat(400)}`, 'an integer'],
    ['evaluations', 'created_at=eq.2026-01-01T00:00:00Z', 'lt, lte, gt or gte'],
    ['evaluations', 'created_at=lt.2026-01-01', 'RFC 3339'],
    ['evaluations', 'created_at=lt.2026-02-30T00:00:00Z', 'RFC 3339'],
    ['evaluations', 'name=eq.a&name=eq.a', 'once'],
    ['evaluations', 'id=eq.full', 'variant_id'],
    ['variants', 'name=lt.x', 'eq, ne or contains'],
    ['variants', 'created_at=gte.now', 'RFC 3339'],
    ['variants', 'revision=eq.1', 'created_at'],
  ]
  for (const [list, filter, expected] of INVALID_FILTERS) {
    test(`returns 400 for /api/${list}?${filter.slice(0, 50)}`, async () => {
      const { detail } = checkProblem(await get(`/api/${list}?${filter}`), 400, 'invalid-request')
      assert.ok(detail.includes(expected), detail)
    })
  }
})

test('treats a value without an operator as eq', async () => {
  for (const [plain, explicit] of [
    ['variant_id=full', 'variant_id=eq.full'],
    ['revision=1', 'revision=eq.1'],
    ['name=Evaluation%20full', 'name=eq.Evaluation%20full'],
  ]) {
    const matching = await listItems(`/api/evaluations?${plain}`)
    assert.ok(matching.length > 0)
    assert.deepEqual(matching, await listItems(`/api/evaluations?${explicit}`))
  }
  assert.deepEqual(await listItems('/api/evaluations?name=constructor.x'), [])
})

type Row = Pick<Evaluation, 'name' | 'variant_id' | 'revision' | 'created_at'>
type Predicate = (row: Row) => boolean

const OPERATORS: Record<string, (value: string | number | null, operand: string | number) => boolean> = {
  eq: (value, operand) => value === operand,
  ne: (value, operand) => value !== null && value !== operand,
  lt: (value, operand) => value !== null && value < operand,
  lte: (value, operand) => value !== null && value <= operand,
  gt: (value, operand) => value !== null && value > operand,
  gte: (value, operand) => value !== null && value >= operand,
  contains: (value, operand) =>
    value !== null && foldAscii(String(value)).includes(foldAscii(String(operand))),
}

const foldAscii = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

const text = fc.oneof(
  fc.constantFrom('100%', '1', '%', '_', 'a', "'", 'Ä', 'EVALUATION', 'Evaluation ', 'a\u0000b', '.', 'full'),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 3 }),
)

/** Generates filters on a column, each as a query parameter and as a predicate. */
function filterArbitrary<Operand extends string | number>(
  column: keyof Row,
  operators: string[],
  operand: fc.Arbitrary<Operand>,
  normalize: (operand: Operand) => string | number = (operand) => operand,
): fc.Arbitrary<{ parameter: string; matches: Predicate }> {
  return fc.tuple(fc.constantFrom(...operators), operand).map(([operator, operand]) => ({
    parameter: `${column}=${encodeURIComponent(`${operator}.${operand}`)}`,
    matches: (row) => OPERATORS[operator]?.(row[column], normalize(operand)) ?? false,
  }))
}

const ORDER_OPERATORS = ['lt', 'lte', 'gt', 'gte']
const TIMES = [
  '2026-10-02T08:00:00.000Z',
  '2026-11-01T02:00:00+02:00',
  '2026-11-02 00:00:00z',
  '0000-01-01T00:00:00Z',
]
const name = filterArbitrary('name', ['eq', 'ne', 'contains'], text, (operand) =>
  operand.replaceAll('\0', '\ufffd'),
)
const created_at = filterArbitrary('created_at', ORDER_OPERATORS, fc.constantFrom(...TIMES), (operand) =>
  new Date(operand.replace(' ', 'T').toUpperCase()).toISOString(),
)
const variant_id = filterArbitrary(
  'variant_id',
  ['eq', 'ne'],
  fc.constantFrom('full', 'shared', 'none', 'FULL'),
)
const revision = filterArbitrary('revision', ['eq', 'ne', ...ORDER_OPERATORS], fc.nat(4))

describe('filtered lists', () => {
  test('contain the evaluations that match all filters, in list order', async () => {
    const allEvaluations = await listItems('/api/evaluations')
    const filterSets = fc
      .tuple(...[name, created_at, variant_id, revision].map((filter) => fc.option(filter)))
      .map((filters) => filters.filter((filter) => filter !== null))
    const resultSizes = new Set<number>()
    await fc.assert(
      fc.asyncProperty(filterSets, async (filters) => {
        const matching = await listItems(
          `/api/evaluations?${filters.map(({ parameter }) => parameter).join('&')}`,
        )
        assert.deepEqual(
          matching,
          allEvaluations.filter((row) => filters.every(({ matches }) => matches(row))),
        )
        resultSizes.add(matching.length)
      }),
      { numRuns: RUNS },
    )
    assert.ok(resultSizes.size > 3)
  })

  test('contain the variants that match all filters', async () => {
    const listIds = async (query: string) => (await listItems(`/api/variants?${query}`)).map(({ id }) => id)
    assert.deepEqual(await listIds('name=contains.ar'), await listIds(''))
    assert.deepEqual(await listIds('name=eq.Variant+full'), ['full'])
    assert.deepEqual(await listIds('name=ne.Variant+full&created_at=lte.2026-09-02T08:00:00.000Z'), ['empty'])
  })

  test('accept a time with an unencoded plus sign', async () => {
    const [plain, encoded] = await Promise.all(
      ['+', '%2B'].map((plus) =>
        listItems(`/api/evaluations?created_at=gt.2026-11-01T02:00:00.5${plus}02:00`),
      ),
    )
    assert.deepEqual(plain, encoded)
    assert.ok(plain && plain.length > 0)
  })

  test('can be paged with links that preserve the filters and cursors that reject other filters', async () => {
    const filters = 'variant_id=eq.full&name=ne.a%26b'
    const matching = await listItems(`/api/evaluations?${filters}`)
    assert.ok(matching.length > 3)
    const pages: Evaluation[] = []
    let nextPath: string | undefined = `/api/evaluations?name=ne.a%26b&limit=2&variant_id=eq.full`
    while (nextPath) {
      const response: HttpResponse = await get(nextPath)
      pages.push(...JSON.parse(response.text))
      nextPath = /^<([^>]+)>; rel="next"$/.exec(String(response.headers.link))?.[1]
    }
    assert.deepEqual(pages, matching)
    const { headers } = await get(`/api/evaluations?${filters}&limit=1`)
    const cursor = /cursor=([\w-]+)/.exec(String(headers.link))?.[1]
    assert.equal((await get(`/api/evaluations?${filters}&cursor=${cursor}`)).status, 200)
    for (const otherFilters of ['', 'variant_id=eq.full', 'variant_id=eq.shared&name=ne.a%26b']) {
      checkProblem(await get(`/api/evaluations?${otherFilters}&cursor=${cursor}`), 400, 'invalid-request')
    }
  })
})
