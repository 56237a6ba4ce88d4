// Scores of evaluations, compared with a simple implementation in TypeScript.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { EvaluationScenario } from '../../../src/schema/scenarios.ts'
import type { Scores } from '../../../src/schema/scores.ts'
import { parsedValue } from '../../../src/schema/validation/parsed-value.ts'
import { ensureProject } from '../../../src/store/access/projects.ts'
import { createEvaluation } from '../../../src/store/evaluations/evaluations.ts'
import { readScores } from '../../../src/store/evaluations/scores.ts'
import { sizes } from '../../sizes.ts'
import { addScenarios } from '../../support/corpus.ts'
import { createTestStore } from '../../support/harness.ts'

const RUNS = sizes.generated_evaluations

const store = await createTestStore()
const project = await store.writer.transaction((transaction) => ensureProject(transaction, 'default'))

interface Evaluator {
  name: string
  higher_is_better?: boolean
  threshold?: number
}

type Output = EvaluationScenario['outputs'][number]
type Result = EvaluationScenario['results'][number]

function add(evaluators: Evaluator[] | null, scenarios: Partial<EvaluationScenario>[]): Promise<number> {
  return store.writer.transaction(async (transaction) => {
    const key = await createEvaluation(transaction, project, parsedValue({ evaluators }))
    const complete = scenarios.map((scenario, position) => ({
      ...{ id: `s-${position}`, evaluation_id: 'x', inputs: [], outputs: [], results: [] },
      ...{ correct_answers: null, is_pinned: null, note: null },
      ...scenario,
    }))
    await addScenarios(transaction, key, complete)
    return key
  })
}

async function scoresOf(...keys: number[]): Promise<Scores[]> {
  const scores = await store.reader.snapshot('query', (snapshot) => readScores(snapshot, keys))
  assert.deepEqual([...scores.keys()].sort(), [...keys].sort())
  return keys.map((key) => scores.get(key) as Scores)
}

const number = fc.oneof(
  fc.constantFrom(0, 1, 0.5, -1, 1e308, -1e308, 5e-324),
  fc.double({ min: -1000, max: 1000, noNaN: true }),
)
const amount = fc.option(fc.double({ min: 0, max: 100, noNaN: true }), { freq: 4 })
const output: fc.Arbitrary<Output> = fc.oneof(
  fc.record({ result: fc.constant({ type: 'text', value: 'x' }), cost: amount, latency: amount }),
  fc.constant({ result: { type: 'error', error: { message: 'HTTP 429' } } }),
)
const result = fc.oneof(
  number.map((value) => ({ type: 'number', value })),
  fc.boolean().map((value) => ({ type: 'bool', value })),
  fc.constantFrom({ type: 'text', value: 'good' }, { type: 'number', value: null }),
  fc.constant({ type: 'error', error: { message: 'no judge' } }),
)
const NAMES = ['exact', 'judge', 'ä"\u0000']
const scenario = fc.record({
  outputs: fc.array(output, { maxLength: 2 }),
  results: fc
    .subarray(NAMES)
    .chain((names) =>
      fc.tuple(
        ...names.map((evaluator_config) => result.map((result): Result => ({ evaluator_config, result }))),
      ),
    ),
})
const evaluators = fc.option(
  fc.uniqueArray(
    fc.record(
      { name: fc.constantFrom(...NAMES), higher_is_better: fc.boolean(), threshold: number },
      { requiredKeys: ['name'] },
    ),
    { selector: ({ name }) => name },
  ),
)

const sumOf = (values: number[]) => values.reduce((total, value) => total + value, 0)
/** Scales the numbers, because their sum can overflow. */
const meanOf = (values: number[]) =>
  values.length === 0 ? null : sumOf(values.map((value) => value / 1024)) * (1024 / values.length)

function medianOf(values: number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]]
  return low === undefined || high === undefined ? null : (low + high) / 2
}

