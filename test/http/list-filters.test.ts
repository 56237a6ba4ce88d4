// Filters of the lists: what they refuse, and that they leave exactly what a comparison in plain code leaves.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Evaluation } from '../../src/schema/evaluations.ts'
import { fillCorpus } from '../corpus.ts'
import { freshStore, mint, serveStore } from '../harness.ts'
import { type Answer, ask, checkDocumented, checkProblem } from '../wire.ts'
import { JSON_TYPE } from '../writes.ts'

const RUNS = Math.max(60, Number(process.env.RUNS ?? 60))

const store = await freshStore()
await fillCorpus(store)
const { key } = await mint(store, { scopes: ['read', 'write'] })
const { base } = await serveStore(store)

async function get(path: string) {
  const answer = await ask(base, path, { authorization: key })
  checkDocumented(path, answer)
  return answer
}

async function listed(path: string): Promise<Evaluation[]> {
  const answer = await get(path)
  assert.equal(answer.status, 200, answer.text)
  return JSON.parse(answer.text)
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
  assert.equal((await ask(base, '/api/evaluations', headers, 'POST', body)).status, 201)
}

describe('a filter is refused with what it takes:', () => {
  const REFUSED: [list: string, filter: string, says: string][] = [
    ['evaluations', 'name=', 'eq, ne, contains'],
    ['evaluations', 'name=eq.', 'some text'],
    ['evaluations', 'name=contains.', 'some text'],
    ['evaluations', 'name=gt.x', 'eq, ne, contains'],
    ['evaluations', 'variant_id=contains.x', 'eq, ne'],
    ['evaluations', 'revision=one', 'eq, ne, lt, lte, gt, gte'],
    ['evaluations', 'created_at=2026-01-01T00:00:00Z', 'lt, lte, gt, gte'],
    ['evaluations', 'revision=eq.1.0', 'plain digits'],
    ['evaluations', 'revision=eq.-1', 'plain digits'],
    ['evaluations', 'revision=lt.2147483648', '2147483647'],
    ['evaluations', `revision=lt.${'9'.repeat(400)}`, 'plain digits'],
    ['evaluations', 'created_at=eq.2026-01-01T00:00:00Z', 'lt, lte, gt, gte'],
    ['evaluations', 'created_at=lt.2026-01-01', 'RFC 3339'],
    ['evaluations', 'created_at=lt.2026-02-30T00:00:00Z', 'RFC 3339'],
    ['evaluations', 'name=eq.a&name=eq.a', 'once'],
    ['evaluations', 'id=eq.full', 'variant_id'],
    ['variants', 'name=lt.x', 'eq, ne, contains'],
    ['variants', 'created_at=gte.now', 'RFC 3339'],
    ['variants', 'revision=eq.1', 'created_at'],
  ]
  for (const [list, filter, says] of REFUSED) {
    test(`/api/${list}?${filter.slice(0, 50)}`, async () => {
      const { detail } = checkProblem(await get(`/api/${list}?${filter}`), 400, 'invalid-request')
      assert.ok(detail.includes(says), detail)
    })
  }
})

test('a value without an operator is what must be equal', async () => {
  for (const [plain, written] of [
    ['variant_id=full', 'variant_id=eq.full'],
    ['revision=1', 'revision=eq.1'],
    ['name=Evaluation%20full', 'name=eq.Evaluation%20full'],
  ]) {
    const left = await listed(`/api/evaluations?${plain}`)
    assert.ok(left.length > 0)
    assert.deepEqual(left, await listed(`/api/evaluations?${written}`))
  }
  assert.deepEqual(await listed('/api/evaluations?name=constructor.x'), [])
})

type Row = Pick<Evaluation, 'name' | 'variant_id' | 'revision' | 'created_at'>
type Fits = (row: Row) => boolean

const OPERATORS: Record<string, (value: string | number | null, operand: string | number) => boolean> = {
  eq: (value, operand) => value === operand,
  ne: (value, operand) => value !== null && value !== operand,
  lt: (value, operand) => value !== null && value < operand,
  lte: (value, operand) => value !== null && value <= operand,
  gt: (value, operand) => value !== null && value > operand,
  gte: (value, operand) => value !== null && value >= operand,
  contains: (value, operand) => value !== null && folded(String(value)).includes(folded(String(operand))),
}

const folded = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

