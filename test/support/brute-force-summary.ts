// Checks the summary of an evaluation against one that is computed from its scenarios.
import assert from 'node:assert/strict'
import type { EvaluationSummary } from '../../src/schema/summaries.ts'
import { errorGroup } from '../../src/store/scenarios/error-groups.ts'
import { proportionInterval, studentQuantile } from '../../src/store/statistics/beta-distribution.ts'
import type { Declared, Row } from './generated-evaluations.ts'

/** Names are stored without NUL characters, which PostgreSQL does not accept. */
const storable = (name: string) => name.replaceAll('\u0000', '\ufffd')
const finite = (value: unknown) => typeof value === 'number' && Number.isFinite(value)
const namesIn = (lists: string[][]) => [...new Set(lists.flat().map(storable))]

/** Absolute tolerance for subnormal numbers, which have fewer digits. */
const TOLERANCE = 1e-300

/**
 * Allows an error relative to `size`, the magnitude of the numbers that the value is computed from: statistics have 12
 * significant digits.
 */
function near(actual: number | null, expected: number | null, size: number, what: string): void {
  if (expected === null || !Number.isFinite(expected)) {
    assert.equal(actual, null, what)
    return
  }
  assert.ok(actual !== null, `${what} is null, not ${expected}`)
  assert.ok(Math.abs(actual - expected) <= 1e-11 * size + TOLERANCE, `${what} is ${actual}, not ${expected}`)
}

interface Distribution {
  mean: number | null
  minimum: number | null
  maximum: number | null
  total?: number | null
  quantiles: Record<string, number | null>
  bins: { from: number; to: number; count: number }[]
}

function checkDistribution(actual: Distribution, numbers: number[]): void {
  const sorted = numbers.toSorted((a, b) => a - b)
  const [minimum = null, maximum = null] = [sorted[0], sorted.at(-1)]
  const size = Math.max(0, ...numbers.map(Math.abs))
  assert.deepEqual(
    [actual.minimum, actual.maximum],
    [minimum, maximum].map((end) => (end === null ? null : end + 0)),
  )
  // Divides before adding, because the sum can overflow.
  const mean = numbers.reduce((total, value) => total + value / numbers.length, 0)
  near(actual.mean, numbers.length === 0 ? null : mean, size, 'the mean')
  for (const [name, fraction] of [
    ['p05', 0.05],
    ['p25', 0.25],
    ['p50', 0.5],
    ['p75', 0.75],
    ['p95', 0.95],
  ] as const) {
    const rank = fraction * (sorted.length - 1)
    const [below = 0, above = 0] = [sorted[Math.floor(rank)], sorted[Math.ceil(rank)]]
    const quantile = below === above ? below : below + (above - below) * (rank % 1)
    near(actual.quantiles[name] ?? null, numbers.length === 0 ? null : quantile, size, name)
  }
  checkBins(actual.bins, sorted)
}

function checkBins(bins: Distribution['bins'], sorted: number[]): void {
  const [minimum, maximum] = [sorted[0] ?? 0, sorted.at(-1) ?? 0]
  assert.equal(bins.length, sorted.length === 0 ? 0 : minimum === maximum ? 1 : 20)
  for (const [index, { from, to, count }] of bins.entries()) {
    const isLast: boolean = index === bins.length - 1
    assert.equal(from, index === 0 ? minimum + 0 : bins[index - 1]?.to)
    if (isLast) assert.equal(to, maximum + 0)
    else
      near(to - from, maximum / 20 - minimum / 20, Math.max(Math.abs(minimum), Math.abs(maximum)), 'a width')
    const inside: number[] = sorted.filter((value) => value >= from && (isLast ? value <= to : value < to))
    assert.equal(count, inside.length)
  }
}

type Result = Row['results'][number]['result']

function checkEvaluator(
  actual: EvaluationSummary['evaluators'][number],
  rows: Row[],
  declared: Declared | undefined,
): void {
  const { higher_is_better = true, threshold = null } = declared ?? {}
  const scores: (number | boolean)[] = []
  const counts = { texts: 0, errors: 0, output_errors: 0, unscored: 0 }
  for (const { results, outputs } of rows) {
    const result: Result = results.find((one) => storable(one.evaluator_config) === actual.name)?.result ?? {}
    if (result.error) counts.errors += 1
    else if (finite(result.value) || typeof result.value === 'boolean')
      scores.push(result.value as number | boolean)
    else if (typeof result.value === 'string') counts.texts += 1
    else if (outputs.some((output) => output.result.error)) counts.output_errors += 1
    else counts.unscored += 1
  }
  const verdicts = scores.flatMap((score) => {
    if (typeof score === 'boolean') return score
    if (threshold === null) return []
    return higher_is_better ? score >= threshold : score <= threshold
  })
  const hasVerdicts = threshold !== null || verdicts.length > 0
  const passed = verdicts.filter(Boolean).length
  const { name, mean, minimum, maximum, quantiles, bins, mean_interval, pass_rate_interval, ...others } =
    actual
  assert.deepEqual(others, {
    higher_is_better,
    threshold,
    n: scores.length,
    ...counts,
    passed: hasVerdicts ? passed : null,
    failed: hasVerdicts ? verdicts.length - passed : null,
    pass_rate: verdicts.length === 0 ? null : Number((passed / verdicts.length).toPrecision(12)),
  })
  const numbers = scores.map(Number)
  checkDistribution({ mean, minimum, maximum, quantiles, bins }, numbers)
  checkInterval(pass_rate_interval, rateInterval(passed, verdicts.length))
  const areVerdicts = scores.every((score) => typeof score === 'boolean')
  if (areVerdicts) checkInterval(mean_interval, rateInterval(numbers.filter(Boolean).length, numbers.length))
  else checkMeanInterval(mean_interval, numbers)
}

