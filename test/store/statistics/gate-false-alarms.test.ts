// How often the gate fails by chance, by simulation with the code of the gate. `npm run bench -- gate` has more cells.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createRandom } from '../../../bench/data.ts'
import { CERTAIN_LIMIT } from '../../../bench/verdicts/gate.ts'
import { createGateSimulation, rateOfGate } from '../../../bench/verdicts/gate-simulation.ts'
import { lossScenario, VERDICT_SCENARIOS } from '../../../bench/verdicts/scenarios.ts'
import { testOptions } from '../../support/options.ts'

const CHECKED = [1, 20]
/** The standard error is about 0.7 points for 20 evaluators. */
const SAMPLES = 10_000
const EQUAL = [
  lossScenario(0, 0.2),
  ...VERDICT_SCENARIOS.filter(({ name }) =>
    ['pass probabilities change', '10 % break, 10 % are repaired'].includes(name),
  ),
]

describe('without a true loss', () => {
  const isFull = testOptions.profile === 'full'
  for (const n of isFull ? [10, 20, 50, 100] : [10, 50]) {
    for (const repeats of [1, 3]) {
      test(`at most 5.5 % of the gates over ${n} rows with ${repeats} repeats are certain`, () => {
        const random = createRandom(testOptions.seed)
        const simulate = createGateSimulation({ n, repeats }, CHECKED, [{}, { tolerance: 0.02 }])
        for (const scenario of EQUAL) {
          const rates = simulate(random, SAMPLES, scenario)
          for (const [index, checked] of CHECKED.entries()) {
            const [certain, tolerant] = (rates[index] ?? []).map((each) => rateOfGate(each, checked).certain)
            assert.ok(certain !== undefined && tolerant !== undefined && tolerant <= certain)
            const name = `${scenario.name}, ${checked} evaluators: ${certain}`
            assert.ok(100 * certain <= CERTAIN_LIMIT, name)
          }
        }
      })
    }
  }

  test('repeats and a larger max_loss reduce the false alarms by observed loss', () => {
    const random = createRandom(testOptions.seed)
    const [single, repeated] = [1, 3].map((repeats) => {
      const simulate = createGateSimulation({ n: 50, repeats }, [1], [{}, { max_loss: 0.1 }])
      return simulate(random, SAMPLES, lossScenario(0, 0.1))[0]?.map(({ observedLoss }) => observedLoss)
    })
    const [byDefault = 0, byLargeLoss = 1] = single ?? []
    assert.ok(byDefault > 0.05, String(byDefault))
    assert.ok(byLargeLoss < byDefault / 3, String(byLargeLoss))
    assert.ok((repeated?.[0] ?? 1) < byDefault / 2, String(repeated))
  })
})

test('a true loss of 20 points is missed in less than 1 % of the gates over 100 rows', () => {
  const simulate = createGateSimulation({ n: 100, repeats: 1 }, CHECKED, [{}])
  for (const flips of [0, 0.1]) {
    const rates = simulate(createRandom(testOptions.seed), SAMPLES, lossScenario(0.2, flips))
    for (const [{ certain, observedLoss } = { certain: 0, observedLoss: 0 }] of rates)
      assert.ok(certain + observedLoss > 0.99, `${certain} and ${observedLoss}`)
  }
})

test('a gate fails by chance if one of its independent evaluators does, and is certain if one of them is', () => {
  const { certain, observedLoss } = rateOfGate({ certain: 0.1, observedLoss: 0.2 }, 2)
  assert.ok(Math.abs(certain - 0.19) < 1e-12 && Math.abs(observedLoss - 0.32) < 1e-12)
})
