// Conclusions about paired rows: few rows, verdicts with and without repeats, and numbers of any size.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { createRandom } from '../../../bench/data.ts'
import { NUMBER_SCENARIOS, VERDICT_SCENARIOS } from '../../../bench/verdicts/scenarios.ts'
import { simulateNumbers, simulateVerdicts } from '../../../bench/verdicts/simulation.ts'
import { studentQuantile } from '../../../src/store/statistics/beta-distribution.ts'
import { exactMcNemar } from '../../../src/store/statistics/mcnemar-test.ts'
import { MIN_ROWS, summarizeDifferences } from '../../../src/store/statistics/paired-differences.ts'
import { verdictInterval } from '../../../src/store/statistics/verdict-interval.ts'
import { exactMcNemarPValue, exactStatistics } from '../../support/exact-statistics.ts'
import { fullOnly, testOptions } from '../../support/options.ts'
import { numberPairs, verdictPairs } from '../../support/paired-numbers.ts'

describe('fewer than six rows', () => {
  test('two rows that both regress are too few', () => {
    const { direction, interval, detectable, delta, p_value } = summarizeDifferences(verdictPairs(0, 2, 0))
    assert.deepEqual([direction, interval, detectable, delta, p_value], ['too-few', null, null, -1, 0.5])
  })

  test('are too few for verdicts, verdicts with repeats, and numbers', () => {
    for (let n = 1; n < MIN_ROWS; n += 1) {
      const verdicts = verdictPairs(0, n, 0)
      const numbers = numberPairs(Array.from({ length: n }, (_, row) => row + 1))
      for (const pairs of [verdicts, { ...verdicts, hasRepeats: true }, numbers]) {
        const { direction, interval, detectable } = summarizeDifferences(pairs)
        assert.deepEqual([direction, interval, detectable], ['too-few', null, null])
      }
    }
  })

  test('no rows have no direction', () => {
    const { n, direction, interval, base_mean, mean, delta, p_value } = summarizeDifferences(numberPairs([]))
    assert.deepEqual(
      [n, direction, interval, base_mean, mean, delta, p_value],
      [0, null, null, null, null, null, null],
    )
  })

  test('the interval of 2 of 4 rows would be within -1 and 1', () => {
    const [low, high] = verdictInterval({ n: 4, higher: 0, lower: 2 }, 0.95)
    assert.ok(-1 <= low && low < 0 && 0 <= high && high < 1, `${low} ${high}`)
  })
})

describe('verdicts without repeats', () => {
  test('4 of 10 rows that regress are tied, and the interval contains 0', () => {
    const { direction, interval, p_value } = summarizeDifferences(verdictPairs(0, 4, 6))
    assert.deepEqual([direction, p_value], ['tied', 0.125])
    assert.ok(interval && interval[0] < 0 && interval[1] >= 0)
  })

  test('6 of 6 rows that regress are lower', () => {
    const { direction, p_value, interval } = summarizeDifferences(verdictPairs(0, 6, 0))
    assert.deepEqual([direction, p_value, interval?.[0]], ['lower', 0.03125, -1])
  })

  test("the direction is that of McNemar's exact test, and of the interval", () => {
    const count = fc.nat(30)
    fc.assert(
      fc.property(count, count, count, (higher, lower, same) => {
        const statistics = summarizeDifferences(verdictPairs(higher, lower, same))
        const n = higher + lower + same
        assert.deepEqual([statistics.n, statistics.higher, statistics.lower], [n, higher, lower])
        if (n === 0) return
        const p = exactMcNemarPValue(lower, higher)
        assert.ok(Math.abs((statistics.p_value ?? 0) - p) <= 1e-11 * p)
        if (n < MIN_ROWS) return
        const expected = p > 0.05 ? 'tied' : higher > lower ? 'higher' : 'lower'
        assert.equal(statistics.direction, expected)
        const [low, high] = statistics.interval ?? [Number.NaN, Number.NaN]
        assert.equal(low > 0 ? 'higher' : high < 0 ? 'lower' : 'tied', expected)
      }),
    )
  })

  test('rows that do not change have an interval, because others could change', () => {
    const { direction, interval, delta } = summarizeDifferences(verdictPairs(0, 0, 20))
    assert.deepEqual([direction, delta], ['tied', 0])
    assert.ok(interval && interval[0] < -0.1 && interval[1] > 0.1)
  })

  test('the p-value of many changes is exact', () => {
    for (const [lower, higher] of [
      [0, 0],
      [1, 0],
      [3, 14],
      [480, 520],
      [10_000, 10_300],
    ] as const)
      assert.ok(Math.abs(exactMcNemar(lower, higher) / exactMcNemarPValue(lower, higher) - 1) < 1e-10)
  })
})

