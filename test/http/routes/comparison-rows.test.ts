// Property tests for GET /comparisons/rows: filters, order, counts and locate, checked against an in-memory model.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { ROW_CLASSES, type RowClass } from '../../../src/schema/comparisons.ts'
import { sizes } from '../../sizes.ts'
import { joinByModel, type KeyedRow } from '../../support/brute-force-comparison.ts'
import {
  comparisonOperator,
  DECLARED,
  type FilterCase,
  filterCases,
  orders,
  SCENARIO_WITH_ALL_NAMES,
  satisfies,
  sortedBy,
  sortedByKeys,
} from '../../support/brute-force-filters.ts'
import { createTestKey, createTestStore, startTestService } from '../../support/harness.ts'
import { checkDocumented, schemaErrors, sendRequest } from '../../support/http.ts'
import {
  EVALUATORS,
  type GeneratedScenario,
  resultOf,
  scenariosOf,
  scoreOf,
  storeEvaluation,
} from '../../support/stored-evaluations.ts'

const RUNS = sizes.generated_evaluations

const store = await createTestStore()
const service = await startTestService(store)
const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
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

type Query = Record<string, string | string[]>

async function readWindow(ids: string[], query: Query): Promise<Window> {
  const pairs = Object.entries(query).flatMap(([name, value]) => [value].flat().map((text) => [name, text]))
  const search = new URLSearchParams(pairs).toString()
  const path = `/api/comparisons/rows?${ids.map((id) => `evaluation=${id}`).join('&')}&${search}`
  const response = await sendRequest(service.baseUrl, path, headers)
  assert.equal(response.status, 200, `${path}: ${response.text}`)
  checkDocumented(path, response)
  const window = JSON.parse(response.text)
  assert.deepEqual(schemaErrors('ComparisonRows', window), [])
  return window
}

/** A row of the baseline, of the candidate, or a pair of both. */
interface Row {
  base: GeneratedScenario | undefined
  candidate: GeneratedScenario | undefined
}

/** Stored scenarios are rows of their own. */
function toKeyedRow({ id, inputs }: GeneratedScenario): KeyedRow {
  return { id, inputs, sample: id } as KeyedRow
}

/** Joins the rows in baseline order, followed by the rows that only the candidate has. */
function joinRows(base: GeneratedScenario[], candidate: GeneratedScenario[], by: string): Row[] {
  const keyedEvaluations = [{ rows: base.map(toKeyedRow) }, { rows: candidate.map(toKeyedRow) }] as const
  const pairs = joinByModel(keyedEvaluations[0], [keyedEvaluations[1]], by).at(-1)?.[0]?.pairs ?? []
  const candidates = new Map(pairs.map((pair) => [pair.baseline, candidate[pair.position]]))
  const pairedPositions = new Set(pairs.map(({ position }) => position))
  return [
    ...base.map((one, position) => ({ base: one, candidate: candidates.get(position) })),
    ...candidate
      .filter((_, position) => !pairedPositions.has(position))
      .map((one) => ({ base: undefined, candidate: one })),
  ]
}

function computeDelta({ base, candidate }: Row, evaluator: string): number | undefined {
  if (!base || !candidate) return undefined
  const [baselineScore, score] = [scoreOf(base, evaluator), scoreOf(candidate, evaluator)]
  const kinds = [base, candidate].map((one) => typeof resultOf(one, evaluator)?.value)
  if (baselineScore === undefined || score === undefined || kinds[0] !== kinds[1]) return undefined
  return score - baselineScore + 0
}

/** The baseline declares that lower is better for this evaluator. */
const LOWER_IS_BETTER = 'grade'
const BASELINE_EVALUATORS = [...DECLARED, { name: LOWER_IS_BETTER, higher_is_better: false }]

function classifyRow(row: Row, evaluator: string): RowClass {
  if (!row.base || !row.candidate) return 'missing'
  const delta = computeDelta(row, evaluator)
  if (delta === undefined) return 'incomparable'
  if (delta === 0) return 'same'
  return delta > 0 === (evaluator !== LOWER_IS_BETTER) ? 'improved' : 'regressed'
}

interface RowFilterCase {
  parameter: string
  value: string | string[]
  matches: (row: Row) => boolean
}

/** Filters apply to the row of the candidate, or to that of the baseline if there is none. `q` searches both. */
function applyToRows({ parameter, value, matches }: FilterCase): RowFilterCase {
  const isMatch = (one: GeneratedScenario | undefined) => one !== undefined && matches(one)
  return {
    parameter,
    value,
    matches: ({ base, candidate }) =>
      parameter === 'q' ? isMatch(base) || isMatch(candidate) : isMatch(candidate ?? base),
  }
}

