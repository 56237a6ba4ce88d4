// Quantiles of the beta distribution, compared with published tables, closed forms and integer arithmetic.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  betaProbability,
  betaQuantile,
  proportionInterval,
  studentQuantile,
} from '../../../src/store/statistics/beta-distribution.ts'
import { exactBinomialTail } from '../../support/exact-statistics.ts'

function assertClose(actual: number, expected: number, tolerance = 1e-11): void {
  const error = Math.abs(actual - expected) / Math.abs(expected)
  assert.ok(error <= tolerance, `${actual} is not ${expected}: the relative error is ${error}`)
}

test("returns the published quantiles of Student's t distribution", () => {
  // NIST/SEMATECH e-Handbook of Statistical Methods, section 1.3.6.7.2.
  const TABLE: [degreesOfFreedom: number, t975: number, t995: number][] = [
    [1, 12.706, 63.657],
    [2, 4.303, 9.925],
    [3, 3.182, 5.841],
    [5, 2.571, 4.032],
    [10, 2.228, 3.169],
    [30, 2.042, 2.75],
    [60, 2, 2.66],
    [100, 1.984, 2.626],
  ]
  for (const [degreesOfFreedom, t975, t995] of TABLE) {
    assert.equal(Number(studentQuantile(0.95, degreesOfFreedom).toFixed(3)), t975)
    assert.equal(Number(studentQuantile(0.99, degreesOfFreedom).toFixed(3)), t995)
  }
})

test('returns the published intervals of a proportion', () => {
  // R. G. Newcombe, Two-sided confidence intervals for the single proportion, Statistics in Medicine 17 (1998), table I.
  const TABLE: [count: number, total: number, low: number, high: number][] = [
    [81, 263, 0.2527, 0.3676],
    [15, 148, 0.0578, 0.1617],
    [0, 20, 0, 0.1684],
    [1, 29, 0.0009, 0.1776],
  ]
  for (const [count, total, low, high] of TABLE) {
    const interval = proportionInterval(count, total, 0.95).map((bound) => Number(bound.toFixed(4)))
    assert.deepEqual(interval, [low, high], `${count} of ${total}`)
    const mirrored = proportionInterval(total - count, total, 0.95).map((bound) => Number(bound.toFixed(4)))
    assert.deepEqual(mirrored, [Number((1 - high).toFixed(4)), Number((1 - low).toFixed(4))])
  }
})

test('each bound of a proportion has the binomial probability of its tail', () => {
  const cases = fc
    .tuple(fc.integer({ min: 1, max: 250 }), fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(200))
    .map(([total, share, groups]) => [total, Math.round(share * total), 1 - 0.05 / (groups + 1)] as const)
  fc.assert(
    fc.property(cases, ([total, count, confidence]) => {
      const [low, high] = proportionInterval(count, total, confidence)
      const tail = (1 - confidence) / 2
      if (count === 0) assert.equal(low, 0)
      else assertClose(exactBinomialTail(total, count, low), tail)
      if (count === total) assert.equal(high, 1)
      // The upper bound is rounded to a multiple of 2 ** -53, which matters if it is close to 1.
      else assertClose(exactBinomialTail(total, total - count, 1 - high), tail, 1e-9)
    }),
  )
})

/** The probability that |T| is below t. Starts with a closed form and adds 2 degrees of freedom in each step. */
function studentProbability(t: number, degreesOfFreedom: number): number {
  const fraction = (t * t) / (degreesOfFreedom + t * t)
  const isOdd = degreesOfFreedom % 2 === 1
  let probability = isOdd ? (2 / Math.PI) * Math.asin(Math.sqrt(fraction)) : Math.sqrt(fraction)
  let term = isOdd
    ? (2 / Math.PI) * Math.sqrt(fraction * (1 - fraction))
    : (Math.sqrt(fraction) * (1 - fraction)) / 2
  for (let b = isOdd ? 0.5 : 1; b < degreesOfFreedom / 2; b += 1) {
    probability += term
    term *= ((b + 0.5) / (b + 1)) * (1 - fraction)
  }
  return probability
}

test("the quantiles of Student's t distribution have the requested probability", () => {
  const cases = fc.tuple(fc.integer({ min: 1, max: 2000 }), fc.integer({ min: 1, max: 201 }))
  fc.assert(
    fc.property(cases, ([degreesOfFreedom, groups]) => {
      const confidence = 1 - 0.05 / groups
      const quantile = studentQuantile(confidence, degreesOfFreedom)
      assertClose(studentProbability(quantile, degreesOfFreedom), confidence)
    }),
  )
  for (const groups of [1, 58, 200]) {
    const error = 0.05 / groups
    assertClose(studentQuantile(1 - error, 1), 1 / Math.tan((error * Math.PI) / 2), 1e-12)
    assertClose(studentQuantile(1 - error, 2), (1 - error) * Math.sqrt(2 / (error * (2 - error))), 1e-12)
  }
})

test('the quantile is the inverse of the probability, for parameters of any size', () => {
  const parameter = fc.oneof(fc.integer({ min: 1, max: 1_000_000 }), fc.constant(0.5))
  const probability = fc.double({ min: 1e-5, max: 1 - 1e-5, noNaN: true })
  fc.assert(
    fc.property(parameter, parameter, probability, (a, b, probability) => {
      const quantile = betaQuantile(probability, a, b)
      // Close to 1, neighboring doubles have different probabilities.
      if (quantile > 0.999) return
      assertClose(betaProbability(quantile, a, b), probability, 1e-8)
      if (quantile > 0.001) assertClose(1 - betaProbability(1 - quantile, b, a), probability, 1e-8)
    }),
  )
  assert.deepEqual([betaProbability(0, 2, 3), betaProbability(1, 2, 3)], [0, 1])
})
