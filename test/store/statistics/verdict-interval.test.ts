// The interval of changed verdicts: its definition, its agreement with McNemar's exact test, and its exact coverage.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { changeGrid, exactCoverage, summarizeGrid } from '../../../bench/verdicts/exact-coverage.ts'
import { verdictInterval } from '../../../src/store/statistics/verdict-interval.ts'
import { sizes } from '../../sizes.ts'
import { isExactMcNemarSignificant } from '../../support/exact-statistics.ts'
import { testOptions } from '../../support/options.ts'

const isFull = testOptions.profile === 'full'

function coverageAt(n: number, groups: number): ReturnType<typeof exactCoverage> {
  return exactCoverage(n, (rows, higher, lower) =>
    verdictInterval({ n: rows, higher, lower }, 1 - 0.05 / groups),
  )
}

describe('coverage', () => {
  for (const n of isFull ? [6, 7, 8, 9, 10, 15, 20, 30, 50, 100, 300] : [6, 10, 20, 30]) {
    test(`intervals of ${n} rows contain the true change in at least 94 % of the cases`, () => {
      const { coverage, falseAlarms, worst } = summarizeGrid(
        coverageAt(n, 1),
        changeGrid(n, sizes.change_grid_steps),
      )
      assert.ok(coverage >= 0.94, `${coverage} at ${worst}`)
      assert.ok(falseAlarms <= 0.05, String(falseAlarms))
    })
  }

  // Normal intervals of paired differences contained this change in 63, 92 and 88 % of the cases.
  for (const n of [20, 50, 100]) {
    test(`intervals of ${n} rows contain a loss of 5 % if rows only get worse`, () => {
      const { coverage } = coverageAt(n, 1)(0, 0.05)
      assert.ok(coverage >= 0.94, String(coverage))
    })
  }

  for (const groups of isFull ? [2, 5, 12, 50, 201] : [12, 201]) {
    test(`the error is at most 1.2 times the nominal one at the level of ${groups} groups`, () => {
      for (const n of isFull ? [6, 10, 20, 30, 50, 100] : [10, 20]) {
        const { coverage, worst } = summarizeGrid(
          coverageAt(n, groups),
          changeGrid(n, sizes.change_grid_steps),
        )
        const ratio = (1 - coverage) / (0.05 / groups)
        assert.ok(ratio <= 1.2, `${n} rows: ${ratio} at ${worst}`)
      }
    })
  }

  test('intervals of 20 rows are less than 47 points wide if 5 % become higher and 10 % lower', () => {
    // 61 points with the product of two exact intervals.
    assert.ok(coverageAt(20, 1)(0.05, 0.1).width < 0.47)
  })
})

test("the interval excludes 0 exactly if McNemar's exact test rejects, and contains the observed change", () => {
  const last = isFull ? 300 : 40
  for (const groups of [1, 12, 201]) {
    for (let higher = 0; higher <= last; higher += 1) {
      // Larger sums of counts are sampled: each needs integers of hundreds of bits.
      for (let lower = higher; lower <= last; lower += higher + lower > 60 ? 7 : 1) {
        const isSignificant = isExactMcNemarSignificant(lower, higher, groups)
        for (const same of [0, 1, 1000]) {
          const n = higher + lower + same
          if (n === 0) continue
          const [low, high] = verdictInterval({ n, higher, lower }, 1 - 0.05 / groups)
          const change = (higher - lower) / n
          assert.equal(high < 0, isSignificant, `${higher} higher and ${lower} lower of ${n}`)
          assert.ok(-1 <= low && low <= change && change <= high && high <= 1, `${low} ${high}`)
          const [mirroredLow, mirroredHigh] = verdictInterval(
            { n, higher: lower, lower: higher },
            1 - 0.05 / groups,
          )
          assert.ok(-mirroredHigh === low && -mirroredLow === high)
        }
      }
    }
  }
})

describe('definition', () => {
  /** The skewness-corrected score, from the constrained maximum likelihood of P. J. Laud's R package ratesci. */
  function scoreOf(n: number, higher: number, lower: number, delta: number, correction: number): number {
    // A grid search for the most likely share of rows that become lower.
    let best = { share: 0, logLikelihood: Number.NEGATIVE_INFINITY }
    let [from, to] = [Math.max(0, -delta), Math.min(1, (1 - delta) / 2)]
    for (let zoom = 0; zoom < 6; zoom += 1) {
      const step = (to - from) / 40
      for (let share = from; share <= to; share += step) {
        const term = (count: number, chance: number) => (count === 0 ? 0 : count * Math.log(chance))
        const logLikelihood =
          term(higher, share + delta) + term(lower, share) + term(n - higher - lower, 1 - 2 * share - delta)
        if (logLikelihood > best.logLikelihood) best = { share, logLikelihood }
      }
      ;[from, to] = [Math.max(from, best.share - step), Math.min(to, best.share + step)]
    }
    const share = 2 * best.share + delta
    const variance = share - delta * delta
    const skewness = (delta - 3 * delta * share + 2 * delta ** 3) / variance ** 1.5 / Math.sqrt(n)
    const score = (higher - lower - correction - n * delta) / Math.sqrt(n * variance)
    return score - (skewness * (1.959963984540054 ** 2 - 1)) / 6
  }

  test('at each bound the score is the quantile of the normal distribution', () => {
    for (const [n, higher, lower] of [
      [21, 1, 7],
      [20, 0, 3],
      [50, 5, 5],
      [100, 40, 12],
    ] as const) {
      const [low, high] = verdictInterval({ n, higher, lower }, 0.95)
      const isSignificant = low > 0 || high < 0
      if (isSignificant || low < 0)
        assert.ok(Math.abs(scoreOf(n, higher, lower, low, 0.5) - 1.959963984540054) < 1e-4)
      if (isSignificant || high > 0)
        assert.ok(Math.abs(scoreOf(n, lower, higher, -high, 0.5) - 1.959963984540054) < 1e-4)
    }
  })

  test('has the bounds of known cases', () => {
    assert.deepEqual(verdictInterval({ n: 6, higher: 0, lower: 6 }, 0.95)[0], -1)
    const [low, high] = verdictInterval({ n: 10, higher: 0, lower: 4 }, 0.95)
    assert.deepEqual([low.toFixed(4), high.toFixed(4)], ['-0.7437', '0.0594'])
  })
})

test('counts of 100,000 rows need a few microseconds', () => {
  const [low, high] = verdictInterval({ n: 100_000, higher: 10_000, lower: 10_300 }, 0.95)
  // The normal interval: 0.003 +- 1.96 sqrt(0.203 / 100,000), with a correction of half a row.
  assert.ok(Math.abs(low + 0.0057976) < 1e-5 && Math.abs(high + 0.0002024) < 1e-5, `${low} ${high}`)
})