describe('verdicts with repeats', () => {
  test("have Student's t interval with added rows, by hand", () => {
    // 20 rows of which 5 decrease by 1/2, and 1.28 rows added in each direction.
    const baseline = new Float64Array(20).fill(1)
    const candidate = baseline.map((_, row) => (row < 5 ? 0.5 : 1))
    const { interval, direction, p_value, delta } = summarizeDifferences({
      baseline,
      candidate,
      verdicts: 20,
      hasRepeats: true,
    })
    const added = 1.959963984540054 ** 2 / 3
    const total = 20 + 2 * added
    const mean = -2.5 / total
    const variance = (5 / 4 + 2 * added) / total - mean * mean
    const margin = studentQuantile(0.95, 19) * Math.sqrt(variance / (total - 1))
    assert.ok(interval && Math.abs(interval[0] - (mean - margin)) < 1e-11)
    assert.ok(Math.abs(interval[1] - (mean + margin)) < 1e-11)
    assert.deepEqual([direction, p_value, delta], ['tied', null, -0.125])
  })

  test('have a direction if all rows change equally', () => {
    const candidate = new Float64Array(10)
    for (const [share, direction] of [
      [1, 'lower'],
      [0.7, 'lower'],
      [0.1, 'tied'],
    ] as const) {
      const baseline = new Float64Array(10).fill(share)
      const statistics = summarizeDifferences({ baseline, candidate, verdicts: 10, hasRepeats: true })
      assert.equal(statistics.direction, direction)
      assert.ok(statistics.interval && statistics.interval[0] >= -1 && statistics.detectable !== null)
    }
  })

  test('agree with single verdicts if all repeats of a row are equal', () => {
    for (const [higher, lower, same] of [
      [0, 6, 14],
      [0, 5, 15],
      [1, 9, 10],
      [2, 9, 40],
      [12, 30, 100],
      [20, 20, 60],
    ] as const) {
      const pairs = verdictPairs(higher, lower, same)
      const [single, repeated] = [
        summarizeDifferences(pairs),
        summarizeDifferences({ ...pairs, hasRepeats: true }),
      ]
      assert.equal(repeated.direction, single.direction, `${higher}, ${lower}, ${same}`)
    }
  })

  const skip = fullOnly('it simulates 100,000 comparisons')
  for (const repeats of [3, 10, 'mixed'] as const) {
    test(`with ${repeats} repeats have false alarms of at most 5.5 % and a coverage of at least 94 %`, {
      skip,
    }, () => {
      const random = createRandom(testOptions.seed)
      for (const n of [6, 10, 20, 50]) {
        for (const scenario of VERDICT_SCENARIOS) {
          const { coverage, significant } = simulateVerdicts({ random, samples: 2000, n }, scenario, repeats)
          const name = `${scenario.name}, ${n} rows`
          // The standard error of the simulation is 0.5 %. The benchmark of verdicts has more samples.
          assert.ok(coverage >= 0.925, `${name}: ${coverage}`)
          if (scenario.change === 0) assert.ok(significant <= 0.07, `${name}: ${significant}`)
        }
      }
    })
  }
})

