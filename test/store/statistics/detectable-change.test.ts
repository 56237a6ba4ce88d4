// The smallest change that a comparison would have shown: the power of the tests at this change.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createRandom } from '../../../bench/data.ts'
import {
  detectableRateChange,
  detectableStandardErrors,
} from '../../../src/store/statistics/detectable-change.ts'
import { exactMcNemar } from '../../../src/store/statistics/mcnemar-test.ts'
import {
  detectableRepeatedChange,
  repeatedInterval,
} from '../../../src/store/statistics/repeated-verdicts.ts'
import { fullOnly, testOptions } from '../../support/options.ts'

const random = createRandom(testOptions.seed)

/** The exact power of McNemar's test, by enumeration of all outcomes. */
function powerOf(n: number, change: number, changedShare: number, confidence: number): number {
  const share = Math.max(changedShare, change)
  const [higherShare, lowerShare] = [(share + change) / 2, (share - change) / 2]
  const logFactorials = [0]
  for (let k = 1; k <= n; k += 1) logFactorials.push((logFactorials[k - 1] ?? 0) + Math.log(k))
  const logFactorial = (k: number) => logFactorials[k] ?? 0
  const term = (count: number, chance: number) => (count === 0 ? 0 : count * Math.log(chance))
  let power = 0
  for (let lower = 0; lower <= n; lower += 1) {
    for (let higher = lower; higher + lower <= n; higher += 1) {
      if (exactMcNemar(lower, higher) > 1 - confidence) continue
      const same = n - higher - lower
      power += Math.exp(
        logFactorial(n) -
          logFactorial(lower) -
          logFactorial(higher) -
          logFactorial(same) +
          term(higher, higherShare) +
          term(lower, Math.max(0, lowerShare)) +
          term(same, Math.max(0, 1 - share)),
      )
    }
  }
  return power
}

describe('verdicts without repeats', () => {
  test("McNemar's test has a power of 80 % at the detectable change", () => {
    for (const confidence of [0.95, 1 - 0.05 / 12]) {
      for (const [n, share] of [
        [6, 0],
        [10, 0.3],
        [20, 0],
        [20, 0.2],
        [20, 0.8],
        [60, 0.1],
        [60, 0.5],
        [60, 1],
      ] as const) {
        const change = detectableRateChange(n, share, confidence)
        if (change === null) {
          assert.ok(2 * 2 ** -n > 1 - confidence)
          continue
        }
        const power = powerOf(n, change, share, confidence)
        assert.ok(Math.abs(power - 0.8) < 1e-6, `${n} rows, ${share} changed: ${power} at ${change}`)
      }
    }
  })

  test('the normal approximation continues the exact power', () => {
    for (const share of [0.05, 0.3, 0.9]) {
      const [exact, approximate] = [1000, 1001].map((changed) =>
        detectableRateChange(Math.round(changed / share), changed / Math.round(changed / share), 0.95),
      ) as [number, number]
      assert.ok(Math.abs(exact / approximate - 1) < 0.01, `${exact} and ${approximate}`)
    }
  })

  test('decreases with the number of rows, and increases with the share of changed rows', () => {
    for (const share of [0, 0.1, 0.5]) {
      const changes = [6, 8, 10, 20, 50, 300, 3000, 100_000].map(
        (n) => detectableRateChange(n, share, 0.95) ?? 2,
      )
      assert.deepEqual(
        changes,
        changes.toSorted((a, b) => b - a),
      )
    }
    const changes = [0, 0.05, 0.1, 0.2, 0.5, 0.9, 1].map(
      (share) => detectableRateChange(50, share, 0.95) ?? 2,
    )
    assert.deepEqual(
      changes,
      changes.toSorted((a, b) => a - b),
    )
  })

  test('is null if no change can be significant', () => {
    // 2 * 0.5 ** 6 is more than 5 % / 2.
    assert.equal(detectableRateChange(6, 1, 1 - 0.05 / 2), null)
  })
})

test("Student's t test has a power of 80 % at the detectable number of standard errors", () => {
  // Noncentral t distributions, from scipy.stats.nct.
  for (const [quantile, degreesOfFreedom, expected] of [
    [2.570581835636314, 5, 3.5139],
    [2.2621571627409915, 9, 3.1496],
    [2.093024054408263, 19, 2.9536],
    [2.009575234489209, 49, 2.858],
  ] as const) {
    const ratio = detectableStandardErrors(quantile, degreesOfFreedom) / expected
    assert.ok(Math.abs(ratio - 1) < 0.004, `${degreesOfFreedom}: ${ratio}`)
  }
})

describe('verdicts with repeats', () => {
  /** The sums of rows with the same chances of a full increase, and of noise of a third to each side. */
  function drawChanges(n: number, noise: number, change: number) {
    let [sum, squareSum] = [0, 0]
    for (let row = 0; row < n; row += 1) {
      const chance = random()
      const difference = chance < change ? 1 : chance < change + noise ? (random() < 0.5 ? 1 / 3 : -1 / 3) : 0
      sum += difference
      squareSum += difference * difference
    }
    return { n, sum, squareSum }
  }

  test('the interval excludes 0 in about 80 % of the cases at the detectable change', {
    skip: fullOnly('it simulates 100,000 comparisons'),
  }, () => {
    for (const n of [10, 20, 50, 300]) {
      for (const noise of [0, 0.3, 0.6]) {
        const typical = { n, sum: 0, squareSum: (n * noise) / 9 }
        const change = detectableRepeatedChange(typical, 0.95)
        assert.ok(change !== null)
        // More changes leave less room for noise.
        if (change + noise > 1) continue
        let detected = 0
        for (let sample = 0; sample < 4000; sample += 1)
          if (repeatedInterval(drawChanges(n, noise, change), 0.95)[0] > 0) detected += 1
        const power = detected / 4000
        assert.ok(power > 0.74 && power < 0.9, `${n} rows, noise ${noise}: ${power}`)
      }
    }
  })

  test('without noise it is close to that of verdicts without repeats', () => {
    for (const n of [20, 50, 300]) {
      const repeated = detectableRepeatedChange({ n, sum: 0, squareSum: 0 }, 0.95)
      const single = detectableRateChange(n, 0, 0.95)
      assert.ok(repeated !== null && single !== null && Math.abs(repeated / single - 1) < 0.02)
    }
  })

  test('is null if no change can be significant', () => {
    assert.equal(detectableRepeatedChange({ n: 6, sum: 0, squareSum: 6 }, 1 - 0.05 / 201), null)
  })
})
