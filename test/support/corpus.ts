// Fills a store with a small corpus: evaluations and variants of every kind, and data of another project.
import { randomBytes } from 'node:crypto'
import { splitMembers } from '../../src/json/member-texts.ts'
import type { EvaluationScenario } from '../../src/schema/scenarios.ts'
import { parsedValue } from '../../src/schema/validation/parsed-value.ts'
import { ensureProject } from '../../src/store/access/projects.ts'
import type { Transaction } from '../../src/store/dialect/dialect.ts'
import { createEvaluation } from '../../src/store/evaluations/evaluations.ts'
import { appendScenarios } from '../../src/store/scenarios/append.ts'
import { scenarioRow } from '../../src/store/scenarios/row.ts'
import type { Store } from '../../src/store/store.ts'
import { addRevision } from '../../src/store/variants/revisions.ts'
import { createVariant } from '../../src/store/variants/variants.ts'

export const SCENARIO_COUNT = 25
export const REVISION_COUNT = 4
/** An id whose characters need every kind of percent-encoding. */
export const SPECIAL_ID = 'a/b c%2F?#ü💡'

/** JSON texts that JSON.parse and JSON.stringify would change. */
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
    await addProjectData(transaction, project, ['full', 'empty', SPECIAL_ID, 'shared'])
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
    const variant = await createVariant(
      transaction,
      project,
      parsedValue({ id, name: `Variant ${id}`, created_at }),
    )
    for (let revision = 0; revision < REVISION_COUNT && id !== 'empty'; revision += 1) {
      const config = { config_name: `r${revision}`, parameters: { temperature: revision / 10, project } }
      const created_at = `2026-09-1${revision}T08:00:00.000Z`
      await addRevision(
        transaction,
        variant,
        parsedValue({ revision, modified_by: 'Ana', config, created_at }),
      )
    }
    const evaluation = await createEvaluation(transaction, project, parsedValue(evaluationBody(id, index)))
    await addScenarios(transaction, evaluation, scenarios)
  }
}

/** Stores each exact value as input, output and result of its own scenario, as raw text. */
async function addExactEvaluation(transaction: Transaction, project: number): Promise<void> {
  const key = await createEvaluation(transaction, project, parsedValue({ id: 'exact', name: 'Exact' }))
  const rows = EXACT_VALUES.map((value, position) => {
    const body = exactBody(position, value)
    return scenarioRow('exact', { value: JSON.parse(body), memberTexts: splitMembers(body) })
  })
  await appendScenarios(transaction, key, [rows])
}

/** Adds an evaluation that cannot be compressed: the note of each scenario contains `bytes` random bytes. */
export async function addIncompressibleEvaluation(
  { writer }: Store,
  id: string,
  count: number,
  bytes: number,
): Promise<void> {
  await writer.transaction(async (transaction) => {
    const project = await ensureProject(transaction, 'default')
    const key = await createEvaluation(transaction, project, parsedValue({ id }))
    const scenarios = Array.from({ length: count }, (_, position) => ({
      ...scenario(id, position),
      note: randomBytes(bytes).toString('base64'),
    }))
    await addScenarios(transaction, key, scenarios)
  })
}

/** Small enough that a batch of large scenarios does not reach the statement timeout on a slow machine. */
const BATCH_SIZE = 100

/** Adds new scenarios to an evaluation. */
export async function addScenarios(
  transaction: Transaction,
  evaluation: number,
  scenarios: EvaluationScenario[],
): Promise<void> {
  const rows = scenarios.map((scenario) => scenarioRow(scenario.evaluation_id, parsedValue(scenario)))
  const batches = Array.from({ length: Math.ceil(rows.length / BATCH_SIZE) }, (_, index) =>
    rows.slice(index * BATCH_SIZE, (index + 1) * BATCH_SIZE),
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

function evaluationBody(id: string, index: number) {
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
