// Arbitraries for the scenarios of an evaluation, and a function that stores them without HTTP.
import fc from 'fast-check'
import type { EvaluationScenario } from '../../src/schema/scenarios.ts'
import { parsedValue } from '../../src/schema/validation/parsed-value.ts'
import { ensureProject } from '../../src/store/access/projects.ts'
import { createEvaluation } from '../../src/store/evaluations/evaluations.ts'
import { appendScenarios } from '../../src/store/scenarios/append.ts'
import { scenarioRow } from '../../src/store/scenarios/row.ts'
import type { Store } from '../../src/store/store.ts'

export type GeneratedScenario = Omit<EvaluationScenario, 'id' | 'evaluation_id' | 'extra'> & { id: string }

export const EVALUATORS = ['exact', 'score', 'grade', 'a.b=c&d']

const score = fc.oneof(
  fc.constantFrom(0, 1, -1, 0.1, 0.2, 0.3, 0.5, 0.7, 100, 1e-7),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1000, max: 1000 }),
)

/** Results in every state: score, verdict, text, null and error. */
const result = fc.oneof(
  { weight: 4, arbitrary: fc.boolean().map((value) => ({ type: 'bool', value })) },
  { weight: 4, arbitrary: score.map((value) => ({ type: 'number', value })) },
  { weight: 1, arbitrary: fc.constantFrom('A', 'B', '1', '0.5').map((value) => ({ type: 'text', value })) },
  { weight: 1, arbitrary: fc.constant({ type: 'text', value: null }) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom(null, 1, true), fc.nat(99))
      .map(([value, n]) => ({ type: 'error', value, error: { message: `Timeout after ${n} ms` } })),
  },
)

const output = fc.record(
  {
    result: fc.oneof(
      {
        weight: 5,
        arbitrary: fc.constantFrom('Yes', 'No', 'ÄÖ "x"').map((value) => ({ type: 'text', value })),
      },
      {
        weight: 1,
        arbitrary: fc.constant({ type: 'error', value: null, error: { message: 'HTTP 429 for k' } }),
      },
    ),
    cost: fc.option(fc.constantFrom(0, 0.25, 0.1, 1)),
    latency: fc.option(fc.double({ min: 0, max: 9, noNaN: true })),
  },
  { requiredKeys: ['result'] },
)

const inputValue = fc.oneof(
  fc.constantFrom<unknown>(1, '1', 1.5, true, null, 'Straße', 'x y'),
  fc.constant([1, { a: 2 }]),
)

const scenario = fc.record({
  inputs: fc.uniqueArray(
    fc.record({ name: fc.constantFrom('q', 'n'), type: fc.constant('text'), value: inputValue }),
    { selector: ({ name }) => name, maxLength: 2 },
  ),
  outputs: fc.array(output, { maxLength: 2 }),
  correct_answers: fc.option(fc.constant([{ key: 'answer', value: 'Canberra' }])),
  is_pinned: fc.option(fc.boolean()),
  note: fc.option(fc.constantFrom('', 'Look AGAIN')),
  results: fc.array(fc.record({ evaluator_config: fc.constantFrom(...EVALUATORS), result }), {
    maxLength: 5,
  }),
})

/** The scenarios of one evaluation, with ids by index. */
export function scenariosOf(maxLength = 30): fc.Arbitrary<GeneratedScenario[]> {
  return fc
    .array(scenario, { maxLength })
    .map((list) => list.map((one, index) => ({ id: `s-${index}`, ...one }) as GeneratedScenario))
}

export interface DeclaredEvaluator {
  name: string
  higher_is_better?: boolean
  threshold?: number
}

let evaluationCount = 0

/** Stores an evaluation and returns its generated id. Half of the evaluations have unused positions between rows. */
export async function storeEvaluation(
  { writer }: Store,
  scenarios: GeneratedScenario[],
  evaluators: DeclaredEvaluator[] = [],
): Promise<string> {
  evaluationCount += 1
  const id = `generated-${evaluationCount}`
  await writer.transaction(async (transaction) => {
    const project = await ensureProject(transaction, 'default')
    const key = await createEvaluation(transaction, project, parsedValue({ id, evaluators }))
    // Each scenario is a row of its own, even if its inputs and answers are those of another one.
    const rows = scenarios.map((one) => scenarioRow(id, parsedValue({ ...one, extra: { sample: one.id } })))
    // Appending rows again leaves their new positions unused.
    if (rows.length % 2 === 0) await appendScenarios(transaction, key, [rows.slice(0, rows.length / 3)])
    await appendScenarios(transaction, key, [rows])
  })
  return id
}

/** The first result of an evaluator, which is the one that the service uses. */
export function resultOf({ results }: GeneratedScenario, evaluator: string) {
  return results.find(({ evaluator_config }) => evaluator_config === evaluator)?.result
}

/** Returns undefined if the scenario has no score or the evaluator failed. */
export function scoreOf(scenario: GeneratedScenario, evaluator: string): number | undefined {
  const result = resultOf(scenario, evaluator)
  if (!result || result.error) return undefined
  return ['number', 'boolean'].includes(typeof result.value) ? Number(result.value) : undefined
}
