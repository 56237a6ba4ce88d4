// Checks the agreement of two evaluators against one that is computed from the scenarios, in exact arithmetic.
import assert from 'node:assert/strict'
import type { Agreement } from '../../src/schema/analysis/agreements.ts'
import { absolute, quotient, SMALLEST_EXPONENT, toInteger, total } from './exact-statistics.ts'
import { Fraction, ONE, sumOf } from './fractions.ts'
import type { Declared, Row } from './generated-evaluations.ts'

/** Absolute tolerance for subnormal numbers, which have fewer digits. */
const TOLERANCE = 1e-300

/** Statistics have 12 significant digits. */
function near(actual: number | null | undefined, expected: number | null, what: string): void {
  if (expected === null || !Number.isFinite(expected)) {
    assert.equal(actual, null, what)
    return
  }
  assert.ok(typeof actual === 'number', `${what} is ${actual}, not ${expected}`)
  const tolerance = 1e-11 * Math.abs(expected) + TOLERANCE
  assert.ok(Math.abs(actual - expected) <= tolerance, `${what} is ${actual}, not ${expected}`)
}

export interface Table {
  both_pass: number
  both_fail: number
  only_evaluator: number
  only_with: number
}

/** Proportions by the verdict of the evaluator and the verdict of the other one, as in the definition of kappa. */
function proportionsOf({ both_pass, both_fail, only_evaluator, only_with }: Table) {
  const n = both_pass + both_fail + only_evaluator + only_with
  const cells = [
    [new Fraction(both_pass, n), new Fraction(only_evaluator, n)],
    [new Fraction(only_with, n), new Fraction(both_fail, n)],
  ] as [[Fraction, Fraction], [Fraction, Fraction]]
  const rows = cells.map(sumOf) as [Fraction, Fraction]
  const columns = [0, 1].map((column) => sumOf(cells.map((row) => row[column as 0]))) as [Fraction, Fraction]
  const observed = cells[0][0].plus(cells[1][1])
  const expected = sumOf([0, 1].map((i) => rows[i as 0].times(columns[i as 0])))
  return { n, cells, rows, columns, observed, expected }
}

/** Undefined if the expected agreement is 1. */
function exactKappa(table: Table): Fraction | undefined {
  const { observed, expected } = proportionsOf(table)
  const unexpected = ONE.minus(expected)
  return unexpected.top === 0n ? undefined : observed.minus(expected).over(unexpected)
}

/** Fleiss, Cohen & Everitt 1969, formula 13, as in the documentation of SAS PROC FREQ. */
function exactStandardError(table: Table, kappa: Fraction): number {
  const { n, cells, rows, columns, expected } = proportionsOf(table)
  const rest = ONE.minus(kappa)
  const terms = [0, 1].flatMap((i) =>
    [0, 1].map((j) => {
      const cell = cells[i as 0][j as 0]
      if (i === j) return cell.times(ONE.minus(rows[i as 0].plus(columns[i as 0]).times(rest)).squared)
      return cell.times(columns[i as 0].plus(rows[j as 0]).squared).times(rest.squared)
    }),
  )
  const mean = kappa.minus(expected.times(rest)).squared
  return sumOf(terms)
    .minus(mean)
    .over(ONE.minus(expected).squared.times(new Fraction(n))).root
}

export function checkVerdicts(actual: Agreement['verdicts'], table: Table): void {
  assert.ok(actual)
  const { both_pass, both_fail, only_evaluator, only_with } = table
  const n = both_pass + both_fail + only_evaluator + only_with
  assert.deepEqual({ ...actual, ...table, n }, actual)
  near(actual.agreement, (both_pass + both_fail) / n, 'the agreement')
  const rate = (part: number, whole: number) => (whole === 0 ? null : part / whole)
  near(actual.precision, rate(both_pass, both_pass + only_evaluator), 'the precision')
  near(actual.recall, rate(both_pass, both_pass + only_with), 'the recall')
  near(actual.specificity, rate(both_fail, both_fail + only_evaluator), 'the specificity')
  const kappa = exactKappa(table)
  near(actual.kappa, kappa?.value ?? null, 'kappa')
  if (!kappa) {
    assert.equal(actual.interval, null)
    return
  }
  const margin = 1.96 * exactStandardError(table, kappa)
  const [low, high] = [Math.max(-1, kappa.value - margin), Math.min(1, kappa.value + margin)]
  // The limits are differences of kappa and the margin, so their error is relative to these.
  const isClose = (a = 0, b = 0) => Math.abs(a - b) < 1e-11
  assert.ok(isClose(actual.interval?.[0], low) && isClose(actual.interval?.[1], high), `${actual.interval}`)
}

