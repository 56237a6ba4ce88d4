// Tests the filters of the list endpoints: rejected filters, and results checked against an in-memory model.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Evaluation } from '../../../src/schema/evaluations.ts'
import { formatInList } from '../../../src/schema/filters/in-operand.ts'
import { LIST_ORDERS } from '../../../src/schema/filters/orders.ts'
import { sizes } from '../../sizes.ts'
import { fillCorpus } from '../../support/corpus.ts'
import { checkProblem, type HttpResponse } from '../../support/http.ts'
import { startWriteService } from '../../support/write-service.ts'

const RUNS = Math.max(60, sizes.generated_evaluations)

const { sendOk, get, readJson } = await startWriteService(fillCorpus)
const listItems = (path: string): Promise<Evaluation[]> => readJson(path)

const NAMES = [
  '100%',
  '100',
  'a_b',
  'a\u0000b',
  "it's",
  'Ä',
  'ä',
  '',
  null,
  'Evaluation full',
  'a\u0308',
  '\uffff',
  '💡',
  'Z',
  '9',
  `${'é'.repeat(200)}b`,
  `${'é'.repeat(200)}a`,
  'say "a,b"',
]
const TAGS = ['nightly', 'Nightly', 'a,"b"', 'ü 💡', '\\']
for (const [index, name] of NAMES.entries()) {
  const body = JSON.stringify({
    id: `named-${index}`,
    name,
    variant_id: index % 2 ? 'full' : null,
    revision: index % 2 ? index % 4 : null,
    family: index % 3 ? `main ${index % 3}` : null,
    label: index % 3 ? `prompt ${index}` : null,
    provider: index % 3 ? 'echo' : null,
    source: index % 3 ? `tool ${index % 3}` : null,
    created_at: `2026-11-0${index % 4}T00:00:00.000Z`.replace('-00T', '-09T'),
    status: (['running', 'finished', 'failed'] as const)[index % 3],
    tags: TAGS.filter((_, tag) => index & (1 << tag)),
  })
  await sendOk('POST', '/api/evaluations', body)
}