/** The exact interval of Clopper and Pearson. Each scenario is a row of its own. */
function rateInterval(passed: number, count: number): [number, number] | null {
  return count === 0 ? null : proportionInterval(passed, count, 0.95)
}

function checkInterval(actual: number[] | null, expected: [number, number] | null): void {
  for (const end of [0, 1]) near(actual?.[end] ?? null, expected?.[end] ?? null, 1, 'an interval')
}

/** Student's t. Sums of extreme numbers are not compared: the model computes with doubles. */
function checkMeanInterval(actual: number[] | null, numbers: number[]): void {
  const largest = Math.max(0, ...numbers.map(Math.abs))
  if (numbers.length < 2 || numbers.every((number) => number === numbers[0])) {
    assert.equal(actual, null)
    return
  }
  const mean = numbers.reduce((sum, number) => sum + number / numbers.length, 0)
  const squares = numbers.reduce((sum, number) => sum + (number - mean) ** 2, 0)
  const deviation = Math.sqrt(squares / (numbers.length - 1) / numbers.length)
  if (largest > 1e150 || squares < 1e-290 || deviation < 1e-9 * largest) return
  const margin = studentQuantile(0.95, numbers.length - 1) * deviation
  near(actual?.[0] ?? null, mean - margin, largest + margin, 'the lower end')
  near(actual?.[1] ?? null, mean + margin, largest + margin, 'the upper end')
}

function checkAmount(actual: EvaluationSummary['cost'], rows: Row[], name: 'cost' | 'latency'): void {
  const amounts = rows.flatMap(({ outputs }) => {
    const values = outputs.map((output) => output[name]).filter(finite) as number[]
    const sum = values.reduce((total, value) => total + value, 0)
    return values.length === 0 || !Number.isFinite(sum) ? [] : [sum]
  })
  assert.equal(actual.n, amounts.length)
  assert.equal(actual.missing, rows.length - amounts.length)
  const size = amounts.reduce((total, value) => total + Math.abs(value), 0)
  // If an intermediate sum overflows, the result depends on the order of addition.
  if (Number.isFinite(size))
    near(actual.total, amounts.length === 0 ? null : amounts.reduce((a, b) => a + b, 0), size, 'the total')
  checkDistribution(actual, amounts)
  checkMeanInterval(actual.mean_interval, amounts)
}

function errorGroups(rows: Row[]) {
  const groups = new Map<string, { group: string; evaluator: string | null; count: number; first: string }>()
  const add = (evaluator: string | null, message: string, first: string) => {
    const group = errorGroup(message)
    const entry = groups.get(JSON.stringify([evaluator, group])) ?? { group, evaluator, count: 0, first }
    groups.set(JSON.stringify([evaluator, group]), { ...entry, count: entry.count + 1 })
  }
  for (const { id, outputs, results } of rows) {
    const failed = outputs.find(({ result }) => result.error)
    if (failed?.result.error) add(null, failed.result.error.message, id)
    const seen = new Set<string>()
    for (const { evaluator_config, result } of results) {
      if (result.error && !seen.has(evaluator_config))
        add(storable(evaluator_config), result.error.message, id)
      seen.add(evaluator_config)
    }
  }
  return [...groups.values()]
}

const inOrder = (groups: object[]) =>
  groups.map((group) => JSON.stringify(group, Object.keys(group).sort())).sort()

/** `selected` are the filtered rows that the summary covers. */
export function checkSummary(
  summary: EvaluationSummary,
  id: string,
  rows: Row[],
  declared: Declared[],
  selected = rows,
): void {
  const { columns, evaluators, cost, latency, error_groups, error_group_count, ...counts } = summary
  assert.deepEqual(counts, {
    id,
    scenario_count: rows.length,
    matched: selected.length,
    rows: selected.length,
    output_errors: selected.filter(({ outputs }) => outputs.some(({ result }) => result.error)).length,
    pinned: selected.filter(({ is_pinned }) => is_pinned).length,
    noted: selected.filter(({ note }) => note !== null).length,
  })
  assert.deepEqual(columns, {
    inputs: namesIn(rows.map(({ inputs }) => inputs.map(({ name }) => name))),
    expected: namesIn(rows.map(({ correct_answers }) => (correct_answers ?? []).map(({ key }) => key))),
    evaluators: namesIn(rows.map(({ results }) => results.map((one) => one.evaluator_config))),
  })
  assert.deepEqual(
    evaluators.map(({ name }) => name),
    columns.evaluators,
  )
  for (const evaluator of evaluators)
    checkEvaluator(
      evaluator,
      selected,
      declared.find(({ name }) => storable(name) === evaluator.name),
    )
  checkAmount(cost, selected, 'cost')
  checkAmount(latency, selected, 'latency')
  const expected = errorGroups(selected)
  assert.equal(error_group_count, expected.length)
  assert.deepEqual(inOrder(error_groups), inOrder(expected))
  const order = error_groups.map(({ count }) => count)
  assert.deepEqual(
    order,
    order.toSorted((a, b) => b - a),
  )
}