type Score = { verdict: boolean | undefined; number: number | undefined }

/** Names are stored without NUL characters, which PostgreSQL does not accept. */
const storable = (name: string) => name.replaceAll('\u0000', '\ufffd')

function declarationOf(name: string, declared: Declared[]) {
  return declared.find((one) => storable(one.name) === name)
}

/** Undefined if the first result of the evaluator is no score. */
function scoreOf({ results }: Row, name: string, declared: Declared[]): Score | undefined {
  const result = results.find(({ evaluator_config }) => storable(evaluator_config) === name)?.result
  if (!result || result.error) return undefined
  if (typeof result.value === 'boolean') return { verdict: result.value, number: undefined }
  if (typeof result.value !== 'number' || !Number.isFinite(result.value)) return undefined
  const { threshold, higher_is_better = true } = declarationOf(name, declared) ?? {}
  const number = result.value
  if (threshold === undefined) return { verdict: undefined, number }
  return { verdict: higher_is_better ? number >= threshold : number <= threshold, number }
}

/** `rows` are those that match the filters. */
export function checkAgreement(actual: Agreement, rows: Row[], declared: Declared[]): void {
  const [evaluator, other] = [actual.evaluator, actual.with]
  for (const { name, higher_is_better, threshold } of [evaluator, other]) {
    const declaration = declarationOf(name, declared)
    assert.deepEqual(
      { higher_is_better, threshold },
      { higher_is_better: declaration?.higher_is_better ?? true, threshold: declaration?.threshold ?? null },
    )
  }
  const pairs = rows.flatMap((row) => {
    const [first, second] = [scoreOf(row, evaluator.name, declared), scoreOf(row, other.name, declared)]
    return first && second ? [{ first, second }] : []
  })
  assert.deepEqual([actual.rows, actual.n], [rows.length, pairs.length])
  const judged = pairs.filter(
    ({ first, second }) => first.verdict !== undefined && second.verdict !== undefined,
  )
  if (judged.length === 0) assert.equal(actual.verdicts, null)
  else
    checkVerdicts(
      actual.verdicts,
      tableOf(judged.map(({ first, second }) => [first.verdict === true, second.verdict === true])),
    )
  checkNumbers(
    actual.numbers,
    pairs.flatMap(({ first, second }) =>
      first.number === undefined || second.number === undefined ? [] : [[first.number, second.number]],
    ),
  )
  checkBestThreshold(
    actual,
    pairs.flatMap(({ first, second }) =>
      first.number === undefined || second.verdict === undefined ? [] : [[first.number, second.verdict]],
    ),
  )
  const hasNumbers = [
    pairs.some(({ first }) => first.number !== undefined),
    pairs.some(({ second }) => second.number !== undefined),
  ]
  const verdictOf = (row: Row) => scoreOf(row, evaluator.name, declared)?.verdict
  const evaluated = rows.map(verdictOf).filter((verdict) => verdict !== undefined)
  const corrections = checkCorrectedRate(actual, evaluated)
  // The generated evaluations have fewer rows than a comparison needs.
  const isCompared = actual.verdicts ?? actual.numbers ?? actual.best_threshold
  assert.deepEqual(
    actual.warnings.map(({ code }) => code),
    [
      ...(pairs.length === 0 ? ['nothing-to-compare'] : []),
      ...[evaluator, other].flatMap(({ threshold }, index) =>
        hasNumbers[index] && threshold === null ? ['no-threshold'] : [],
      ),
      ...(isCompared ? ['few-rows'] : []),
      ...corrections,
    ],
  )
}

/** Checks the rate, not its interval. `evaluated` are all verdicts of the evaluator. Returns the expected warnings, without reviews. */
function checkCorrectedRate(
  { verdicts, corrected_pass_rate: actual }: Agreement,
  evaluated: boolean[],
): Agreement['warnings'][number]['code'][] {
  const n = verdicts?.n ?? 0
  const { both_pass = 0, only_evaluator = 0, only_with = 0, both_fail = 0 } = verdicts ?? {}
  const passed = evaluated.filter((verdict) => verdict).length
  const failed = evaluated.length - passed
  const [judgedPasses, judgedFails] = [both_pass + only_evaluator, only_with + both_fail]
  const isUnjudged = (passed > 0 && judgedPasses === 0) || (failed > 0 && judgedFails === 0)
  if (n < 30 || isUnjudged) {
    assert.equal(actual, null)
    return n < 30 ? [] : ['unjudged-verdict']
  }
  assert.ok(actual)
  const mean = (size: number, count: number, total: number) =>
    size === 0 ? 0 : ((size / evaluated.length) * count) / total
  const expected = mean(passed, both_pass, judgedPasses) + mean(failed, only_with, judgedFails)
  near(actual.corrected, expected, 'the corrected pass rate')
  const isComplete = n === evaluated.length
  const { rows, judged, assumption_met } = actual
  assert.deepEqual([rows, actual.passed, judged, assumption_met], [evaluated.length, passed, n, isComplete])
  return isComplete ? [] : ['not-a-random-sample']
}

