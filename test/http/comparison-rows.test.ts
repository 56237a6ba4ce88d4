// Windows of compared rows, filtered, ordered, counted and located, against the same computed in memory row by row.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { CLASSES, type RowClass } from '../../src/schema/comparisons.ts'
import { joinModel, type KeyedRow } from '../compared.ts'
import {
  EVALUATORS,
  type GeneratedScenario,
  resultOf,
  scenariosOf,
  scoreOf,
  store as storeEvaluation,
} from '../evaluations-of.ts'
import {
  type Case,
  cases,
  compares,
  comparison,
  DECLARED,
  EVERYTHING,
  orders,
  sortedBy,
  sortedByKeys,
} from '../filtered.ts'
import { freshStore, mint, serveStore } from '../harness.ts'
import { ask, checkDocumented, schemaErrors } from '../wire.ts'

const RUNS = Number(process.env.RUNS ?? 12)

const store = await freshStore()
const service = await serveStore(store)
const { key } = await mint(store, { scopes: ['read', 'write'] })
const headers = { authorization: key, 'content-type': 'application/json' }

interface Window {
  show: string
  on: string | null
  total: number
  offset: number
  before?: number
  located?: number | null
  classes: Record<RowClass, number>
  rows: {
    base: { id: string } | null
    candidates: { row: { id: string } | null; class: RowClass; delta: number | null }[]
  }[]
}

async function windowOf(ids: string[], query: Record<string, string>): Promise<Window> {
  const search = new URLSearchParams(query).toString()
  const path = `/api/comparisons/rows?${ids.map((id) => `evaluation=${id}`).join('&')}&${search}`
  const answer = await ask(service.base, path, headers)
  assert.equal(answer.status, 200, `${path}: ${answer.text}`)
  checkDocumented(path, answer)
  const window = JSON.parse(answer.text)
  assert.deepEqual(schemaErrors('ComparisonRows', window), [])
  return window
}

/** A row of the base, of the candidate, or of both. */
interface Row {
  base: GeneratedScenario | undefined
  candidate: GeneratedScenario | undefined
}

/** In order of the base, those that only the candidate has behind them. */
function joinedRows(base: GeneratedScenario[], candidate: GeneratedScenario[], by: string): Row[] {
  const [of, to] = [{ rows: base as KeyedRow[] }, { rows: candidate as KeyedRow[] }]
  const pairs = joinModel(of, [to], by).at(-1)?.[0]?.pairs ?? []
  const partners = new Map(pairs.map((pair) => [pair.base, candidate[pair.position]]))
  const paired = new Set(pairs.map(({ position }) => position))
  return [
    ...base.map((one, position) => ({ base: one, candidate: partners.get(position) })),
    ...candidate
      .filter((_, position) => !paired.has(position))
      .map((one) => ({ base: undefined, candidate: one })),
  ]
}

function deltaOf({ base, candidate }: Row, evaluator: string): number | undefined {
  if (!base || !candidate) return undefined
  const [of, to] = [scoreOf(base, evaluator), scoreOf(candidate, evaluator)]
  const kinds = [base, candidate].map((one) => typeof resultOf(one, evaluator)?.value)
  return of === undefined || to === undefined || kinds[0] !== kinds[1] ? undefined : to - of + 0
}

/** Lower is better on one of them, as the base says. */
const LOWER = 'grade'
const DIRECTED = [...DECLARED, { name: LOWER, higher_is_better: false }]

function classOf(row: Row, evaluator: string): RowClass {
  if (!row.base || !row.candidate) return 'missing'
  const delta = deltaOf(row, evaluator)
  if (delta === undefined) return 'incomparable'
  if (delta === 0) return 'same'
  return delta > 0 === (evaluator !== LOWER) ? 'improved' : 'regressed'
}

interface RowCase {
  parameter: string
  value: string
  holds: (row: Row) => boolean
}