function expectedScores(
  declared: Evaluator[] | null,
  scenarios: Pick<EvaluationScenario, 'outputs' | 'results'>[],
): Scores {
  const measured = (name: 'cost' | 'latency') =>
    scenarios
      .map(({ outputs }) => outputs.map((output) => output[name]).filter((value) => value != null))
      .filter((values) => values.length > 0)
      .map(sumOf)
  const [costs, latencies] = [measured('cost'), measured('latency')]
  const all = scenarios.flatMap(({ results }) => results)
  const names = [...new Set(all.map(({ evaluator_config }) => evaluator_config))]
  return {
    output_errors: scenarios.filter(({ outputs }) => outputs.some(({ result }) => result.error != null))
      .length,
    cost: { n: costs.length, total: costs.length === 0 ? null : sumOf(costs), mean: meanOf(costs) },
    latency: { n: latencies.length, mean: meanOf(latencies), p50: medianOf(latencies) },
    evaluators: names.map((name) => {
      const { higher_is_better = true, threshold } =
        declared?.find((evaluator) => evaluator.name === name) ?? {}
      const results = all
        .filter(({ evaluator_config }) => evaluator_config === name)
        .map(({ result }) => result)
      const values = results.map(({ value }) => value)
      const numbers = values.filter((value) => typeof value === 'number')
      const verdicts = values.filter((value) => typeof value === 'boolean')
      if (threshold !== undefined)
        verdicts.push(...numbers.map((value) => (higher_is_better ? value >= threshold : value <= threshold)))
      const counted = values
        .filter((value) => typeof value === 'boolean' || typeof value === 'number')
        .map(Number)
      return {
        name: name.replaceAll('\0', '\ufffd'),
        higher_is_better,
        n: counted.length,
        errors: results.filter(({ error }) => error != null).length,
        mean: meanOf(counted),
        pass_rate:
          verdicts.length === 0
            ? null
            : Number((verdicts.filter(Boolean).length / verdicts.length).toPrecision(12)),
      }
    }),
  }
}

/** Statistics have twelve significant digits. */
function assertClose(actual: unknown, expected: unknown, largest: number): void {
  if (typeof actual === 'number' && typeof expected === 'number')
    assert.ok(Math.abs(actual / largest - expected / largest) < 1e-11, `${actual} is not ${expected}`)
  else if (typeof actual === 'object' && actual && typeof expected === 'object' && expected) {
    assert.deepEqual(Object.keys(actual), Object.keys(expected))
    for (const [name, value] of Object.entries(expected))
      assertClose(Reflect.get(actual, name), value, largest)
  } else assert.equal(actual, expected)
}

test('computes the same scores as a simple implementation', async () => {
  await fc.assert(
    fc.asyncProperty(evaluators, fc.array(scenario, { maxLength: 12 }), async (declared, scenarios) => {
      const [scores] = await scoresOf(await add(declared, scenarios))
      const { evaluators: actualEvaluators, ...measured } = scores as Scores
      const { evaluators: expectedEvaluators, ...expected } = expectedScores(declared, scenarios)
      assertClose(measured, expected, 1000)
      const values = scenarios.flatMap(({ results }) => results.map(({ result }) => Number(result.value)))
      const largest = Math.max(1, ...values.filter(Number.isFinite).map(Math.abs))
      for (const [index, { mean, ...counts }] of expectedEvaluators.entries()) {
        const { mean: actual, ...others } = actualEvaluators[index] ?? {}
        assert.deepEqual(others, counts)
        assertClose(actual, mean, largest)
      }
      assert.equal(actualEvaluators.length, expectedEvaluators.length)
    }),
    { numRuns: RUNS },
  )
})

test('returns zero or null for an evaluation without scenarios', async () => {
  const [scores] = await scoresOf(await add(null, []))
  assert.deepEqual(scores, {
    output_errors: 0,
    cost: { n: 0, total: null, mean: null },
    latency: { n: 0, mean: null, p50: null },
    evaluators: [],
  })
})

test('does not overflow with the largest numbers', async () => {
  const results = [{ evaluator_config: 'e', result: { type: 'number', value: 1.7e308 } }]
  const outputs = [{ result: { type: 'text' }, cost: 1.7e308, latency: 1.7e308 }]
  const [scores] = await scoresOf(
    await add(null, [
      { results, outputs },
      { results, outputs },
    ]),
  )
  assert.equal(scores?.evaluators[0]?.mean, 1.7e308)
  assert.deepEqual(scores?.cost, { n: 2, total: null, mean: 1.7e308 })
  assert.equal(scores?.latency.p50, 1.7e308)
})

test('reads the scores of many evaluations at once', async () => {
  const keys: number[] = []
  for (let count = 0; count < 45; count += 1) {
    const outputs = [{ result: { type: 'text' }, cost: count }]
    keys.push(
      await add(
        null,
        Array.from({ length: count % 3 }, () => ({ outputs })),
      ),
    )
  }
  const scores = await scoresOf(...keys)
  assert.deepEqual(
    scores.map(({ cost }) => cost.total),
    keys.map((_, count) => (count % 3 === 0 ? null : count * (count % 3))),
  )
})
