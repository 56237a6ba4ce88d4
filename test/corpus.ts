// A small store with something of every kind in it, and the requests' other half: what a project must not see.
import { randomBytes } from 'node:crypto'
import { memberTexts } from '../src/json/slices.ts'
import type { EvaluationScenario } from '../src/schema/scenarios.ts'
import { written } from '../src/schema/written.ts'
import type { Transaction } from '../src/store/dialect/dialect.ts'
import { addEvaluation } from '../src/store/evaluations.ts'
import { ensureProject } from '../src/store/projects.ts'
import { addRevision } from '../src/store/revisions.ts'
import { appendScenarios } from '../src/store/scenario-append.ts'
import { scenarioRow } from '../src/store/scenario-rows.ts'
import type { Store } from '../src/store/store.ts'
import { addVariant } from '../src/store/variants.ts'

export const SCENARIO_COUNT = 25
export const REVISION_COUNT = 4
/** An id that needs every kind of percent-encoding. */
export const ODD_ID = 'a/b c%2F?#ü💡'

/** Tokens that do not survive JSON.parse and JSON.stringify. */
export const EXACT_VALUES = [
  '1.0',
  '1E2',
  '-0',
  '1e400',
  '9007199254740993',
  '{"10":1,"9":2,"b":3,"a":4}',
  '{"__proto__":{"polluted":true}}',
  String.raw`"\u0000"`,
  String.raw`"\ud800"`,
  String.raw`"\/\u0041"`,
  '[]',
  '{}',
  'null',
  '""',
  '"line\\nbreak, \\"quoted\\""',
]

export async function fillCorpus({ writer }: Store): Promise<void> {
  await writer.transaction(async (transaction) => {
    const project = await ensureProject(transaction, 'default')
    await addProjectData(transaction, project, ['full', 'empty', ODD_ID, 'shared'])
    await addExactEvaluation(transaction, project)
    const other = await ensureProject(transaction, 'other')
    await addProjectData(transaction, other, ['foreign', 'shared'])
  })
}

async function addProjectData(transaction: Transaction, project: number, ids: string[]): Promise<void> {
  for (const [index, id] of ids.entries()) {
    const scenarios = Array.from({ length: id === 'empty' ? 0 : SCENARIO_COUNT }, (_, position) =>
      scenario(id, position),
    )
    const created_at = `2026-09-0${index + 1}T08:00:00.000Z`
    const variant = await addVariant(transaction, project, written({ id, name: `Variant ${id}`, created_at }))
    for (let revision = 0; revision < REVISION_COUNT && id !== 'empty'; revision += 1) {
      const config = { config_name: `r${revision}`, parameters: { temperature: revision / 10, project } }
      const created_at = `2026-09-1${revision}T08:00:00.000Z`
      await addRevision(transaction, variant, written({ revision, modified_by: 'Ana', config, created_at }))
    }
    const evaluation = await addEvaluation(transaction, project, written(evaluationNamed(id, index)))
    await addScenarios(transaction, evaluation, scenarios)
  }
}

/** Each exact value as an input, an output and a result of a scenario of its own, as raw text. */
async function addExactEvaluation(transaction: Transaction, project: number): Promise<void> {
  const key = await addEvaluation(transaction, project, written({ id: 'exact', name: 'Exact' }))
  const rows = EXACT_VALUES.map((value, position) => {
    const body = exactBody(position, value)
    return scenarioRow('exact', { value: JSON.parse(body), texts: memberTexts(body) })
  })
  await appendScenarios(transaction, key, [rows])
}

/** Adds scenarios of an evaluation that has none of them. */
/** Adds an evaluation that no coding makes small: each scenario has so many random bytes in its note. */
export async function addHeavyEvaluation(
  { writer }: Store,
  id: string,
  count: number,
  bytes: number,
): Promise<void> {
  await writer.transaction(async (transaction) => {
    const project = await ensureProject(transaction, 'default')
    const key = await addEvaluation(transaction, project, written({ id }))
    const scenarios = Array.from({ length: count }, (_, position) => ({
      ...scenario(id, position),
      note: randomBytes(bytes).toString('base64'),
    }))
    await addScenarios(transaction, key, scenarios)
  })
}

/** So many heavy ones are sent well within the time for one statement, on a slow machine too. */
const AT_ONCE = 100

export async function addScenarios(
  transaction: Transaction,
  evaluation: number,
  scenarios: EvaluationScenario[],
): Promise<void> {
  const rows = scenarios.map((scenario) => scenarioRow(scenario.evaluation_id, written(scenario)))
  const batches = Array.from({ length: Math.ceil(rows.length / AT_ONCE) }, (_, index) =>
    rows.slice(index * AT_ONCE, (index + 1) * AT_ONCE),
  )
  await appendScenarios(transaction, evaluation, batches)
}

export function exactBody(position: number, value: string): string {
  return (
    `{"id":"s-${position}","evaluation_id":"exact","inputs":[{"name":"question","type":"text","value":${value}}],` +
    `"outputs":[{"result":{"type":"text","value":${value}}}],"correct_answers":null,"is_pinned":null,"note":null,` +
    `"results":[{"evaluator_config":"exact","result":{"type":"json","value":${value}}}]}`
  )
}

function evaluationNamed(id: string, index: number) {
  return {
    id,
    name: `Evaluation ${id}`,
    variant_id: id === 'empty' ? null : id,
    revision: id === 'empty' ? null : 1,
    baseline_id: null,
    source: 'test',
    created_at: `2026-10-0${index + 1}T08:00:00.000Z`,
    evaluators: [{ name: 'exact', higher_is_better: true }],
    metadata: { index },
  }
}

export function scenario(evaluation_id: string, position: number): EvaluationScenario {
  return {
    id: `s-${position}`,
    evaluation_id,
    inputs: [
      { name: 'question', type: 'text', value: `What is ${position}, "exactly"?` },
      { name: 'context', type: 'json', value: { position, tags: ['a', 'b'] } },
    ],
    outputs: [
      position % 10 === 9
        ? { result: { type: 'error', value: null, error: { message: 'HTTP 429', stacktrace: 'at f\nat g' } } }
        : { result: { type: 'text', value: `It is\n${position}` }, cost: 0.001, latency: 1.5 },
    ],
    correct_answers: [{ key: 'answer', value: String(position) }],
    is_pinned: position % 5 === 0 ? true : null,
    note: position % 7 === 0 ? 'look again' : null,
    results: [
      { evaluator_config: 'exact', result: { type: 'bool', value: position % 2 === 0 } },
      { evaluator_config: 'similarity', result: { type: 'number', value: position / 100 } },
    ],
    extra: position % 3 === 0 ? { results: [{ reason: 'it says so' }, null] } : null,
  }
}
