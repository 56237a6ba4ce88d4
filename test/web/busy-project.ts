// A project with 14 variants: regressions, improvements and ties, single runs, a running evaluation, and files without a variant.
import type { Assay, ScenarioWrite } from '../../client/client.ts'

const ROW_COUNT = 20
const EVALUATOR_COUNT = 40
const NEWEST = Date.UTC(2026, 9, 20)
const DAY_MS = 86_400_000

/** The number of the 20 rows that pass, or the mean score, in each run of a variant, oldest first. */
interface Runs {
  id: string
  evaluators: Record<string, readonly number[]>
}

/** The evaluator that regresses comes after more evaluators than a card or a section can show. */
const MANY_EVALUATORS = Object.fromEntries(
  Array.from({ length: EVALUATOR_COUNT }, (_, index): [string, number[]] => [
    `retrieval_of_supporting_passages_${index + 10}`,
    index === 30 ? [19, 18, 5] : [18, 18, 18],
  ]),
)

/** Named so that the order of names is not the order of the page. */
export const REGRESSED: Runs[] = [
  {
    id: 'agent-refunds',
    evaluators: { task_success: [15, 16, 17, 18, 2], policy_followed: [18, 18, 18, 18, 18] },
  },
  {
    id: 'reply-translator',
    evaluators: { 'Answer Relevancy': [18, 6], 'Answer Relevancy strict': [17, 17] },
  },
  { id: 'rag-faq', evaluators: MANY_EVALUATORS },
]
export const COMPARED: Runs[] = [
  { id: 'support-answer', evaluators: { answer_correct: [9, 9, 8, 19], cites_policy: [17, 17, 17, 17] } },
  {
    id: 'product-search',
    evaluators: { 'Tool called. passed': [9, 10, 17], 'Tool called. parsed': [18, 18, 18] },
  },
  { id: 'intent-router', evaluators: { accuracy: [15, 16, 15, 16, 16] } },
  { id: 'summarize-calls', evaluators: { coverage: [0.78, 0.8, 0.81, 0.8, 0.8] } },
]
export const SINGLE: Runs[] = [
  'mmlu-pro',
  'ticket-triage',
  'items',
  'test-run-sample',
  'llama-scout',
  'llama-maverick',
  'config-js',
].map((id, index) => ({ id, evaluators: { pass: [10 + index] } }))

/** Three files that have nothing in common, and no variant and no source. */
export const UNRELATED = ['Invoices of March', 'Chess openings', 'Haiku in Finnish']

export const RUNNING = 'Support answer r5: max_tokens 900'

export async function addBusyProject(assay: Assay): Promise<void> {
  for (const [index, { id, evaluators }] of [...REGRESSED, ...COMPARED, ...SINGLE].entries()) {
    await assay.addVariant({ id })
    const runCount = Object.values(evaluators)[0]?.length ?? 0
    for (let run = 0; run < runCount; run++) {
      await addRevision(assay, id)
      // Regressions are older than everything else.
      const created = NEWEST - (30 - index) * DAY_MS - (runCount - run) * 40 * DAY_MS
      const evaluation = `${id}-r${run + 1}`
      await assay.addEvaluation({
        id: evaluation,
        name: `${id} run ${run + 1}`,
        variant_id: id,
        revision: run + 1,
        created_at: new Date(created).toISOString(),
      })
      const scores = Object.entries(evaluators).map(([name, values]): [string, number] => [
        name,
        values[run] ?? 0,
      ])
      await assay.appendScenarios(evaluation, scenariosOf(scores))
    }
  }
  await addRevision(assay, 'support-answer')
  const running = {
    variant_id: 'support-answer',
    revision: 5,
    status: 'running',
    expected_count: 40,
  } as const
  await assay.addEvaluation({ id: 'support-answer-r5', name: RUNNING, ...running })
  await assay.appendScenarios('support-answer-r5', scenariosOf([['answer_correct', 18]]))
  for (const [index, name] of UNRELATED.entries()) {
    const id = name.toLowerCase().replaceAll(' ', '-')
    await assay.addEvaluation({ id, name, created_at: new Date(NEWEST + index * DAY_MS).toISOString() })
    await assay.appendScenarios(id, scenariosOf([['exact', 8 + 4 * index]]))
  }
}

async function addRevision(assay: Assay, variant: string): Promise<void> {
  await assay.addVariantRevision(variant, { modified_by: 'ana', config: { config_name: variant } })
}

/** A number of at least 1 is the number of rows that pass, a smaller one the mean of scores. */
function scenariosOf(scores: readonly [evaluator: string, value: number][]): ScenarioWrite[] {
  return Array.from({ length: ROW_COUNT }, (_, row) => ({
    id: `row-${row}`,
    inputs: [{ name: 'question', type: 'text', value: `Question ${row}` }],
    outputs: [{ result: { type: 'text', value: 'answer' }, latency: 1, cost: 0.001 }],
    results: scores.map(([evaluator_config, value]) => ({
      evaluator_config,
      result:
        value < 1
          ? { type: 'number', value: value + ((row % 5) - 2) / 50 }
          : { type: 'bool', value: row < value },
    })),
  }))
}