describe('rejected list filters', () => {
  const INVALID_FILTERS: [list: string, filter: string, detail: string][] = [
    ['evaluations', 'name=', "Use 'name=eq.text'."],
    ['evaluations', 'name=support', "Use 'name=eq.support' or 'name=contains.support'."],
    ['evaluations', 'name=like.support', "Use 'name=contains.support' or 'name=eq.like.support'."],
    ['evaluations', 'name=ilike.*a%20b*', "Use 'name=contains.a%20b' or"],
    ['evaluations', 'name=constructor.x', "Use 'name=eq.constructor.x' or"],
    ['evaluations', 'name=eq.', "Use 'name=eq.text'."],
    ['evaluations', 'name=contains.', "Use 'name=contains.text'."],
    [
      'evaluations',
      'name=gt.x',
      "Use 'name=eq.x'. Allowed: eq.x, ne.x, in.(x,y), contains.x, where x is a text.",
    ],
    ['evaluations', 'name=in.a,b', "Use 'name=in.(a,b)'."],
    ['evaluations', 'name=in.(a,%20b)', "Use 'name=in.(a,b)'."],
    ['evaluations', 'name=in.()', "Use 'name=in.(text)'."],
    ['evaluations', `name=in.(${Array(101).fill('a')})`, 'at most 100 members'],
    ['evaluations', Array(33).fill('name=ne.a').join('&'), 'At most 32 filters'],
    ['evaluations', 'variant_id=support-answer', "Use 'variant_id=eq.support-answer'."],
    ['evaluations', 'variant_id=neq.x', "Use 'variant_id=ne.x' or 'variant_id=eq.neq.x'."],
    ['evaluations', 'variant_id=contains.x', "Use 'variant_id=eq.x'."],
    ['evaluations', 'family=main', "Use 'family=eq.main'."],
    ['evaluations', 'family=contains.main', "Use 'family=eq.main'."],
    ['evaluations', 'revision=1', "Use 'revision=eq.1'."],
    ['evaluations', 'revision=one', "Use 'revision=eq.4'."],
    ['evaluations', 'revision=eq.1.0', 'an integer'],
    ['evaluations', 'revision=eq.-1', 'an integer'],
    ['evaluations', 'revision=lt.2147483648', "Use 'revision=lt.4'."],
    ['evaluations', `revision=lt.${'9'.repeat(400)}`, 'an integer'],
    ['evaluations', 'created_at=2026-01-01T00:00:00Z', "Use 'created_at=gte.2026-01-01T00:00:00Z'."],
    ['evaluations', 'created_at=eq.2026-01-01', "Use 'created_at=gte.2026-01-01'."],
    ['evaluations', 'created_at=lt.2026-02-30', "Use 'created_at=lt.2026-11-01'."],
    ['evaluations', 'created_at=lt.2026-02-30T00:00:00Z', 'RFC 3339'],
    ['evaluations', 'source=promptfoo', "Use 'source=eq.promptfoo' or 'source=contains.promptfoo'."],
    ['evaluations', 'status=running', "Use 'status=eq.running'."],
    ['evaluations', 'status=is.failed', "Use 'status=eq.failed'"],
    ['evaluations', 'status=eq.done', "Use 'status=eq.running'. Allowed: eq.x, ne.x, in.(x,y), where x is"],
    ['evaluations', 'status=in.(running,done)', "Use 'status=in.(running)'."],
    ['evaluations', 'tags=nightly', "Use 'tags=has.nightly'."],
    ['evaluations', 'tags=eq.nightly', "Use 'tags=has.nightly'."],
    ['evaluations', 'tags=has.', "Use 'tags=has.text'. Allowed: has.x, where x is a text."],
    ['evaluations', 'updated_at=2026-11-01', "Use 'updated_at=gte.2026-11-01'."],
    ['evaluations', 'expected_count=eq.1', 'updated_at'],
    ['evaluations', 'id=eq.full', 'variant_id'],
    ['evaluations', 'q=a&q=b', 'only once'],
    ['evaluations', 'limit=1&limit=2', 'only once'],
    ['evaluations', 'order=name', 'name.asc'],
    ['evaluations', 'order=revision.asc', 'created_at.desc'],
    ['evaluations', 'order=name.asc&order=name.asc', 'only once'],
    ['variants', 'name=lt.x', "Use 'name=eq.x'."],
    ['variants', 'created_at=gte.now', "Use 'created_at=gte.2026-11-01'."],
    ['variants', 'revision=eq.1', 'created_at'],
    ['variants', 'status=eq.running', 'updated_at'],
    ['variants', 'updated_at=eq.2026-11-01', "Use 'updated_at=gte.2026-11-01'."],
  ]
  for (const [list, filter, expected] of INVALID_FILTERS) {
    test(`returns 400 for /api/${list}?${filter.slice(0, 50)}`, async () => {
      const { detail } = checkProblem(await get(`/api/${list}?${filter}`), 400, 'invalid-request')
      assert.ok(detail.includes(expected), detail)
    })
  }
})

type Column =
  | 'id'
  | 'name'
  | 'variant_id'
  | 'family'
  | 'revision'
  | 'source'
  | 'created_at'
  | 'updated_at'
  | 'status'
type Row = Pick<Evaluation, Column | 'tags'>
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
  column: Column,
  operators: string[],
  operand: fc.Arbitrary<Operand>,
  normalize: (operand: Operand) => string | number = (operand) => operand,
): fc.Arbitrary<{ parameter: string; matches: Predicate }> {
  return fc.tuple(fc.constantFrom(...operators), operand).map(([operator, operand]) => ({
    parameter: `${column}=${encodeURIComponent(`${operator}.${operand}`)}`,
    matches: (row) => OPERATORS[operator]?.(row[column], normalize(operand)) ?? false,
  }))
}

