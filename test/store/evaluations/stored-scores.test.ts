// Scores that are stored with evaluations, compared with a simple implementation in TypeScript.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { EvaluationScenario } from '../../../src/schema/scenarios.ts'
import type { Scores } from '../../../src/schema/scores.ts'
import { parsedValue } from '../../../src/schema/validation/parsed-value.ts'
import { ensureProject } from '../../../src/store/access/projects.ts'
import {
  createEvaluation,
  deleteEvaluation,
  updateEvaluation,
} from '../../../src/store/evaluations/evaluations.ts'
import { getDeclaredEvaluators } from '../../../src/store/evaluations/evaluators.ts'
import { ScoreStatistics } from '../../../src/store/evaluations/score-statistics.ts'
import {
  readScoreTexts,
  readStoredScores,
  toStoredScores,
} from '../../../src/store/evaluations/stored-scores.ts'
import { getColumnOrdinals, parseBody } from '../../../src/store/scenarios/columns.ts'
import { deleteScenario } from '../../../src/store/scenarios/corrections.ts'
import { scenarioScores } from '../../../src/store/scenarios/row.ts'
import { getScenario } from '../../../src/store/scenarios/scenarios.ts'
import { sizes } from '../../sizes.ts'
import { bruteForceScores, type Evaluator, type ScoredScenario } from '../../support/brute-force-scores.ts'
import { addScenarios } from '../../support/corpus.ts'
import { createTestStore } from '../../support/harness.ts'

const RUNS = sizes.generated_evaluations

const store = await createTestStore()
const project = await store.writer.transaction((transaction) => ensureProject(transaction, 'default'))

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
  const texts = await readScoreTexts(
    store.reader,
    keys.map((key) => ({ key })),
  )
  assert.deepEqual([...texts.keys()].sort(), [...keys].sort())
  return keys.map((key) => JSON.parse(texts.get(key) ?? 'null') as Scores)
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

test('stores the same scores as a simple implementation computes', async () => {
  await fc.assert(
    fc.asyncProperty(evaluators, fc.array(scenario, { maxLength: 12 }), async (declared, scenarios) => {
      const [scores] = await scoresOf(await add(declared, scenarios))
      assert.deepEqual(scores, bruteForceScores(declared, scenarios))
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

/** Every scenario has a latency, a cost and a score. */
function measuredScenarios(count: number): Partial<EvaluationScenario>[] {
  return Array.from({ length: count }, (_, index) => ({
    outputs: [{ result: { type: 'text' }, cost: index / 1000, latency: ((index * 7919) % 10_007) / 1000 }],
    results: [{ evaluator_config: 'judge', result: { type: 'number', value: index / 7 } }],
  }))
}

const scored = (scenarios: Partial<EvaluationScenario>[]) => scenarios as ScoredScenario[]

async function remove(key: number, id: string): Promise<void> {
  await store.writer.transaction(async (transaction) => {
    const stored = await getScenario(transaction, key, id)
    await deleteScenario(transaction, key, { ...stored, id })
  })
}

async function append(
  key: number,
  scenarios: (Partial<EvaluationScenario> & { id: string })[],
): Promise<void> {
  await store.writer.transaction(async (transaction) => {
    const row = await transaction.get<{ project: number; id: string }>(
      'SELECT project, id FROM evaluation WHERE key = ?',
      key,
    )
    await transaction.lock('evaluation', row?.project ?? 0, row?.id ?? '')
    const complete = scenarios.map((scenario) => ({
      ...{ evaluation_id: 'x', inputs: [], outputs: [], results: [] },
      ...{ correct_answers: null, is_pinned: null, note: null },
      ...scenario,
    }))
    await addScenarios(transaction, key, complete)
  })
}

/** What is stored must be equal to what the rows contain. */
async function assertStored(key: number): Promise<void> {
  const statistics = new ScoreStatistics(await getDeclaredEvaluators(store.reader, key))
  const rows = await store.reader.all<{ body: string }>(
    'SELECT body FROM scenario WHERE evaluation = ? ORDER BY position',
    key,
  )
  for (const { body } of rows) statistics.addRow(scenarioScores(parseBody(body)))
  statistics.orderEvaluators((await getColumnOrdinals(store.reader, key)).score.keys())
  assert.deepEqual(await readStoredScores(store.reader, key), toStoredScores(statistics))
}

test('returns an approximate median of many latencies, and an exact one after enough are deleted', async () => {
  const scenarios = measuredScenarios(1002)
  const key = await add(null, scenarios)
  const expected = bruteForceScores(null, scored(scenarios))
  const [scores] = await scoresOf(key)
  const exact = expected.latency.p50 ?? 0
  assert.ok(Math.abs((scores?.latency.p50 ?? 0) - exact) <= 0.005 * exact)
  assert.deepEqual({ ...scores, latency: { ...scores?.latency, p50: exact } }, expected)
  for (const id of ['s-500', 's-501']) await remove(key, id)
  const remaining = scenarios.toSpliced(500, 2)
  assert.deepEqual(await scoresOf(key), [bruteForceScores(null, scored(remaining))])
  await assertStored(key)
})

test('returns zero or null after the last scenario is deleted', async () => {
  const key = await add(null, [
    ...measuredScenarios(2),
    { outputs: [{ result: { type: 'error', error: { message: 'HTTP 429' } }, latency: 1.7e308 }] },
  ])
  for (const id of ['s-1', 's-2', 's-0']) await remove(key, id)
  assert.deepEqual(await scoresOf(key), [bruteForceScores(null, [])])
  await assertStored(key)
})

test('reads no row of a scenario', async () => {
  const scenarios = measuredScenarios(3)
  const key = await add([{ name: 'judge', threshold: 0.2 }], scenarios)
  await store.writer.transaction(async (transaction) => {
    for (const table of ['measure', 'result', 'evaluation_column'])
      await transaction.run(`DELETE FROM ${table} WHERE evaluation = ?`, key)
  })
  assert.deepEqual(await scoresOf(key), [
    bruteForceScores([{ name: 'judge', threshold: 0.2 }], scored(scenarios)),
  ])
  await store.writer.transaction((transaction) => deleteEvaluation(transaction, key))
})

test('stores the scores of concurrent writers', async () => {
  const scenarios = measuredScenarios(40)
  const key = await add(null, [])
  await Promise.all(scenarios.map((scenario, index) => append(key, [{ ...scenario, id: `s-${index}` }])))
  const [scores] = await scoresOf(key)
  assert.deepEqual(scores, bruteForceScores(null, scored(scenarios)))
  await assertStored(key)
})

test('counts the scores that reach a threshold when it changes', async () => {
  const scenarios = measuredScenarios(10)
  const key = await add([{ name: 'judge', threshold: 0.2 }], scenarios)
  for (const declared of [{ name: 'judge', threshold: 0.1, higher_is_better: false }, { name: 'judge' }]) {
    const patch = parsedValue({ evaluators: [declared] })
    await store.writer.transaction((transaction) => updateEvaluation(transaction, project, key, patch))
    assert.deepEqual(await scoresOf(key), [bruteForceScores([declared], scored(scenarios))])
    await assertStored(key)
  }
})
