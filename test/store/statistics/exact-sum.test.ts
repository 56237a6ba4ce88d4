// Exact sums, compared with integer arithmetic.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ExactSum } from '../../../src/store/statistics/exact-sum.ts'
import { exactTotals } from '../../support/exact-statistics.ts'

const number = fc.oneof(
  fc.constantFrom(0, -0, 1, 0.1, 0.2, -0.3, 5e-324, -5e-324, 2.2250738585072014e-308, 1.7976931348623157e308),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.double({ min: -1000, max: 1000, noNaN: true }),
)

function sumOf(numbers: number[]): ExactSum {
  const sum = new ExactSum()
  for (const number of numbers) sum.add(number)
  return sum
}

test('returns the exact total and mean with 12 digits', () => {
  fc.assert(
    fc.property(fc.array(number), (numbers) => {
      assert.deepEqual(sumOf(numbers).totals(numbers.length), exactTotals(numbers))
    }),
    { numRuns: 500 },
  )
})

test('has the same text after numbers were removed, stored and added in any order', () => {
  fc.assert(
    fc.property(fc.array(number), fc.array(number), (numbers, others) => {
      const sum = sumOf([...numbers, ...others])
      const stored = new ExactSum(sum.toText())
      for (const number of others.toReversed()) stored.remove(number)
      assert.equal(stored.toText(), sumOf(numbers.toReversed()).toText())
      for (const number of numbers) stored.remove(number)
      assert.equal(stored.toText(), '0')
    }),
  )
})

test('stays exact when more numbers are added than a limb can count', () => {
  const sum = new ExactSum()
  const count = 2 ** 20 + 5
  // All bits of the mantissa are set.
  for (let index = 0; index < count; index += 1) sum.add(2 - 2 ** -52)
  assert.equal(sum.totals(count).mean, 2)
  for (let index = 0; index < count; index += 1) sum.remove(2 - 2 ** -52)
  assert.equal(sum.toText(), '0')
})

test('a sum of sums is the sum of all numbers', () => {
  fc.assert(
    fc.property(fc.array(number), fc.array(number), (numbers, others) => {
      const sum = sumOf(numbers)
      sum.addAll(sumOf(others))
      assert.equal(sum.toText(), sumOf([...numbers, ...others]).toText())
    }),
  )
})

test('counts verdicts as ones', () => {
  const sum = sumOf([0.5])
  assert.deepEqual(sum.totals(4, 2), { total: 2.5, mean: 0.625 })
})