const deltaCases = fc
  .tuple(fc.constantFrom(...EVALUATORS), comparisonOperator, fc.constantFrom(0, 1, -0.5))
  .map(
    ([evaluator, operator, operand]): RowFilterCase => ({
      parameter: `delta.${evaluator}`,
      value: `${operator}.${operand}`,
      matches: (row) => satisfies(computeDelta(row, evaluator), operator, operand),
    }),
  )

const rowCases = fc.oneof(
  { weight: 3, arbitrary: filterCases.map(applyToRows) },
  { weight: 1, arbitrary: deltaCases },
)
const rowOrders = fc.oneof(
  { weight: 3, arbitrary: orders },
  fc.constantFrom('position', 'position.desc', 'position.desc'),
  fc.constantFrom(...EVALUATORS).map((name) => `delta.${name}.desc`),
  fc.constantFrom(...EVALUATORS).map((name) => `delta.${name}.asc`),
  fc.constant(undefined),
)

/** Sorts rows that are in default order. */
function sortRows(rows: Row[], order: string | undefined, show: string, on: string): Row[] {
  if (order === undefined) {
    const magnitude = (row: Row) => Math.abs(computeDelta(row, on) ?? Number.NaN)
    const isChanged = show === 'regressed' || show === 'improved'
    return isChanged ? sortedByKeys(rows, (row) => [magnitude(row) || undefined], -1) : rows
  }
  const sign = order.endsWith('.desc') ? -1 : 1
  const [, evaluator] = /^delta\.(.*)\.\w+$/.exec(order) ?? []
  if (evaluator !== undefined) return sortedByKeys(rows, (row) => [computeDelta(row, evaluator)], sign)
  const position = (row: Row) => (row.base ? rows.indexOf(row) : undefined)
  if (order.startsWith('position')) return sortedByKeys(rows, (row) => [position(row)], sign)
  return sortedBy(rows, order, ({ candidate }) => candidate)
}

/** Each evaluation has rows that the other lacks, and shared rows can be in a different order. */
const evaluations = fc
  .tuple(scenariosOf(18), scenariosOf(18), fc.constantFrom(0, 1, 2), fc.boolean())
  .map(([base, candidate, sideWithoutShared, isReversed]) => {
    const sides = [base, candidate].map((list, side) => {
      const ownRows = list.map((scenario, index) => ({
        ...scenario,
        id: `s-${side === 0 ? index : index + 2}`,
      }))
      return sideWithoutShared === side ? ownRows : [SCENARIO_WITH_ALL_NAMES, ...ownRows]
    }) as [GeneratedScenario[], GeneratedScenario[]]
    return { base: sides[0], candidate: isReversed ? sides[1].toReversed() : sides[1] }
  })

const joinKeys = fc.constantFrom('auto', 'id', 'input', 'input.q', 'position')
const hasInput = (rows: GeneratedScenario[], name: string) =>
  rows.some(({ inputs }) => inputs.some((input) => input.name === name))

