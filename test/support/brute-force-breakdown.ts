// Checks a breakdown against groups and statistics that are computed row by row, in exact arithmetic.
import assert from 'node:assert/strict'
import type { Breakdown, GroupChange, GroupStatistics } from '../../src/schema/analysis/breakdowns.ts'
import { errorGroup } from '../../src/store/scenarios/error-groups.ts'
import { studentQuantile } from '../../src/store/statistics/beta-distribution.ts'
import type { ModelPair } from './brute-force-comparison.ts'
import { totalOf, verdictOf } from './brute-force-filters.ts'
import { exactStatistics, exactTotals, isExactMcNemarSignificant } from './exact-statistics.ts'
import { EVALUATORS, type GeneratedScenario, resultOf, scoreOf } from './stored-evaluations.ts'

/** With fewer rows nothing is concluded. */
const MIN_ROWS = 6

export interface ModelGroup {
  kind: 'value' | 'missing' | 'error'
  value: unknown
  rows: GeneratedScenario[]
}

/** `by` is `error`, or a field and a name. */
function findValue(one: GeneratedScenario, by: string): Omit<ModelGroup, 'rows'> {
  const [, field, name = ''] = /^(\w+)\.?(.*)$/s.exec(by) ?? []
  if (field === 'input') {
    const input = one.inputs.find((input) => input.name === name)
    return input ? { kind: 'value', value: input.value } : { kind: 'missing', value: undefined }
  }
  if (field === 'error') {
    const message = one.outputs.find(({ result }) => result.error)?.result.error?.message
    if (message === undefined) return { kind: 'missing', value: undefined }
    return { kind: 'value', value: errorGroup(message) }
  }
  const result = resultOf(one, name)
  if (result?.error) return { kind: 'error', value: undefined }
  const isValue = ['number', 'boolean', 'string'].includes(typeof result?.value)
  return isValue ? { kind: 'value', value: result?.value } : { kind: 'missing', value: undefined }
}

/** The groups with the most rows first; groups of the same size by their first row. */
export function modelGroups(rows: GeneratedScenario[], by: string): ModelGroup[] {
  const groups = new Map<string, ModelGroup>()
  for (const row of rows) {
    const { kind, value } = findValue(row, by)
    const key = JSON.stringify([kind, value === 0 ? 0 : value])
    const group = groups.get(key) ?? { kind, value, rows: [] }
    group.rows.push(row)
    groups.set(key, group)
  }
  return [...groups.values()].sort((a, b) => b.rows.length - a.rows.length)
}

/** The pairs of the evaluation and its baseline. */
export interface ModelPairs {
  baseline: GeneratedScenario[]
  candidate: GeneratedScenario[]
  pairs: ModelPair[]
  /** False if the pairs are different rows of a test set. */
  hasOutcome: boolean
  higherIsBetter: (evaluator: string) => boolean
}

/** `groups` are all groups of the matching rows, in the order of modelGroups. */
export function checkBreakdown(actual: Breakdown, groups: ModelGroup[], model?: ModelPairs): void {
  const [listed, others] = [groups.slice(0, 200), groups.slice(200)]
  assert.equal(actual.group_count, groups.length)
  const byFirst = new Map(listed.map((group) => [group.rows[0]?.id, group]))
  assert.equal(actual.groups.length, listed.length)
  const expected: [GroupStatistics, GeneratedScenario[]][] = actual.groups.map((group) => {
    const modelGroup = byFirst.get(group.first)
    assert.ok(modelGroup, `no group begins with ${group.first}`)
    assert.deepEqual([group.kind, group.value], [modelGroup.kind, modelGroup.value])
    return [group, modelGroup.rows]
  })
  const restRows = others.flatMap(({ rows }) => rows)
  assert.equal(actual.rest === null, others.length === 0)
  if (actual.rest) expected.push([actual.rest, restRows])
  const allRows = groups.flatMap(({ rows }) => rows)
  for (const [statistics, rows] of [...expected, [actual.total, allRows] as const])
    checkStatistics(statistics, rows)
  if (!model) return
  for (const [index, name] of EVALUATORS.entries()) {
    const changes = expected.map(([group, rows]) => [group.evaluators[index]?.base, rows] as const)
    const pick = (one: GeneratedScenario) => {
      const number = scoreOf(one, name)
      return number === undefined
        ? undefined
        : { number, isVerdict: typeof resultOf(one, name)?.value === 'boolean' }
    }
    checkChanges(
      changes,
      [actual.total.evaluators[index]?.base, allRows],
      model,
      pick,
      model.higherIsBetter(name),
    )
  }
  for (const measure of ['cost', 'latency'] as const) {
    const changes = expected.map(([group, rows]) => [group[measure].base, rows] as const)
    const pick = (one: GeneratedScenario) => {
      const number = totalOf(one, measure)
      return number === undefined ? undefined : { number, isVerdict: false }
    }
    checkChanges(changes, [actual.total[measure].base, allRows], model, pick, false)
  }
}