const text = fc.oneof(
  fc.constantFrom('100%', '1', '%', '_', 'a', "'", 'Ä', 'EVALUATION', 'Evaluation ', 'a\u0000b', '.', 'full'),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 3 }),
)

/** A filter of a column: as a parameter, and as plain code. */
function filterOf<Operand extends string | number>(
  column: keyof Row,
  operators: string[],
  operand: fc.Arbitrary<Operand>,
  kept: (operand: Operand) => string | number = (operand) => operand,
): fc.Arbitrary<{ parameter: string; fits: Fits }> {
  return fc.tuple(fc.constantFrom(...operators), operand).map(([operator, operand]) => ({
    parameter: `${column}=${encodeURIComponent(`${operator}.${operand}`)}`,
    fits: (row) => OPERATORS[operator]?.(row[column], kept(operand)) ?? false,
  }))
}

const COMPARING = ['lt', 'lte', 'gt', 'gte']
const TIMES = [
  '2026-10-02T08:00:00.000Z',
  '2026-11-01T02:00:00+02:00',
  '2026-11-02 00:00:00z',
  '0000-01-01T00:00:00Z',
]
const name = filterOf('name', ['eq', 'ne', 'contains'], text, (operand) => operand.replaceAll('\0', '\ufffd'))
const created_at = filterOf('created_at', COMPARING, fc.constantFrom(...TIMES), (operand) =>
  new Date(operand.replace(' ', 'T').toUpperCase()).toISOString(),
)
const variant_id = filterOf('variant_id', ['eq', 'ne'], fc.constantFrom('full', 'shared', 'none', 'FULL'))
const revision = filterOf('revision', ['eq', 'ne', ...COMPARING], fc.nat(4))

describe('what is left', () => {
  test('of evaluations is what fits all filters, in the order of the list', async () => {
    const all = await listed('/api/evaluations')
    const some = fc
      .tuple(...[name, created_at, variant_id, revision].map((filter) => fc.option(filter)))
      .map((filters) => filters.filter((filter) => filter !== null))
    const matched = new Set<number>()
    await fc.assert(
      fc.asyncProperty(some, async (filters) => {
        const left = await listed(`/api/evaluations?${filters.map(({ parameter }) => parameter).join('&')}`)
        assert.deepEqual(
          left,
          all.filter((row) => filters.every(({ fits }) => fits(row))),
        )
        matched.add(left.length)
      }),
      { numRuns: RUNS },
    )
    assert.ok(matched.size > 3)
  })

  test('of variants too', async () => {
    const ids = async (query: string) => (await listed(`/api/variants?${query}`)).map(({ id }) => id)
    assert.deepEqual(await ids('name=contains.ar'), await ids(''))
    assert.deepEqual(await ids('name=eq.Variant+full'), ['full'])
    assert.deepEqual(await ids('name=ne.Variant+full&created_at=lte.2026-09-02T08:00:00.000Z'), ['empty'])
  })

  test('by a time whose plus sign was left as it is', async () => {
    const [plain, encoded] = await Promise.all(
      ['+', '%2B'].map((plus) => listed(`/api/evaluations?created_at=gt.2026-11-01T02:00:00.5${plus}02:00`)),
    )
    assert.deepEqual(plain, encoded)
    assert.ok(plain && plain.length > 0)
  })

  test('goes through pages, whose links keep the filters and whose cursors are for them alone', async () => {
    const filters = 'variant_id=eq.full&name=ne.a%26b'
    const whole = await listed(`/api/evaluations?${filters}`)
    assert.ok(whole.length > 3)
    const pages: Evaluation[] = []
    let next: string | undefined = `/api/evaluations?name=ne.a%26b&limit=2&variant_id=eq.full`
    while (next) {
      const answer: Answer = await get(next)
      pages.push(...JSON.parse(answer.text))
      next = /^<([^>]+)>; rel="next"$/.exec(String(answer.headers.link))?.[1]
    }
    assert.deepEqual(pages, whole)
    const { headers } = await get(`/api/evaluations?${filters}&limit=1`)
    const cursor = /cursor=([\w-]+)/.exec(String(headers.link))?.[1]
    assert.equal((await get(`/api/evaluations?${filters}&cursor=${cursor}`)).status, 200)
    for (const other of ['', 'variant_id=eq.full', 'variant_id=eq.shared&name=ne.a%26b']) {
      checkProblem(await get(`/api/evaluations?${other}&cursor=${cursor}`), 400, 'invalid-request')
    }
  })
})
