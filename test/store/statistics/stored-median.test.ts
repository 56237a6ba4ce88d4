// The median of numbers that are added and removed, exact and from a histogram.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { MAX_EXACT_NUMBERS, MedianCounter } from '../../../src/store/statistics/stored-median.ts'
import { median } from '../../support/brute-force-scores.ts'

function countMedian(numbers: Iterable<number>): MedianCounter {
  const counter = new MedianCounter()
  for (const number of numbers) counter.add(number)
  return counter
}

const storeAndLoad = (counter: MedianCounter) => new MedianCounter(JSON.parse(JSON.stringify(counter)))

/** A spread of several powers of ten, like latencies. */
const numbers = fc
  .tuple(
    fc.integer({ min: 1, max: 2 ** 31 }),
    fc.integer({ min: -8, max: 2 }),
    fc.double({ min: 0.1, max: 6, noNaN: true }),
  )
  .map(([seed, exponent, spread]) => {
    let state = seed
    return Array.from({ length: MAX_EXACT_NUMBERS + 2 + (seed % 2) }, () => {
      state = (state * 48271) % 2147483647
      return 10 ** (exponent + (spread * state) / 2147483647)
    })
  })

test('is exact up to a limit, and approximate above it', () => {
  fc.assert(
    fc.property(numbers, (all) => {
      const few = all.slice(0, MAX_EXACT_NUMBERS)
      assert.equal(storeAndLoad(countMedian(few)).median, median(few))
      const approximate = storeAndLoad(countMedian(all)).median ?? 0
      const exact = median(all) ?? 0
      assert.ok(Math.abs(approximate - exact) <= 0.005 * exact, `${approximate} is not close to ${exact}`)
    }),
    { numRuns: 50 },
  )
})

test('stores the same after numbers were removed, and needs all of them again at the limit', () => {
  fc.assert(
    fc.property(numbers, (all) => {
      const counter = storeAndLoad(countMedian(all))
      counter.add(1)
      counter.remove(1)
      assert.deepEqual(counter.toJSON(), countMedian(all.toReversed()).toJSON())
      const removed = all.slice(MAX_EXACT_NUMBERS)
      for (const number of removed) {
        assert.equal(counter.needsNumbers, false)
        counter.remove(number)
      }
      assert.equal(counter.needsNumbers, true)
      assert.equal(counter.count, MAX_EXACT_NUMBERS)
    }),
    { numRuns: 20 },
  )
})

test('has no numbers after all were removed', () => {
  const counter = countMedian([3, 1, 2, 2])
  assert.equal(counter.median, 2)
  for (const number of [2, 3, 2, 1]) counter.remove(number)
  assert.deepEqual([counter.median, counter.count], [null, 0])
  assert.deepEqual(counter.toJSON(), new MedianCounter().toJSON())
})

test('stores a limited number of buckets, also for extreme and negative numbers', () => {
  const extremes = [0, 5e-324, 1e-300, 1.7e308, -1.7e308, -5, -0.001]
  for (const number of extremes) {
    const counter = countMedian(new Array<number>(MAX_EXACT_NUMBERS + 1).fill(number))
    const tolerance = Math.abs(number) > 1e-9 && Math.abs(number) < 1e9 ? 0.005 : 0.5
    assert.ok(
      Math.abs((counter.median ?? Number.NaN) - number) <= tolerance * Math.abs(number) + 1e-300,
      `${number}`,
    )
  }
  const spread = Array.from(
    { length: 100_000 },
    (_, index) => (index % 2 ? -1 : 1) * 10 ** (index / 170 - 290),
  )
  const { length } = JSON.stringify(countMedian(spread))
  assert.ok(length < 200_000, `${length} characters`)
})
