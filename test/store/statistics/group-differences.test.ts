// Paired differences of several groups: which intervals they have, and how often equal evaluations seem to differ.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { createRandom } from '../../../bench/data.ts'
import { summarizeGroupDifferences } from '../../../src/store/statistics/group-differences.ts'
import {
  MIN_ROWS,
  type PairedNumbers,
  summarizeDifferences,
} from '../../../src/store/statistics/paired-differences.ts'
import { isExactMcNemarSignificant } from '../../support/exact-statistics.ts'
import { testOptions } from '../../support/options.ts'
import { numberPairs, verdictPairs } from '../../support/paired-numbers.ts'

test("the interval of verdicts excludes 0 exactly if McNemar's exact test rejects, for the number of groups", () => {
  const group = fc.tuple(fc.nat(40), fc.nat(40), fc.nat(30))
  fc.assert(
    fc.property(fc.array(group, { minLength: 1, maxLength: 40 }), (groups) => {
      const summaries = summarizeGroupDifferences(groups.map((counts) => verdictPairs(...counts)))
      const groupCount = groups.filter(([a, b, c]) => a + b + c >= MIN_ROWS).length
      for (const [index, [higher, lower, same]] of groups.entries()) {
        const { n, direction, interval, delta, confidence } = summaries[index] as (typeof summaries)[number]
        assert.equal(n, higher + lower + same)
        if (n < MIN_ROWS) {
          assert.deepEqual([interval, confidence, direction], [null, null, n > 0 ? 'too-few' : null])
          continue
        }
        assert.ok(interval && delta !== null && confidence !== null)
        assert.ok(Math.abs(confidence - (1 - 0.05 / groupCount)) < 1e-11)
        assert.ok(interval[0] <= delta && delta <= interval[1], `${interval} does not contain ${delta}`)
        const isSignificant = isExactMcNemarSignificant(lower, higher, groupCount)
        assert.equal(direction, !isSignificant ? 'tied' : higher > lower ? 'higher' : 'lower')
        assert.equal(interval[0] > 0 || interval[1] < 0, isSignificant)
      }
    }),
    { numRuns: testOptions.profile === 'full' ? 100 : 20 },
  )
})

test('groups are concluded like comparisons at the level of all groups that can be concluded', () => {
  const groups = [
    numberPairs([1, 2, 3, 4, 5, 7]),
    verdictPairs(0, 5, 0),
    { ...verdictPairs(2, 9, 9), hasRepeats: true },
    numberPairs([2, 2, 2, 2, 2, 2]),
    numberPairs([0, 0, 0, 0, 0, 0]),
    numberPairs([]),
  ]
  const summaries = summarizeGroupDifferences(groups)
  const confidence = 1 - 0.05 / 3
  for (const [index, group] of groups.entries()) {
    const { confidence: _, contribution: __, ...statistics } = summaries[index] as (typeof summaries)[number]
    assert.deepEqual(statistics, summarizeDifferences(group, confidence))
  }
  assert.deepEqual(
    summaries.map(({ direction, interval, confidence }) => [direction, interval !== null, confidence]),
    [
      ['higher', true, 0.983333333333],
      ['too-few', false, null],
      ['tied', true, 0.983333333333],
      [null, false, null],
      ['tied', true, 0.983333333333],
      [null, false, null],
    ],
  )
})

test('contributions add up to the mean difference of all rows', () => {
  const summaries = summarizeGroupDifferences([
    numberPairs([1, 2]),
    numberPairs([]),
    numberPairs([-3, 0, 0.5]),
    numberPairs([7]),
  ])
  assert.deepEqual(
    summaries.map(({ contribution }) => contribution),
    [0.5, null, -0.416666666667, 1.16666666667],
  )
})

const FAMILIES = testOptions.profile === 'full' ? 1000 : 200
const random = createRandom(20_261_117)

describe('two evaluations that differ', () => {
  for (const [improves, regresses, size] of [
    [0, 0.3, 20],
    [0.05, 0.3, 20],
    [0, 0.02, 200],
    [0.1, 0.1, 30],
  ] as const) {
    test(`have intervals of verdicts that all contain the difference ${improves} - ${regresses} in 95 % of the cases`, () => {
      const createGroup = () => {
        const chances = Array.from({ length: size }, () => random())
        const improved = chances.filter((chance) => chance < improves).length
        const changed = chances.filter((chance) => chance < improves + regresses).length
        return verdictPairs(improved, changed - improved, size - changed)
      }
      let misses = 0
      for (let family = 0; family < FAMILIES / 5; family += 1) {
        const summaries = summarizeGroupDifferences(Array.from({ length: 12 }, createGroup))
        const contain = ([low, high]: [number, number]) =>
          low <= improves - regresses && improves - regresses <= high
        if (!summaries.every(({ interval }) => interval && contain(interval))) misses += 1
      }
      assert.ok(misses <= 0.05 * (FAMILIES / 5), String(misses))
    })
  }
})

describe('two evaluations that do not differ', () => {
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())

  /** The fraction of families in which any group seems to differ. */
  function errorRate(createGroup: () => PairedNumbers): number {
    let errors = 0
    for (let family = 0; family < FAMILIES; family += 1) {
      const groups = Array.from({ length: 2 + Math.floor(random() * 20) }, createGroup)
      if (
        summarizeGroupDifferences(groups).some(
          ({ direction }) => direction === 'higher' || direction === 'lower',
        )
      )
        errors += 1
    }
    return errors / FAMILIES
  }

  test('any group of verdicts is better or worse in at most 5 % of the cases', () => {
    const rate = errorRate(() => {
      const changed = Math.floor(random() * 60)
      let improved = 0
      for (let row = 0; row < changed; row += 1) improved += Number(random() < 0.5)
      return verdictPairs(improved, changed - improved, Math.floor(random() * 40))
    })
    assert.ok(rate > 0.005 && rate <= 0.05, String(rate))
  })

  test('any group of numbers is better or worse in about 5 % of the cases, also if groups are small', () => {
    const rate = errorRate(() =>
      numberPairs(Array.from({ length: MIN_ROWS + Math.floor(random() * 20) }, normal)),
    )
    // The standard error of the rate is 0.7 %.
    assert.ok(rate > 0.03 && rate < 0.07, String(rate))
  })
})