/** Generates filters with the operator `in`. */
function inArbitrary<Operand extends string | number>(
  column: Column,
  operand: fc.Arbitrary<Operand>,
  normalize: (operand: Operand) => string | number = (operand) => operand,
): fc.Arbitrary<{ parameter: string; matches: Predicate }> {
  return fc.array(operand, { minLength: 1, maxLength: 12 }).map((operands) => ({
    parameter: `${column}=${encodeURIComponent(`in.${formatInList(operands.map(String))}`)}`,
    matches: (row) => operands.some((operand) => normalize(operand) === row[column]),
  }))
}

const ORDER_OPERATORS = ['lt', 'lte', 'gt', 'gte']
const TIMES = [
  '2026-10-02T08:00:00.000Z',
  '2026-11-01T02:00:00+02:00',
  '2026-11-02 00:00:00z',
  '0000-01-01T00:00:00Z',
  '2026-11-02',
]
const toStored = (operand: string) => operand.replaceAll('\0', '\ufffd')
const nameText = fc.oneof(
  text,
  fc.constantFrom(...NAMES.filter((name) => name && name.length < 50)) as fc.Arbitrary<string>,
)
const name = fc.oneof(
  filterArbitrary('name', ['eq', 'ne', 'contains'], text, toStored),
  inArbitrary('name', nameText, toStored),
)
const source = filterArbitrary(
  'source',
  ['eq', 'ne', 'contains'],
  fc.constantFrom('tool 1', 'tool', 'TOOL 2'),
)
const search = text.map((text) => ({
  parameter: `q=${encodeURIComponent(text)}`,
  matches: ({ name, id }: Row) =>
    [name ?? '', id].some((value) => OPERATORS.contains?.(value, toStored(text))),
}))
const created_at = filterArbitrary('created_at', ORDER_OPERATORS, fc.constantFrom(...TIMES), (operand) =>
  new Date(operand.replace(' ', 'T').toUpperCase()).toISOString(),
)
const updateTimes = (await listItems('/api/evaluations')).map(({ updated_at }) => updated_at)
const updated_at = filterArbitrary('updated_at', ORDER_OPERATORS, fc.constantFrom(...updateTimes))
const anyStatus = fc.constantFrom('running', 'finished', 'failed')
const status = fc.oneof(filterArbitrary('status', ['eq', 'ne'], anyStatus), inArbitrary('status', anyStatus))
const tags = fc.constantFrom(...TAGS, 'night', 'a', '"').map((tag) => ({
  parameter: `tags=${encodeURIComponent(`has.${tag}`)}`,
  matches: ({ tags }: Row) => tags.includes(tag),
}))
const variant_id = filterArbitrary(
  'variant_id',
  ['eq', 'ne'],
  fc.constantFrom('full', 'shared', 'none', 'FULL'),
)
const anyFamily = fc.constantFrom('main 1', 'main 2', 'main')
const family = fc.oneof(filterArbitrary('family', ['eq', 'ne'], anyFamily), inArbitrary('family', anyFamily))
const revision = fc.oneof(
  filterArbitrary('revision', ['eq', 'ne', ...ORDER_OPERATORS], fc.nat(4)),
  inArbitrary('revision', fc.nat(4)),
)

const compareBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))

/** The value that the service sorts by: a time, or the first 200 characters of the name or id. */
const sortValueOf =
  (order: string) =>
  ({ name, id, created_at, updated_at }: Row) => {
    if (order.startsWith('name')) return [...(name ?? id)].slice(0, 200).join('')
    return order.startsWith('created_at') ? created_at : updated_at
  }

const compareIn = (order: string) => (a: string, b: string) =>
  order.endsWith('desc') ? compareBytes(b, a) : compareBytes(a, b)