/** About the candidate's row, or the base's where there is none; a text may stand in either. */
function onRows({ parameter, value, holds }: Case): RowCase {
  const of = (one: GeneratedScenario | undefined) => one !== undefined && holds(one)
  return {
    parameter,
    value,
    holds: ({ base, candidate }) => (parameter === 'q' ? of(base) || of(candidate) : of(candidate ?? base)),
  }
}

const deltaCases = fc.tuple(fc.constantFrom(...EVALUATORS), comparison, fc.constantFrom(0, 1, -0.5)).map(
  ([evaluator, operator, operand]): RowCase => ({
    parameter: `delta.${evaluator}`,
    value: `${operator}.${operand}`,
    holds: (row) => compares(deltaOf(row, evaluator), operator, operand),
  }),
)

const rowCases = fc.oneof({ weight: 3, arbitrary: cases.map(onRows) }, { weight: 1, arbitrary: deltaCases })
const rowOrders = fc.oneof(
  { weight: 3, arbitrary: orders },
  fc.constantFrom('position', 'position.asc', 'position.desc'),
  fc.constantFrom(...EVALUATORS).map((name) => `delta.${name}.desc`),
  fc.constantFrom(...EVALUATORS).map((name) => `delta.${name}.asc`),
  fc.constant(undefined),
)

/** `rows` are in the order of their places. */
function ordered(rows: Row[], order: string | undefined, show: string, on: string): Row[] {
  if (order === undefined) {
    const size = (row: Row) => Math.abs(deltaOf(row, on) ?? Number.NaN)
    const isChanged = show === 'regressed' || show === 'improved'
    return isChanged ? sortedByKeys(rows, (row) => [size(row) || undefined], -1) : rows
  }
  const sign = order.endsWith('.desc') ? -1 : 1
  const [, evaluator] = /^delta\.(.*)\.\w+$/.exec(order) ?? []
  if (evaluator !== undefined) return sortedByKeys(rows, (row) => [deltaOf(row, evaluator)], sign)
  const place = (row: Row) => (row.base ? rows.indexOf(row) : undefined)
  if (order.startsWith('position')) return sortedByKeys(rows, (row) => [place(row)], sign)
  return sortedBy(rows, order, ({ candidate }) => candidate)
}

/** Some rows of one are not in the other, and those that are in both have another order. */
const evaluations = fc
  .tuple(scenariosOf(18), scenariosOf(18), fc.constantFrom(0, 1, 2), fc.boolean())
  .map(([base, candidate, whose, isTurned]) => {
    const known = [base, candidate].map((list, side) => {
      const own = list.map((one, at) => ({ ...one, id: `s-${side === 0 ? at : at + 2}` }))
      return whose === side ? own : [EVERYTHING, ...own]
    }) as [GeneratedScenario[], GeneratedScenario[]]
    return { base: known[0], candidate: isTurned ? known[1].toReversed() : known[1] }
  })

const keys = fc.constantFrom('auto', 'id', 'input', 'input.q', 'position')
const has = (rows: GeneratedScenario[], name: string) =>
  rows.some(({ inputs }) => inputs.some((input) => input.name === name))

