// Fisher's exact test, compared with published values and with integer arithmetic.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fisherExact } from '../../../src/store/statistics/fisher-test.ts'
import { quotient } from '../../support/exact-statistics.ts'

function assertClose(actual: number, expected: number): void {
  assert.ok(Math.abs(actual - expected) <= 1e-9 * expected, `${actual} is not ${expected}`)
}

test('returns published p-values', () => {
  // Fisher's tea tasting: https://en.wikipedia.org/wiki/Lady_tasting_tea and fisher.test in R.
  assertClose(fisherExact(3, 4, 1, 4), 34 / 70)
  assertClose(fisherExact(4, 4, 0, 4), 2 / 70)
  // https://docs.scipy.org/doc/scipy/reference/generated/scipy.stats.fisher_exact.html, [[8, 2], [1, 5]].
  assertClose(fisherExact(8, 10, 1, 6), 0.03496503496503495)
})

/** All binomial coefficients of a number. */
function binomials(n: number): bigint[] {
  const row = [1n]
  for (let k = 1; k <= n; k += 1) row.push(((row[k - 1] ?? 0n) * BigInt(n - k + 1)) / BigInt(k))
  return row
}

/** The sum of all tables that are at most as probable, in integers. */
function exactFisher(passesA: number, countA: number, passesB: number, countB: number): number {
  const passes = passesA + passesB
  const [rowA, rowB] = [binomials(countA), binomials(countB)]
  const tableOf = (a: number) => (rowA[a] ?? 0n) * (rowB[passes - a] ?? 0n)
  const observed = tableOf(passesA)
  let [total, extreme] = [0n, 0n]
  for (let a = 0; a <= passes; a += 1) {
    const table = tableOf(a)
    total += table
    if (table <= observed) extreme += table
  }
  return quotient(extreme, total, 0)
}

test('is the sum of all tables that are at most as probable', () => {
  const group = fc.integer({ min: 1, max: 60 }).chain((count) => fc.tuple(fc.nat(count), fc.constant(count)))
  fc.assert(
    fc.property(group, group, ([passesA, countA], [passesB, countB]) => {
      const p = fisherExact(passesA, countA, passesB, countB)
      assertClose(p, exactFisher(passesA, countA, passesB, countB))
      assertClose(p, fisherExact(passesB, countB, passesA, countA))
      assertClose(p, fisherExact(countA - passesA, countA, countB - passesB, countB))
    }),
    // A p-value of 1.7e-28.
    {
      examples: [
        [
          [0, 58],
          [44, 45],
        ],
      ],
    },
  )
})

test('accepts thousands of repeats', () => {
  assertClose(fisherExact(3000, 4000, 2900, 4000), exactFisher(3000, 4000, 2900, 4000))
  assert.equal(fisherExact(0, 5000, 0, 5000), 1)
  assert.ok(fisherExact(0, 5000, 5000, 5000) < 1e-300)
})