function tableOf(verdicts: (readonly [boolean, boolean])[]): Table {
  const count = (first: boolean, second: boolean) =>
    verdicts.filter(([one, other]) => one === first && other === second).length
  return {
    both_pass: count(true, true),
    both_fail: count(false, false),
    only_evaluator: count(true, false),
    only_with: count(false, true),
  }
}

/** The distance of each rank from the mean rank, times 2. */
function exactRanks(numbers: number[]): bigint[] {
  return numbers.map((number) => {
    const [less, equal] = [
      numbers.filter((other) => other < number).length,
      numbers.filter((other) => other === number).length,
    ]
    return BigInt(2 * less + equal - numbers.length)
  })
}

export function exactRankCorrelation(pairs: number[][]): number | null {
  const [first, second] = [0, 1].map((side) => exactRanks(pairs.map((pair) => pair[side] ?? 0))) as [
    bigint[],
    bigint[],
  ]
  const sum = (a: bigint[], b: bigint[]) => total(a.map((rank, row) => rank * (b[row] ?? 0n)))
  const squares = sum(first, first) * sum(second, second)
  if (squares === 0n) return null
  const products = sum(first, second)
  return Math.sign(Number(products)) * new Fraction(products * products, squares).root
}

function checkNumbers(actual: Agreement['numbers'], pairs: number[][]): void {
  if (pairs.length === 0) {
    assert.equal(actual, null)
    return
  }
  assert.equal(actual?.n, pairs.length)
  near(actual?.rank_correlation, exactRankCorrelation(pairs), 'the rank correlation')
  const distances = pairs.map(([a = 0, b = 0]) => absolute(toInteger(a) - toInteger(b)))
  const mean = quotient(total(distances), BigInt(pairs.length), SMALLEST_EXPONENT)
  near(actual?.mean_absolute_difference, mean, 'the mean absolute difference')
}

function checkBestThreshold(
  { best_threshold: actual, thresholds, evaluator: { higher_is_better, threshold: declared } }: Agreement,
  pairs: (readonly [number, boolean])[],
): void {
  const candidates = [...new Set(pairs.map(([number]) => number + 0))]
    .map((threshold) => ({
      threshold,
      table: tableOf(
        pairs.map(([number, verdict]) => [
          higher_is_better ? number >= threshold : number <= threshold,
          verdict,
        ]),
      ),
    }))
    .flatMap(({ threshold, table }) => {
      const kappa = exactKappa(table)
      return kappa ? [{ threshold, table, kappa }] : []
    })
  if (new Set(pairs.map(([, verdict]) => verdict)).size < 2) {
    assert.deepEqual([actual, thresholds], [null, []])
    return
  }
  const numbers = [...new Set(pairs.map(([number]) => number + 0))].sort((a, b) => a - b)
  // Generated evaluations have fewer scores than the limit.
  assert.deepEqual(
    thresholds.map(({ threshold }) => threshold),
    numbers,
  )
  for (const { threshold, kappa } of thresholds)
    near(
      kappa,
      candidates.find((candidate) => candidate.threshold === threshold)?.kappa.value ?? null,
      'kappa with a threshold',
    )
  const [best] = candidates.toSorted((a, b) => {
    const difference = b.kappa.minus(a.kappa).top
    if (difference !== 0n) return difference > 0n ? 1 : -1
    const agreed = (table: Table) => table.both_pass + table.both_fail
    if (agreed(a.table) !== agreed(b.table)) return agreed(b.table) - agreed(a.table)
    const distance = ({ threshold }: { threshold: number }) =>
      declared === null ? 0 : Math.abs(threshold - declared)
    return distance(a) === distance(b) ? a.threshold - b.threshold : distance(a) - distance(b)
  })
  assert.ok(best && actual)
  assert.equal(actual.threshold, best.threshold)
  const { threshold: _, ...verdicts } = actual
  checkVerdicts(verdicts, best.table)
}