test('filters, classes, orders and places are those of a computation row by row', async () => {
  await fc.assert(
    fc.asyncProperty(
      evaluations,
      keys,
      fc.uniqueArray(rowCases, { selector: ({ parameter }) => parameter, maxLength: 3 }),
      rowOrders,
      fc.constantFrom('all', ...CLASSES),
      fc.constantFrom(...EVALUATORS),
      fc.nat(),
      async ({ base, candidate }, wanted, filters, order, show, on, chosen) => {
        const by = wanted === 'input.q' && !(has(base, 'q') && has(candidate, 'q')) ? 'id' : wanted
        const ids = [
          await storeEvaluation(store, base, DIRECTED),
          await storeEvaluation(store, candidate, DECLARED),
        ]
        const rows = ordered(joinedRows(base, candidate, by), order, show, on)
        const left = rows.filter((row) => filters.every(({ holds }) => holds(row)))
        const isShown = (row: Row) => show === 'all' || classOf(row, on) === show
        const shown = left.filter(isShown)
        const written = ({ base, candidate }: Row) => [base?.id ?? null, candidate?.id ?? null]
        const query = {
          ...Object.fromEntries(filters.map(({ parameter, value }) => [parameter, value])),
          by,
          show,
          on,
          ...(order !== undefined && { order }),
        }
        const windows = [
          await windowOf(ids, { ...query, limit: '7' }),
          await windowOf(ids, { ...query, offset: '7' }),
        ]
        const answered = windows.flatMap((window) => window.rows)
        assert.deepEqual(
          answered.map((row) => [row.base?.id ?? null, row.candidates[0]?.row?.id ?? null]),
          shown.map(written),
        )
        assert.deepEqual(
          answered.map(({ candidates: [first] }) => [first?.class, first?.delta]),
          shown.map((row) => [classOf(row, on), deltaOf(row, on) ?? null]),
        )
        for (const { total, classes } of windows) {
          assert.equal(total, shown.length)
          const count = (name: RowClass) => left.filter((row) => classOf(row, on) === name).length
          assert.deepEqual(classes, Object.fromEntries(CLASSES.map((name) => [name, count(name)])))
        }
        const sought = rows[chosen % Math.max(1, rows.length)]
        if (sought) await checkLocated(ids, query, rows, shown, sought)
      },
    ),
    { numRuns: 2 * RUNS },
  )
})

async function checkLocated(
  ids: string[],
  query: Record<string, string>,
  rows: Row[],
  shown: Row[],
  sought: Row,
): Promise<void> {
  const before = shown.filter((row) => rows.indexOf(row) < rows.indexOf(sought)).length
  for (const side of ['base', 'candidate'] as const) {
    const locate = sought[side]?.id
    if (locate === undefined) continue
    const found = await windowOf(ids, { ...query, locate, side, limit: '4', offset: '3' })
    assert.deepEqual([found.before, found.located], [before, shown.includes(sought) ? before : null])
    const last = Math.max(0, Math.min(before, shown.length - 1))
    assert.equal(found.offset, last - (last % 4))
    assert.deepEqual(
      found.rows.map((row) => row.base?.id),
      shown.slice(found.offset, found.offset + 4).map((row) => row.base?.id),
    )
  }
}

describe('a comparison that was asked for before', async () => {
  const row = (id: string, value: number) => ({
    ...EVERYTHING,
    id,
    results: [{ evaluator_config: 'score', result: { type: 'number', value } }],
  })
  const ids = [
    await storeEvaluation(store, [row('a', 1), row('b', 1)]),
    await storeEvaluation(store, [row('a', 2), row('b', 0)]),
  ]
  const path = `/api/evaluations/${ids[1]}/evaluation_scenarios`

  test('has what was written since: rows, pins and notes', async () => {
    const asked = async (query: Record<string, string>) => {
      const { total, classes } = await windowOf(ids, query)
      return [total, classes.regressed, classes.improved, classes.missing]
    }
    assert.deepEqual(await asked({}), [2, 1, 1, 0])
    assert.deepEqual(await asked({ is_pinned: 'is.true' }), [0, 0, 0, 0])
    assert.deepEqual(await asked({ q: 'remember' }), [0, 0, 0, 0])
    const patched = await ask(
      service.base,
      `${path}/b`,
      headers,
      'PATCH',
      JSON.stringify({ is_pinned: true, note: 'Remember' }),
    )
    assert.equal(patched.status, 200, patched.text)
    assert.deepEqual(await asked({ is_pinned: 'is.true' }), [1, 1, 0, 0])
    assert.deepEqual(await asked({ q: 'remember' }), [1, 1, 0, 0])
    const added = await ask(service.base, path, headers, 'POST', JSON.stringify([{ id: 'c' }]))
    assert.equal(added.status, 201, added.text)
    assert.deepEqual(await asked({}), [3, 1, 1, 1])
    const { candidates } = JSON.parse(
      (await ask(service.base, `/api/comparisons?evaluation=${ids[0]}&evaluation=${ids[1]}`, headers)).text,
    )
    assert.equal(candidates[0].only_in_candidate, 1)
  })
})