test('filters, classifies, orders and locates rows like the in-memory model', async () => {
  await fc.assert(
    fc.asyncProperty(
      evaluations,
      joinKeys,
      fc.uniqueArray(rowCases, { selector: ({ parameter }) => parameter, maxLength: 3 }),
      rowOrders,
      fc.oneof(fc.constant('all'), fc.constantFrom(...ROW_CLASSES)),
      fc.constantFrom(...EVALUATORS),
      fc.nat(),
      async ({ base, candidate }, requestedKey, filters, order, show, on, targetIndex) => {
        const canJoin = requestedKey !== 'input.q' || (hasInput(base, 'q') && hasInput(candidate, 'q'))
        const by = canJoin ? requestedKey : 'id'
        const ids = [
          await storeEvaluation(store, base, BASELINE_EVALUATORS),
          await storeEvaluation(store, candidate, DECLARED),
        ]
        const rows = sortRows(joinRows(base, candidate, by), order, show, on)
        const matchingRows = rows.filter((row) => filters.every(({ matches }) => matches(row)))
        const isVisible = (row: Row) => show === 'all' || classifyRow(row, on) === show
        const visibleRows = matchingRows.filter(isVisible)
        const idsOf = ({ base, candidate }: Row) => [base?.id ?? null, candidate?.id ?? null]
        const query = {
          ...Object.fromEntries(filters.map(({ parameter, value }) => [parameter, value])),
          by,
          show,
          on,
          ...(order !== undefined && { order }),
        }
        const windows = [
          await readWindow(ids, { ...query, limit: '7' }),
          await readWindow(ids, { ...query, offset: '7' }),
        ]
        const returnedRows = windows.flatMap((window) => window.rows)
        assert.deepEqual(
          returnedRows.map((row) => [row.base?.id ?? null, row.candidates[0]?.row?.id ?? null]),
          visibleRows.map(idsOf),
        )
        assert.deepEqual(
          returnedRows.map(({ candidates: [first] }) => [first?.class, first?.delta]),
          visibleRows.map((row) => [classifyRow(row, on), computeDelta(row, on) ?? null]),
        )
        for (const { total, classes } of windows) {
          assert.equal(total, visibleRows.length)
          const count = (name: RowClass) => matchingRows.filter((row) => classifyRow(row, on) === name).length
          assert.deepEqual(classes, Object.fromEntries(ROW_CLASSES.map((name) => [name, count(name)])))
        }
        const target = rows[targetIndex % Math.max(1, rows.length)]
        if (target) await checkLocated(ids, query, rows, visibleRows, target)
      },
    ),
    { numRuns: 2 * RUNS },
  )
})

async function checkLocated(
  ids: string[],
  query: Query,
  rows: Row[],
  visibleRows: Row[],
  target: Row,
): Promise<void> {
  const rowsBefore = visibleRows.filter((row) => rows.indexOf(row) < rows.indexOf(target)).length
  for (const side of ['base', 'candidate'] as const) {
    const locate = target[side]?.id
    if (locate === undefined) continue
    const window = await readWindow(ids, { ...query, locate, side, limit: '4', offset: '3' })
    assert.deepEqual(
      [window.before, window.located],
      [rowsBefore, visibleRows.includes(target) ? rowsBefore : null],
    )
    const rowIndex = Math.max(0, Math.min(rowsBefore, visibleRows.length - 1))
    assert.equal(window.offset, rowIndex - (rowIndex % 4))
    assert.deepEqual(
      window.rows.map((row) => row.base?.id),
      visibleRows.slice(window.offset, window.offset + 4).map((row) => row.base?.id),
    )
  }
}

describe('a cached comparison', async () => {
  const row = (id: string, value: number) => ({
    ...SCENARIO_WITH_ALL_NAMES,
    id,
    results: [{ evaluator_config: 'score', result: { type: 'number', value } }],
  })
  const ids = [
    await storeEvaluation(store, [row('a', 1), row('b', 1)]),
    await storeEvaluation(store, [row('a', 2), row('b', 0)]),
  ]
  const path = `/api/evaluations/${ids[1]}/evaluation_scenarios`

  test('includes rows, pins and notes written after it was cached', async () => {
    const readCounts = async (query: Record<string, string>) => {
      const { total, classes } = await readWindow(ids, query)
      return [total, classes.regressed, classes.improved, classes.missing]
    }
    assert.deepEqual(await readCounts({}), [2, 1, 1, 0])
    assert.deepEqual(await readCounts({ is_pinned: 'is.true' }), [0, 0, 0, 0])
    assert.deepEqual(await readCounts({ q: 'remember' }), [0, 0, 0, 0])
    const patchResponse = await sendRequest(
      service.baseUrl,
      `${path}/b`,
      headers,
      'PATCH',
      JSON.stringify({ is_pinned: true, note: 'Remember' }),
    )
    assert.equal(patchResponse.status, 200, patchResponse.text)
    assert.deepEqual(await readCounts({ is_pinned: 'is.true' }), [1, 1, 0, 0])
    assert.deepEqual(await readCounts({ q: 'remember' }), [1, 1, 0, 0])
    const appendResponse = await sendRequest(
      service.baseUrl,
      path,
      headers,
      'POST',
      JSON.stringify([{ id: 'c' }]),
    )
    assert.equal(appendResponse.status, 201, appendResponse.text)
    assert.deepEqual(await readCounts({}), [3, 1, 1, 1])
    const { candidates } = JSON.parse(
      (
        await sendRequest(
          service.baseUrl,
          `/api/comparisons?evaluation=${ids[0]}&evaluation=${ids[1]}`,
          headers,
        )
      ).text,
    )
    assert.equal(candidates[0].only_in_candidate, 1)
  })
})