function checkStatistics(actual: GroupStatistics, rows: GeneratedScenario[]): void {
  assert.equal(actual.rows, rows.length)
  assert.equal(
    actual.output_errors,
    rows.filter(({ outputs }) => outputs.some((one) => one.result.error)).length,
  )
  const numbersOf = (pick: (one: GeneratedScenario) => number | undefined) =>
    rows.map(pick).filter((number) => number !== undefined)
  for (const [index, name] of EVALUATORS.entries()) {
    const { base: _, ...evaluator } = actual.evaluators[index] as GroupStatistics['evaluators'][number]
    const scores = numbersOf((one) => scoreOf(one, name))
    const verdicts = rows.map((one) => verdictOf(one, name)).filter((verdict) => verdict !== undefined)
    const passed = verdicts.filter(Boolean).length
    assert.deepEqual(evaluator, {
      name,
      n: scores.length,
      mean: exactTotals(scores).mean,
      pass_rate: verdicts.length === 0 ? null : Number((passed / verdicts.length).toPrecision(12)),
    })
  }
  const { base: _, ...cost } = actual.cost
  const costs = numbersOf((one) => totalOf(one, 'cost'))
  assert.deepEqual(cost, { n: costs.length, ...exactTotals(costs) })
  const { base: __, ...latency } = actual.latency
  const latencies = numbersOf((one) => totalOf(one, 'latency'))
  assert.deepEqual(latency, { n: latencies.length, mean: exactTotals(latencies).mean })
}

interface ComparedNumber {
  number: number
  isVerdict: boolean
}
type Change = readonly [change: GroupChange | undefined, rows: GeneratedScenario[]]

/** Checks the changes of one evaluator or measure: those of the groups, and of all rows. */
function checkChanges(
  groups: Change[],
  [total, allRows]: Change,
  { baseline, candidate, pairs, hasOutcome }: ModelPairs,
  pick: (one: GeneratedScenario) => ComparedNumber | undefined,
  higherIsBetter: boolean,
): void {
  const describe = (rows: GeneratedScenario[]) => {
    const included = new Set(rows)
    const compared = pairs.flatMap((pair) => {
      const [a, b] = [baseline[pair.baseline], candidate[pair.position]]
      if (!a || !b || !included.has(b)) return []
      const [first, second] = [pick(a), pick(b)]
      if (!first || !second || first.isVerdict !== second.isVerdict) return []
      return [{ baseline: first.number, candidate: second.number, isVerdict: first.isVerdict }]
    })
    const exact = exactStatistics(compared)
    const higher = compared.filter((pair) => pair.candidate > pair.baseline).length
    const lower = compared.filter((pair) => pair.candidate < pair.baseline).length
    const size = exact.sizes.baseline + exact.sizes.candidate
    const isExact = compared.length > 0 && compared.every(({ isVerdict }) => isVerdict)
    const hasVariance = exact.error > 1e-11 * size
    const hasInterval = exact.n >= MIN_ROWS && (isExact || hasVariance || exact.delta === 0)
    return { exact, higher, lower, isExact, hasInterval, size }
  }
  const expected = groups.map(([change, rows]) => ({ change, ...describe(rows) }))
  const groupCount = expected.filter(({ hasInterval }) => hasInterval).length
  const all = describe(allRows)
  for (const { change, exact, higher, lower, isExact, hasInterval, size } of [
    ...expected,
    { change: total, ...all },
  ]) {
    assert.ok(change)
    const { n, mean, delta, interval, confidence, outcome, contribution, regressed, improved } = change
    assert.equal(n, exact.n)
    assertNear(mean, exact.base_mean, size)
    assertNear(delta, exact.delta, size)
    assertNear(contribution, (exact.delta * n) / all.exact.n, size)
    assert.deepEqual([regressed, improved], higherIsBetter ? [lower, higher] : [higher, lower])
    assert.equal(interval !== null, hasInterval)
    const error = change === total ? 0.05 : 0.05 / groupCount
    assertNear(confidence, hasInterval ? 1 - error : Number.NaN, 1)
    const [low = 0, high = 0] = interval ?? []
    const side = low > 0 ? 1 : high < 0 ? -1 : 0
    const direction = higherIsBetter ? 'better' : 'worse'
    const opposite = higherIsBetter ? 'worse' : 'better'
    if (!hasInterval) {
      assert.equal(outcome, hasOutcome && n > 0 && n < MIN_ROWS ? 'too-few' : null)
      continue
    }
    const expectedOutcome = side === 0 ? 'tied' : side > 0 ? direction : opposite
    assert.equal(outcome, hasOutcome ? expectedOutcome : null)
    if (isExact) {
      const isSignificant = isExactMcNemarSignificant(lower, higher, change === total ? 1 : groupCount)
      assert.equal(side !== 0, isSignificant)
      assert.ok(low >= -1 && low <= exact.delta + 1e-9 && high >= exact.delta - 1e-9 && high <= 1)
    } else {
      const margin = studentQuantile(1 - error, n - 1) * exact.error
      assertNear(low, exact.delta - margin, size + 100 * margin)
      assertNear(high, exact.delta + margin, size + 100 * margin)
    }
  }
}

/** Allows an error relative to `size`: statistics have 12 significant digits. Null for values that do not exist. */
function assertNear(actual: number | null, expected: number, size: number): void {
  if (Number.isNaN(expected)) assert.equal(actual, null)
  else {
    assert.ok(actual !== null, `null for ${expected}`)
    assert.ok(Math.abs(actual - expected) <= 1e-11 * size + 1e-300, `${actual} for ${expected}`)
  }
}
