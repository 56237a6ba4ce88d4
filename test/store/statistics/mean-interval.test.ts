// Intervals of pass rates and of means: published values, limits, and coverage.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createRandom } from '../../../bench/data.ts'
import { RATE_SCENARIOS, type Repeats } from '../../../bench/verdicts/scenarios.ts'
import { simulateRates } from '../../../bench/verdicts/simulation.ts'
import { proportionInterval, studentQuantile } from '../../../src/store/statistics/beta-distribution.ts'
import { meanInterval, rateInterval } from '../../../src/store/statistics/mean-interval.ts'
import { fullOnly, testOptions } from '../../support/options.ts'

function verdicts(passes: number, n: number) {
  const means = Float64Array.from({ length: n }, (_, row) => Number(row < passes))
  return { means, hasRepeats: false, runs: n }
}

describe('pass rates', () => {
  test('have the interval of Clopper and Pearson without repeats', () => {
    // R. G. Newcombe, Statistics in Medicine 17 (1998), 857–872, table I.
    const interval = rateInterval(verdicts(81, 263))
    assert.deepEqual(
      interval?.map((bound) => bound.toFixed(4)),
      ['0.2527', '0.3676'],
    )
    assert.deepEqual(rateInterval(verdicts(0, 20))?.[0], 0)
    assert.deepEqual(rateInterval(verdicts(20, 20))?.[1], 1)
    assert.equal(rateInterval(verdicts(0, 0)), null)
  })

  test('have the interval of single verdicts if all repeats of a row are equal', () => {
    for (const [passes, n] of [
      [0, 7],
      [13, 20],
      [50, 50],
    ] as const)
      assert.deepEqual(
        rateInterval({ ...verdicts(passes, n), hasRepeats: true, runs: 10 * n }),
        rateInterval(verdicts(passes, n)),
      )
  })

  test('have a shorter interval if repeats of a row differ, but never shorter than that of independent runs', () => {
    const means = Float64Array.from({ length: 200 }, (_, row) => (3 + (row % 5)) / 10)
    const [low = 0, high = 0] = rateInterval({ means, hasRepeats: true, runs: 2000 }) ?? []
    const [rowLow, rowHigh] = proportionInterval(100, 200, 0.95)
    const [runLow, runHigh] = proportionInterval(1000, 2000, 0.95)
    assert.ok(rowLow < low && high < rowHigh)
    assert.ok(low <= runLow && runHigh <= high)
  })

  test('are fast and exact if all rows pass every time', () => {
    // The effective number of verdicts has rounding errors.
    for (let n = 1; n <= 100; n += 1) {
      const interval = rateInterval({ ...verdicts(n, n), hasRepeats: true, runs: 10 * n })
      assert.equal(interval?.[1], 1)
    }
  })

  const isFull = testOptions.profile === 'full'
  for (const repeats of [1, 3, 10, 'mixed'] as Repeats[]) {
    test(`with ${repeats} repeats are in the interval in at least 94 % of the cases`, {
      skip: fullOnly('it simulates 1,000,000 evaluations'),
    }, () => {
      const random = createRandom(testOptions.seed)
      for (const n of [6, 10, 20, 50]) {
        for (const scenario of RATE_SCENARIOS) {
          const samples = isFull ? 5000 : 200
          const { coverage } = simulateRates({ random, samples, n }, scenario, repeats)
          // The standard error of the simulation is 0.3 %.
          assert.ok(coverage >= 0.934, `${scenario.name}, ${n} rows: ${coverage}`)
        }
      }
    })
  }
})

describe('means', () => {
  test("have Student's t interval", () => {
    // NIST/SEMATECH e-Handbook, section 1.3.5.2: 195 numbers with the mean 9.261460 and the standard deviation 0.022789.
    const half = (0.022789 * Math.sqrt(194 / 195) * Math.sqrt(195)) / Math.sqrt(194)
    const means = Float64Array.from({ length: 194 }, (_, row) => 9.26146 + (row % 2 === 0 ? half : -half))
    const [low = 0, high = 0] = meanInterval(means) ?? []
    const margin = (studentQuantile(0.95, 193) * half * Math.sqrt(194 / 193)) / Math.sqrt(194)
    assert.ok(Math.abs(low - (9.26146 - margin)) < 1e-9)
    assert.ok(Math.abs(high - (9.26146 + margin)) < 1e-9)
    assert.deepEqual(meanInterval(Float64Array.of(1, 2, 3)), [-0.48413771175, 4.48413771175])
  })

  test('have no interval for fewer than 2 rows, or if all are equal', () => {
    assert.equal(meanInterval(new Float64Array()), null)
    assert.equal(meanInterval(Float64Array.of(4)), null)
    assert.equal(meanInterval(Float64Array.of(0.1, 0.1, 0.1)), null)
    // These differ in the last bit.
    assert.equal(meanInterval(Float64Array.of(0.3, 0.1 + 0.2, 0.3)), null)
  })

  test('can have any size', () => {
    for (const scale of [1e-300, 1e-120, 1e150, 1e300]) {
      const interval = meanInterval(Float64Array.of(scale, 2 * scale, 3 * scale))
      const ratios = interval?.map(
        (bound, index) => bound / scale / ([-0.48413771175, 4.48413771175][index] ?? 0),
      )
      for (const ratio of ratios ?? [0]) assert.ok(Math.abs(ratio - 1) < 1e-9, `${interval}`)
    }
    const max = Number.MAX_VALUE
    assert.equal(meanInterval(Float64Array.of(-max, max)), null)
  })
})
