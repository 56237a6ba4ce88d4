// The fast test of pairs must have the result of the complete statistics, also where its digits do not suffice.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRandom } from '../../../bench/data.ts'
import { createPairTest } from '../../../src/store/statistics/pair-test.ts'
import { summarizeDifferences } from '../../../src/store/statistics/paired-differences.ts'
import { testOptions } from '../../support/options.ts'

const CASES = testOptions.profile === 'full' ? 20_000 : 2000
const CONFIDENCES = [0.95, 1 - 0.05 / 45, 1 - 0.05 / 1225]

function compareWithStatistics(
  baseline: Float64Array,
  candidate: Float64Array,
  { areVerdicts, hasRepeats }: { areVerdicts: boolean; hasRepeats: boolean },
  confidence: number,
): string | null {
  const n = baseline.length
  const numbers = { baseline, candidate, verdicts: areVerdicts ? n : 0, hasRepeats }
  const { direction } = summarizeDifferences(numbers, confidence)
  const findDirection = createPairTest(n, areVerdicts, confidence)
  const [first, second] = [baseline, candidate].map((means) => ({ means, hasRepeats }))
  const found = first && second && findDirection(first, second)
  assert.equal(
    found,
    direction,
    JSON.stringify({ ...numbers, baseline: [...baseline], candidate: [...candidate] }),
  )
  return direction
}

test('random evaluations have the direction of their statistics', () => {
  const random = createRandom(testOptions.seed)
  const seen = new Set<string | null>()
  for (let number = 0; number < CASES; number += 1) {
    const n = Math.floor(random() ** 3 * 300)
    const kind = number % 3
    const repeats = kind === 1 ? 1 + Math.floor(random() * 4) : 1
    const [center, scale] = [10 ** Math.round(random() * 12 - 6), 10 ** Math.round(random() * 12 - 6)]
    const shift = (random() - 0.5) * (kind === 2 ? scale : 0.4)
    const draw = (side: number) =>
      Float64Array.from({ length: n }, () => {
        if (kind === 2) return center + scale * random() + side * shift
        let passes = 0
        for (let repeat = 0; repeat < repeats; repeat += 1) passes += Number(random() < 0.6 + side * shift)
        return passes / repeats
      })
    const shape = { areVerdicts: kind !== 2, hasRepeats: kind === 1 }
    seen.add(compareWithStatistics(draw(0), draw(1), shape, CONFIDENCES[number % 3] as number))
  }
  assert.deepEqual([...seen].map(String).sort(), ['higher', 'lower', 'null', 'tied', 'too-few'])
})

test('extreme, equal and nearly equal numbers have the direction of their statistics', () => {
  const factors = [0, 5e-324, 1e-300, 1e-160, 1e-9, 1, 1e9, 1e160, 1e300, 1.7e308]
  const rows = Array.from({ length: 12 }, (_, row) => row)
  for (const factor of factors)
    for (const offset of [0, 1e-12, 1e-3, 1, 1e6])
      for (const noise of [0, 1e-15, 1e-7, 0.1])
        for (const confidence of CONFIDENCES) {
          const baseline = Float64Array.from(rows, (row) => factor * (row / 20))
          const candidate = Float64Array.from(rows, (row) =>
            Math.min(factor * (row / 20) * (1 + offset) + factor * noise * (row % 5), 1.7e308),
          )
          compareWithStatistics(baseline, candidate, { areVerdicts: false, hasRepeats: false }, confidence)
        }
})

test('numbers at the limit of the interval have the direction of their statistics', () => {
  const random = createRandom(testOptions.seed)
  const confidence = 0.95
  for (let number = 0; number < 200; number += 1) {
    const baseline = Float64Array.from({ length: 40 }, () => random())
    const noise = Float64Array.from({ length: 40 }, () => random())
    const shifted = (shift: number) => baseline.map((score, row) => score + (noise[row] as number) + shift)
    const directionAt = (shift: number) =>
      compareWithStatistics(baseline, shifted(shift), { areVerdicts: false, hasRepeats: false }, confidence)
    let [low, high] = [-1, 1]
    for (let step = 0; step < 60; step += 1) {
      const middle = (low + high) / 2
      if (directionAt(middle) === 'higher') high = middle
      else low = middle
    }
  }
})
