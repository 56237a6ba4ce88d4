// The four evaluations of support-answer: revisions 3 to 6 on the same test set.
import type { EvaluationScenario } from '../../src/schema/scenarios.ts'
import { randomFrom, rounded } from '../random.ts'
import { tokenCount } from '../text.ts'
import type { SampleEvaluation } from '../types.ts'
import { generateAnswer } from './answers.ts'
import { FAULTS } from './failures.ts'
import type { Outcome, Plan } from './plan.ts'
import { R3 } from './plans/r3.ts'
import { R4 } from './plans/r4.ts'
import { R5 } from './plans/r5.ts'
import { R6 } from './plans/r6.ts'
import { supportTestSet, type TestRow } from './test-set.ts'
import { supportAnswer } from './variant.ts'
import { noVerdicts, type Verdict, verdictsOn } from './verdicts.ts'

const PLANS: Plan[] = [R3, R4, R5, R6]

export function supportEvaluations(): SampleEvaluation[] {
  const rows = supportTestSet()
  return PLANS.map((plan) => {
    const id = evaluationId(plan.revision)
    const promptTokens = promptTokensOf(plan.revision)
    return {
      evaluation: {
        id,
        name: plan.name,
        variant_id: 'support-answer',
        revision: plan.revision,
        baseline_id: plan.baseline === null ? null : evaluationId(plan.baseline),
        source: 'deepeval',
        created_at: plan.createdAt,
        evaluators: [
          { name: 'answer_correct', higher_is_better: true },
          { name: 'faithfulness', higher_is_better: true, threshold: 0.8 },
          { name: 'tone' },
          { name: 'cites_policy', higher_is_better: true },
        ],
        metadata: {
          dataset: 'support-tickets-2026-09 (120)',
          judge: { model: 'gpt-4o', temperature: 0, prompt: 'judge-v4' },
          git_commit: plan.commit,
          trigger: plan.trigger,
        },
      },
      scenarios: rows.map((row) => scenario(plan, id, row, promptTokens)),
    }
  })
}

function evaluationId(revision: number): string {
  return `support-answer-r${revision}`
}

function promptTokensOf(revision: number): number {
  const variantRevision = supportAnswer().revisions.find((candidate) => candidate.revision === revision)
  return tokenCount(JSON.stringify(variantRevision?.config.parameters?.messages))
}

function outcomeOf(plan: Plan, id: string): Outcome {
  if (plan.wrong.includes(id)) return 'wrong'
  if (plan.deflects.includes(id)) return 'deflects'
  if (plan.english.includes(id)) return 'english'
  return plan.empty.includes(id) ? 'empty' : 'right'
}

function scenario(plan: Plan, evaluationId: string, row: TestRow, promptTokens: number): EvaluationScenario {
  const { output, verdicts, extra } = run(plan, row, promptTokens)
  const pinned = plan.pinned.includes(row.id)
  return {
    id: row.id,
    evaluation_id: evaluationId,
    inputs: row.inputs,
    outputs: [output],
    correct_answers: row.correctAnswers,
    // The first run comes from a tool without pins, so its value is null.
    is_pinned: pinned || (plan.revision === 3 ? null : false),
    note: plan.notes[row.id] ?? null,
    results: verdicts.map((each) => each.result),
    extra,
  }
}

interface Run {
  output: EvaluationScenario['outputs'][number]
  verdicts: Verdict[]
  extra: Record<string, unknown> | null
}

function run(plan: Plan, row: TestRow, promptTokens: number): Run {
  const random = randomFrom(`run ${plan.revision} ${row.id}`)
  const failure = plan.failed[row.id]
  if (failure) {
    const { message, stacktrace, seconds } = FAULTS[failure]
    const result = { type: 'error', value: null, error: { message, stacktrace } }
    const latency = rounded(random.between(...seconds), 3)
    return {
      output: failure === 'openai rate limit' ? { result, latency } : { result, cost: null, latency },
      verdicts: noVerdicts(),
      extra: { attempts: 3, request_id: `req_${random.integer(0x10000000, 0xffffffff).toString(16)}` },
    }
  }
  const outcome = outcomeOf(plan, row.id)
  const answer = generateAnswer(plan, row, outcome)
  const prompt = promptTokens + tokenCount(JSON.stringify(row.inputs.slice(0, 2)))
  const completion = tokenCount(answer.text)
  const firstTokenSeconds = random.between(0.45, 1.1) + (random.chance(0.06) ? random.between(1.5, 5.5) : 0)
  const verdicts = verdictsOn(plan, row, outcome, answer)
  return {
    output: {
      result: { type: 'text', value: answer.text },
      cost: rounded((prompt * plan.price[0] + completion * plan.price[1]) / 1_000_000, 6),
      latency: rounded(firstTokenSeconds + completion * plan.secondsPerToken * random.between(0.8, 1.3), 3),
    },
    verdicts,
    extra: extraOf(verdicts, prompt, completion),
  }
}

function extraOf(verdicts: Verdict[], prompt: number, completion: number): Record<string, unknown> | null {
  if (verdicts.every((each) => each.reason === null)) return null
  return {
    results: verdicts.map(({ reason }) => (reason === null ? null : { reason })),
    tokens: { prompt, completion },
  }
}
