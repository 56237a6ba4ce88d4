// Agreement statistics, compared with published examples and with exact arithmetic.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  centerRanks,
  computeMeanDistance,
  correlateRanks,
  describeVerdicts,
} from '../../../src/store/statistics/agreement.ts'
import { checkVerdicts, exactRankCorrelation } from '../../support/brute-force-agreement.ts'

/** https://dgbonett.github.io/statpsych/reference/ci.kappa.html, after Fleiss & Paik 2003: ci.kappa(.05, 31, 12, 4, 58). */
test('returns the kappa and the confidence interval of a published example', () => {
  const { kappa, interval } = describeVerdicts({
    both_fail: 31,
    only_evaluator: 12,
    only_with: 4,
    both_pass: 58,
  })
  assert.equal(kappa?.toFixed(7), '0.6756757')
  // The example uses more digits of 1.96.
  const standardError = ((interval?.[1] ?? 0) - (kappa ?? 0)) / 1.96
  assert.equal(standardError.toFixed(8), '0.07344761')
  assert.deepEqual(
    interval?.map((limit) => limit.toFixed(5)),
    ['0.53172', '0.81963'],
  )
})

function correlate(first: number[], second: number[]): number | null {
  return correlateRanks(centerRanks(Float64Array.from(first)), centerRanks(Float64Array.from(second)))
}

/** https://docs.scipy.org/doc/scipy/reference/generated/scipy.stats.spearmanr.html */
test('returns the rank correlation of a published example with ties', () => {
  const correlation = correlate([1, 2, 3, 4, 5], [5, 6, 7, 8, 7])
  assert.equal(correlation, Number((0.8207826816681233).toPrecision(12)))
})

test('computes kappa and its confidence interval like exact arithmetic', () => {
  const count = fc.oneof(fc.nat(3), fc.nat(100), fc.nat(100_000))
  fc.assert(
    fc.property(count, count, count, count, (both_pass, both_fail, only_evaluator, only_with) => {
      const table = { both_pass, both_fail, only_evaluator, only_with }
      fc.pre(Object.values(table).some((count) => count > 0))
      checkVerdicts(describeVerdicts(table), table)
    }),
    { numRuns: 1000 },
  )
})

test('has an interval without width if all verdicts agree', () => {
  const table = { both_pass: 99_991, both_fail: 99_989, only_evaluator: 0, only_with: 0 }
  assert.deepEqual(describeVerdicts(table).interval, [1, 1])
})

test('correlates 2,000 numbers with ties like exact arithmetic', () => {
  const numbers = (factor: number) => Array.from({ length: 2000 }, (_, row) => (row * factor) % 97)
  const [first, second] = [numbers(7), numbers(31)]
  const expected = exactRankCorrelation(first.map((number, row) => [number, second[row] ?? 0]))
  const actual = correlate(first, second)
  assert.ok(Math.abs((actual ?? 2) - (expected ?? 0)) < 1e-12, `${actual} ${expected}`)
})

test('averages distances that do not fit a double', () => {
  const largest = Float64Array.of(1.7e308, 1)
  assert.equal(computeMeanDistance(largest, Float64Array.of(-1e308, 1)), 1.35e308)
  assert.equal(computeMeanDistance(largest, Float64Array.of(-1.7e308, -1.7e308)), null)
  assert.equal(computeMeanDistance(Float64Array.of(5e-324), Float64Array.of(-5e-324)), 1e-323)
})
