// Paired differences of several groups: which intervals they have, and how often equal evaluations seem to differ.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { createRandom } from '../../../bench/data.ts'
import { studentQuantile } from '../../../src/store/statistics/beta-distribution.ts'
import { summarizeGroupDifferences } from '../../../src/store/statistics/group-differences.ts'
import type { PairedNumbers } from '../../../src/store/statistics/paired-differences.ts'
import { exactStatistics, isExactMcNemarSignificant } from '../../support/exact-statistics.ts'
import { testOptions } from '../../support/options.ts'

/** Pairs of verdicts: some improve, some regress, the others stay false. */
function verdictPairs(improved: number, regressed: number, same: number): PairedNumbers {
  const n = improved + regressed + same
  const candidate = Float64Array.from({ length: n }, (_, row) => Number(row < improved))
  const baseline = candidate.map((_, row) => Number(row >= improved && row < improved + regressed))
  return { baseline, candidate, clusters: undefined, verdicts: n }
}

function numberPairs(differences: number[], clusters?: number[]): PairedNumbers {
  return {
    baseline: new Float64Array(differences.length),
    candidate: Float64Array.from(differences),
    clusters: clusters && Int32Array.from(clusters),
    verdicts: 0,
  }
}

test("the interval of verdicts excludes 0 exactly if McNemar's exact test rejects, for the number of groups", () => {
  const group = fc.tuple(fc.nat(40), fc.nat(40), fc.nat(30))
  fc.assert(
    fc.property(fc.array(group, { minLength: 1, maxLength: 40 }), (groups) => {
      const summaries = summarizeGroupDifferences(groups.map((counts) => verdictPairs(...counts)))
      const intervalCount = groups.filter(([a, b, c]) => a + b + c > 1).length
      for (const [index, [improved, regressed, same]] of groups.entries()) {
        const { n, side, interval, delta, confidence } = summaries[index] as (typeof summaries)[number]
        assert.equal(n, improved + regressed + same)
        if (n < 2) {
          assert.deepEqual([interval, confidence, side], [null, null, 0])
          continue
        }
        assert.ok(interval && delta !== null && confidence !== null)
        assert.ok(Math.abs(confidence - (1 - 0.05 / intervalCount)) < 1e-11)
        assert.ok(interval[0] <= delta && delta <= interval[1], `${interval} does not contain ${delta}`)
        const isSignificant = isExactMcNemarSignificant(regressed, improved, intervalCount)
        assert.equal(side, isSignificant ? Math.sign(improved - regressed) : 0)
        assert.equal(interval[0] > 0 || interval[1] < 0, isSignificant)
      }
    }),
    { numRuns: testOptions.profile === 'full' ? 100 : 20 },
  )
})

describe('intervals', () => {
  test('two verdicts that both regress have an interval that contains 0', () => {
    const [group] = summarizeGroupDifferences([verdictPairs(0, 2, 0)])
    assert.deepEqual([group?.delta, group?.side, group?.confidence], [-1, 0, 0.95])
    // 1 - 2 sqrt(0.025), by hand.
    assert.deepEqual(group?.interval, [-1, 0.683772233983])
  })

  test('verdicts that do not change have an interval, because others could change', () => {
    const [group] = summarizeGroupDifferences([verdictPairs(0, 0, 4)])
    // 1 - 0.025^(1/4), by hand.
    assert.deepEqual(group?.interval, [-0.602364635616, 0.602364635616])
  })

  test('verdicts of different clusters have the interval of independent ones', () => {
    const clusters = Int32Array.of(7, 3, 9)
    const clustered = summarizeGroupDifferences([{ ...verdictPairs(1, 1, 1), clusters }])
    assert.deepEqual(clustered, summarizeGroupDifferences([verdictPairs(1, 1, 1)]))
  })

  test("numbers have the interval of Student's t distribution, with clusters as degrees of freedom", () => {
    const number = fc.integer({ min: -50, max: 50 }).map((integer) => integer / 7)
    const pairs = fc.array(fc.tuple(number, fc.nat(6)), { minLength: 2, maxLength: 30 })
    fc.assert(
      fc.property(pairs, pairs, fc.boolean(), (first, second, isClustered) => {
        const groups = [first, second]
        const summaries = summarizeGroupDifferences(
          groups.map((group) =>
            numberPairs(
              group.map(([difference]) => difference),
              isClustered ? group.map(([, cluster]) => cluster) : undefined,
            ),
          ),
        )
        for (const [index, group] of groups.entries()) {
          const { interval, confidence } = summaries[index] as (typeof summaries)[number]
          if (!interval || confidence === null) continue
          const exact = exactStatistics(
            group.map(([candidate, cluster], row) => ({
              baseline: 0,
              candidate,
              cluster: isClustered ? cluster : row,
            })),
          )
          const clusterCount = isClustered ? new Set(group.map(([, cluster]) => cluster)).size : group.length
          const [low = 0, high = 0] = exact.interval ?? []
          const scale = studentQuantile(confidence, clusterCount - 1) / 1.96
          const margin = ((high - low) / 2) * scale
          const tolerance = 1e-9 * (Math.abs(exact.delta) + margin)
          assert.ok(Math.abs(interval[0] - (exact.delta - margin)) <= tolerance)
          assert.ok(Math.abs(interval[1] - (exact.delta + margin)) <= tolerance)
        }
      }),
    )
  })

  test('equal differences have no interval, unless they are 0', () => {
    // 0.3 - 0.2 and 0.5 - 0.4 differ in the last bit.
    const sameChange = { ...numberPairs([0.3, 0.5, 0.9]), baseline: Float64Array.of(0.2, 0.4, 0.8) }
    const sameClusters = numberPairs([1, 3, 3, 1], [0, 0, 1, 1])
    const clusteredVerdicts = { ...verdictPairs(0, 4, 0), clusters: Int32Array.of(0, 0, 1, 1) }
    const unchanged = numberPairs([0, 0, 0])
    const varied = numberPairs([1, 2, 3])
    const groups = [sameChange, sameClusters, clusteredVerdicts, unchanged, varied, numberPairs([4])]
    const summaries = summarizeGroupDifferences(groups)
    assert.deepEqual(
      summaries.map(({ interval, side, confidence }) => [interval !== null, side, confidence]),
      [
        [false, 0, null],
        [false, 0, null],
        [false, 0, null],
        [true, 0, 0.975],
        [true, 0, 0.975],
        [false, 0, null],
      ],
    )
    assert.deepEqual(summaries[3]?.interval, [0, 0])
  })

  test('contributions add up to the mean difference of all pairs', () => {
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
      if (summarizeGroupDifferences(groups).some(({ side }) => side !== 0)) errors += 1
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
    const rate = errorRate(() => numberPairs(Array.from({ length: 2 + Math.floor(random() * 20) }, normal)))
    // The standard error of the rate is 0.7 %.
    assert.ok(rate > 0.03 && rate < 0.07, String(rate))
  })
})