/** Follows the links to the last page. */
async function listPages(path: string): Promise<Evaluation[]> {
  const pages: Evaluation[] = []
  for (let nextPath: string | undefined = path; nextPath; ) {
    const response: HttpResponse = await get(nextPath)
    pages.push(...JSON.parse(response.text))
    nextPath = /^<([^>]+)>; rel="next"$/.exec(String(response.headers.link))?.[1]
  }
  return pages
}

describe('filtered lists', () => {
  test('contain the evaluations that match all filters, in the given order', async () => {
    const allEvaluations = await listItems('/api/evaluations')
    const anyFilter = fc.oneof(
      name,
      created_at,
      updated_at,
      variant_id,
      family,
      revision,
      source,
      status,
      tags,
    )
    const filterSets = fc
      .tuple(fc.array(anyFilter, { maxLength: 4 }), fc.option(search))
      .map(([filters, search]) => [...filters, ...(search ? [search] : [])])
    const resultSizes = new Set<number>()
    await fc.assert(
      fc.asyncProperty(filterSets, fc.constantFrom(...LIST_ORDERS), async (filters, order) => {
        const parameters = filters.map(({ parameter }) => parameter).join('&')
        const expected = allEvaluations.filter((row) => filters.every(({ matches }) => matches(row)))
        assert.deepEqual(await listItems(`/api/evaluations?${parameters}`), expected)
        const sorted = await listItems(`/api/evaluations?order=${order}&${parameters}`)
        assert.deepEqual(
          sorted.map(sortValueOf(order)),
          expected.map(sortValueOf(order)).sort(compareIn(order)),
        )
        assert.deepEqual(new Set(sorted.map(({ id }) => id)), new Set(expected.map(({ id }) => id)))
        resultSizes.add(expected.length)
      }),
      { numRuns: RUNS },
    )
    assert.ok(resultSizes.size > 3)
  })

  for (const order of LIST_ORDERS) {
    test(`contain every evaluation once over pages of any size, by ${order}`, async () => {
      const all = await listItems(`/api/evaluations?order=${order}`)
      assert.deepEqual(all.map(sortValueOf(order)), all.map(sortValueOf(order)).sort(compareIn(order)))
      for (const limit of [1, 3, 7]) {
        assert.deepEqual(await listPages(`/api/evaluations?order=${order}&limit=${limit}`), all)
      }
    })
  }

  test('contain the variants that match all filters', async () => {
    const listIds = async (query: string) => (await listItems(`/api/variants?${query}`)).map(({ id }) => id)
    assert.deepEqual(await listIds('name=contains.ar'), await listIds(''))
    assert.deepEqual(await listIds('name=eq.Variant+full'), ['full'])
    assert.deepEqual(await listIds('name=ne.Variant+full&created_at=lte.2026-09-02T08:00:00.000Z'), ['empty'])
    assert.deepEqual(await listIds('updated_at=lt.2026-01-01'), [])
    assert.deepEqual(
      (await listIds('order=updated_at.desc')).reverse(),
      await listIds('order=updated_at.asc'),
    )
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
    assert.deepEqual(
      await listPages(`/api/evaluations?name=ne.a%26b&limit=2&variant_id=eq.full&name=ne.Z`),
      matching.filter(({ name }) => name !== 'Z'),
    )
    const { headers } = await get(`/api/evaluations?${filters}&limit=1`)
    const cursor = /cursor=([\w-]+)/.exec(String(headers.link))?.[1]
    assert.equal((await get(`/api/evaluations?${filters}&cursor=${cursor}`)).status, 200)
    for (const otherFilters of [
      '',
      'variant_id=eq.full',
      'variant_id=eq.shared&name=ne.a%26b',
      `${filters}&order=name.asc`,
    ]) {
      checkProblem(await get(`/api/evaluations?${otherFilters}&cursor=${cursor}`), 400, 'invalid-request')
    }
  })
})