describe('numbers', () => {
  test("have Student's t interval, with one row as the unit", () => {
    const number = fc.integer({ min: -50, max: 50 }).map((integer) => integer / 7)
    fc.assert(
      fc.property(fc.array(number, { minLength: MIN_ROWS, maxLength: 30 }), (differences) => {
        const { interval, direction, delta, p_value } = summarizeDifferences(numberPairs(differences))
        if (!interval || direction === null) return
        const exact = exactStatistics(differences.map((candidate) => ({ baseline: 0, candidate })))
        const margin = exact.error * studentQuantile(0.95, differences.length - 1)
        const tolerance = 1e-9 * (Math.abs(exact.delta) + margin)
        assert.ok(Math.abs((delta ?? 0) - exact.delta) <= tolerance)
        assert.ok(Math.abs(interval[0] - (exact.delta - margin)) <= tolerance)
        assert.ok(Math.abs(interval[1] - (exact.delta + margin)) <= tolerance)
        assert.equal(direction, interval[0] > 0 ? 'higher' : interval[1] < 0 ? 'lower' : 'tied')
        assert.equal(p_value, null)
      }),
    )
  })

  test('differences that are all equal and not 0 have no conclusion', () => {
    // 0.3 - 0.2 and 0.5 - 0.4 differ in the last bit.
    const baseline = Float64Array.of(0.2, 0.4, 0.8, 0.2, 0.4, 0.8)
    const pairs = { ...numberPairs([0.3, 0.5, 0.9, 0.3, 0.5, 0.9]), baseline }
    const { direction, interval, detectable, delta } = summarizeDifferences(pairs)
    assert.deepEqual([direction, interval, detectable, delta], [null, null, null, 0.1])
  })

  test('differences that are all 0 are tied', () => {
    const { direction, interval, detectable } = summarizeDifferences(numberPairs(new Array(8).fill(0)))
    assert.deepEqual([direction, interval, detectable], ['tied', [0, 0], null])
  })

  test('rows of verdicts and numbers are numbers', () => {
    const { interval, p_value } = summarizeDifferences({ ...numberPairs([1, 0, 0, 1, 0.5, 0]), verdicts: 5 })
    assert.ok(interval)
    assert.equal(p_value, null)
  })

  test('can have any size', () => {
    const differences = [1, 2, 3, 4, 5, 6.5]
    const expected = summarizeDifferences(numberPairs(differences))
    for (const scale of [1e-300, 1e-120, 1e120, 1e300]) {
      const scaled = summarizeDifferences(numberPairs(differences.map((difference) => difference * scale)))
      assert.equal(scaled.direction, expected.direction)
      const ratios = [scaled.delta, ...(scaled.interval ?? []), scaled.detectable].map(
        (value) => (value ?? 0) / scale,
      )
      const values = [expected.delta, ...(expected.interval ?? []), expected.detectable]
      for (const [index, ratio] of ratios.entries())
        assert.ok(Math.abs(ratio / (values[index] ?? 0) - 1) < 1e-9, `${ratio} is not ${values[index]}`)
    }
  })

  test('differences that do not fit a double have a direction, but no interval', () => {
    const max = Number.MAX_VALUE
    const candidate = Float64Array.of(max, max, max, max, max, max / 2)
    const statistics = summarizeDifferences({
      baseline: candidate.map((number) => -number),
      candidate,
      verdicts: 0,
      hasRepeats: false,
    })
    assert.deepEqual([statistics.direction, statistics.interval, statistics.delta], ['higher', null, null])
  })

  test('normal differences have false alarms of 5 %', {
    skip: fullOnly('it simulates 50,000 comparisons'),
  }, () => {
    const random = createRandom(testOptions.seed)
    for (const n of [6, 10, 20]) {
      for (const scenario of NUMBER_SCENARIOS.normal) {
        const { significant } = simulateNumbers({ random, samples: 20_000, n }, scenario)
        assert.ok(Math.abs(significant - 0.05) < 0.005, `${n} rows: ${significant}`)
      }
    }
  })
})
