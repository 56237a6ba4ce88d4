// Property tests for breakdowns: groups and their statistics, checked against a model with exact arithmetic.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createRandom } from '../../../bench/data.ts'
import type { Breakdown, BreakdownGroup } from '../../../src/schema/analysis/breakdowns.ts'
import { sizes } from '../../sizes.ts'
import { checkBreakdown, type ModelPairs, modelGroups } from '../../support/brute-force-breakdown.ts'
import { haveDifferentInputs, joinByModel, type KeyedRow } from '../../support/brute-force-comparison.ts'
import {
  areValid,
  DECLARED,
  type FilterCase,
  filterCases,
  SCENARIO_WITH_ALL_NAMES,
  toQuery,
} from '../../support/brute-force-filters.ts'
import { testOptions } from '../../support/options.ts'
import {
  EVALUATORS,
  type GeneratedScenario,
  scenariosOf,
  storeEvaluation,
} from '../../support/stored-evaluations.ts'
import { startWriteService } from '../../support/write-service.ts'

const { store, readJson } = await startWriteService()

function read(id: string, query: Record<string, string | string[]>): Promise<Breakdown> {
  const pairs = Object.entries(query).flatMap(([name, value]) => [value].flat().map((text) => [name, text]))
  return readJson(`/api/evaluations/${id}/breakdown?${new URLSearchParams(pairs)}`, 'Breakdown')
}

const keys = fc.constantFrom('input.q', 'input.n', 'error', ...EVALUATORS.map((name) => `result.${name}`))
const orders = fc.constantFrom(
  ...['rows', 'errors', 'cost', 'latency', 'result.score', 'delta.score', 'contribution.a.b=c&d'].flatMap(
    (order) => [`${order}.asc`, `${order}.desc`],
  ),
)
const filters = fc.array(filterCases, { maxLength: 2 }).filter(areValid)

function sortValue(group: BreakdownGroup, order: string): number | null {
  const [, by = '', name] = /^(\w+?)(?:\.(.*))?\.(?:asc|desc)$/.exec(order) ?? []
  if (by === 'rows') return group.rows
  if (by === 'errors') return group.output_errors
  if (by === 'cost' || by === 'latency') return group[by].mean
  const evaluator = group.evaluators.find((one) => one.name === name)
  if (by === 'result') return evaluator?.mean ?? null
  return evaluator?.base?.[by as 'delta' | 'contribution'] ?? null
}

function checkOrder(groups: BreakdownGroup[], order: string, rows: GeneratedScenario[]): void {
  const sign = order.endsWith('.desc') ? -1 : 1
  const positions = new Map(rows.map(({ id }, position) => [id, position]))
  for (const [index, group] of groups.slice(1).entries()) {
    const previous = groups[index] as BreakdownGroup
    const [a, b] = [sortValue(previous, order), sortValue(group, order)]
    const [first, second] = [positions.get(previous.first) ?? -1, positions.get(group.first) ?? -1]
    if (a === b) assert.ok(first < second, `${previous.first} comes before ${group.first}`)
    else assert.ok(b === null || (a !== null && sign * (b - a) > 0), `${order}: ${a} comes before ${b}`)
  }
}

function joinModels(baseline: GeneratedScenario[], candidate: GeneratedScenario[]): ModelPairs {
  // Each scenario is a row of its own, see storeEvaluation.
  const [baselineRows, rows] = [baseline, candidate].map((rows) => ({
    rows: rows.map((row) => ({ ...row, sample: row.id })),
  }))
  assert.ok(baselineRows && rows)
  const join = joinByModel(baselineRows, [rows], 'auto').at(-1)?.[0]
  assert.ok(join)
  const different = join.pairs.filter((pair) =>
    haveDifferentInputs(baseline[pair.baseline] as KeyedRow, candidate[pair.position] as KeyedRow),
  )
  const hasOutcome = join.by !== 'id' || 2 * different.length <= join.pairs.length
  return { baseline, candidate, pairs: join.pairs, hasOutcome, higherIsBetter: () => true }
}

const matching = (rows: GeneratedScenario[], filters: FilterCase[]) =>
  rows.filter((one) => filters.every(({ matches }) => matches(one)))

test('returns the groups and statistics of the in-memory model, under filters and in any order', async () => {
  await fc.assert(
    fc.asyncProperty(scenariosOf(60), filters, keys, orders, async (generated, filters, by, order) => {
      const rows = [SCENARIO_WITH_ALL_NAMES, ...generated]
      const id = await storeEvaluation(store, rows, DECLARED)
      const needsBaseline = /^(delta|contribution)/.test(order)
      const query = { ...toQuery(filters), by, ...(!needsBaseline && { order }) }
      const breakdown = await read(id, query)
      checkBreakdown(breakdown, modelGroups(matching(rows, filters), by))
      checkOrder(breakdown.groups, needsBaseline ? 'rows.desc' : order, rows)
    }),
    { numRuns: sizes.generated_evaluations },
  )
})

test('returns the changes of the in-memory model relative to a baseline', async () => {
  await fc.assert(
    fc.asyncProperty(
      scenariosOf(60),
      scenariosOf(60),
      filters,
      keys,
      orders,
      async (generatedBaseline, generated, filters, by, order) => {
        const [baseline, rows] = [
          [SCENARIO_WITH_ALL_NAMES, ...generatedBaseline],
          [SCENARIO_WITH_ALL_NAMES, ...generated],
        ]
        const base = await storeEvaluation(store, baseline, DECLARED)
        const id = await storeEvaluation(store, rows, DECLARED)
        const breakdown = await read(id, { ...toQuery(filters), by, base, order })
        checkBreakdown(breakdown, modelGroups(matching(rows, filters), by), joinModels(baseline, rows))
        checkOrder(breakdown.groups, order, rows)
      },
    ),
    { numRuns: sizes.generated_evaluations },
  )
})

/** Rows with an input of several hundred values, some of them frequent. */
function manyGroups(seed: number): GeneratedScenario[] {
  const random = createRandom(seed)
  const rows = Array.from({ length: 700 }, (_, index): GeneratedScenario => {
    const value = Math.floor(400 * random() ** 2)
    const result = { type: 'bool', value: random() < 0.5 }
    return {
      ...SCENARIO_WITH_ALL_NAMES,
      id: `s-${index}`,
      inputs: random() < 0.9 ? [{ name: 'q', type: 'number', value }] : [],
      outputs: [{ result: { type: 'text', value: 'x' }, cost: random(), latency: random() }],
      results: [
        { evaluator_config: 'exact', result },
        { evaluator_config: 'score', result: { type: 'number', value: random() } },
      ],
    }
  })
  return [...rows, SCENARIO_WITH_ALL_NAMES]
}

test('lists the 200 groups with the most rows, and combines the statistics of the others', async () => {
  const [baseline, rows] = [manyGroups(1), manyGroups(2)]
  const base = await storeEvaluation(store, baseline, DECLARED)
  const id = await storeEvaluation(store, rows, DECLARED)
  for (const by of ['input.q', 'result.exact', ...(testOptions.profile === 'full' ? ['result.score'] : [])]) {
    const groups = modelGroups(rows, by)
    assert.equal(groups.length > 200, by !== 'result.exact')
    checkBreakdown(await read(id, { by }), groups)
    const breakdown = await read(id, { by, base, order: 'contribution.exact.asc' })
    checkBreakdown(breakdown, groups, joinModels(baseline, rows))
    checkOrder(breakdown.groups, 'contribution.exact.asc', rows)
  }
})
