// Generates the evaluator results for an answer. They follow from the answer, except where the plan defines an error of
// the judge.
import type { EvaluationScenario } from '../../src/schema/scenarios.ts'
import { type Random, randomFrom, rounded } from '../random.ts'
import { fill } from '../text.ts'
import { type Answer, FAREWELLS, mistakeOf } from './answers.ts'
import { JUDGE_FAULTS } from './failures.ts'
import type { Outcome, Plan } from './plan.ts'
import type { TestRow } from './test-set.ts'

type ScenarioResult = EvaluationScenario['results'][number]

export interface Verdict {
  result: ScenarioResult
  reason: string | null
}

const TYPES = { answer_correct: 'bool', faithfulness: 'number', tone: 'text', cites_policy: 'bool' } as const
type EvaluatorName = keyof typeof TYPES

function verdict(name: EvaluatorName, value: unknown, reason: string | null = null): Verdict {
  return { result: { evaluator_config: name, result: { type: TYPES[name], value } }, reason }
}

export function noVerdicts(): Verdict[] {
  return (Object.keys(TYPES) as EvaluatorName[]).map((name) => verdict(name, null))
}

export function verdictsOn(plan: Plan, row: TestRow, outcome: Outcome, answer: Answer): Verdict[] {
  if (plan.unscored[row.id] === 'all') return []
  const random = randomFrom(`verdict ${plan.revision} ${row.id}`)
  const verdicts = [
    correctness(plan, row, outcome, answer, random),
    faithfulness(plan, row, outcome, answer, random),
    tone(row, outcome, answer, random),
    citation(plan, row, answer),
  ]
  const judgeFailure = plan.judgeFailures[row.id]
  return verdicts.map((result) =>
    result.result.evaluator_config === judgeFailure?.evaluator
      ? {
          result: {
            evaluator_config: judgeFailure.evaluator,
            result: { type: 'error', value: null, error: { ...JUDGE_FAULTS[judgeFailure.kind] } },
          },
          reason: null,
        }
      : result,
  )
}

const AGREES = [
  'Same fact as the reference.',
  'Correct and complete for this question.',
  'The reference is fully covered.',
  'Other words, same rule.',
  'Agrees with the reference, and answers what was asked.',
  'Nothing in it contradicts the reference.',
]

function agreement({ supportCase }: TestRow, random: Random): string {
  const quotable = / /.test(supportCase.mention)
  return quotable && random.chance(0.5) ? `Says "${supportCase.mention}", as expected.` : random.pick(AGREES)
}

function correctness(plan: Plan, row: TestRow, outcome: Outcome, answer: Answer, random: Random): Verdict {
  const misjudged = plan.misjudged[row.id]
  const isRight = outcome === 'right' && !answer.isTruncated
  if (misjudged) return verdict('answer_correct', !isRight, misjudged)
  if (outcome === 'wrong') return verdict('answer_correct', false, mistakeOf(plan, row).why)
  if (outcome === 'empty') return verdict('answer_correct', false, 'There is no answer.')
  if (outcome === 'deflects')
    return verdict('answer_correct', false, 'Does not give the fact that was asked for.')
  if (outcome === 'english') {
    return verdict('answer_correct', false, 'The fact is right, but the customer did not write in English.')
  }
  if (answer.isTruncated)
    return verdict('answer_correct', false, 'Breaks off before it has covered the reference.')
  return verdict('answer_correct', true, random.chance(0.8) ? agreement(row, random) : null)
}

const SUPPORTED = [
  'Every claim is in {cite}.',
  'All claims are supported by {cite}.',
  '3 of 3 claims supported.',
  '2 of 2 claims supported.',
  'Supported by {cite} and the customer record.',
]

const INVENTED = [
  'Not supported: the prompt holds nothing on this topic.',
  'No section of the help centre says this.',
  '0 of 1 claims supported.',
  'The figures come from nowhere.',
]

function faithfulness(plan: Plan, row: TestRow, outcome: Outcome, answer: Answer, random: Random): Verdict {
  if (outcome === 'empty' || plan.unscored[row.id] === 'faithfulness') return verdict('faithfulness', null)
  const graded = plan.faithfulnessOverrides[row.id]
  if (graded) return verdict('faithfulness', graded.value, graded.reason)
  if (outcome === 'deflects') return verdict('faithfulness', 1, 'Claims nothing that is not in the prompt.')
  const invents = plan.missingTopics.includes(row.topic)
  if (outcome === 'wrong') {
    const value = invents ? random.between(0, 0.28) : random.between(0.14, 0.48)
    return verdict(
      'faithfulness',
      random.chance(invents ? 0.25 : 0.1) ? 0 : rounded(value, 2),
      invents ? random.pick(INVENTED) : `Contradicts ${row.supportCase.cite}.`,
    )
  }
  if (invents) {
    const value = rounded(random.between(0.42, 0.74), 2)
    return verdict('faithfulness', value, 'True, as it happens, but nothing in the prompt supports it.')
  }
  if (answer.isTruncated)
    return verdict('faithfulness', rounded(random.between(0.7, 0.9), 2), 'Last claim is incomplete.')
  const loose = unsupportedDetail(plan, row, answer)
  if (loose) {
    return verdict(
      'faithfulness',
      rounded(random.between(0.72, 0.95), 2),
      `Not in the help centre: ${loose}.`,
    )
  }
  if (random.chance(0.6)) {
    return verdict('faithfulness', 1, random.pick(SUPPORTED).replace('{cite}', row.supportCase.cite))
  }
  return verdict('faithfulness', rounded(random.between(0.9, 0.99), 2))
}

/** Returns the detail that the policy does not support, if the answer contains it. */
function unsupportedDetail(plan: Plan, { supportCase, slots }: TestRow, answer: Answer): string | null {
  if (!supportCase.unsupported) return null
  const isIncluded =
    supportCase.unsupported.in === 'answer'
      ? plan.wording === 'full'
      : supportCase.next !== undefined && answer.text.includes(fill(supportCase.next, slots))
  return isIncluded ? supportCase.unsupported.what : null
}

const TONE_REASONS = {
  friendly: ['Warm, and speaks to the person.', 'Kind without being chatty.', 'Sounds like a person.', null],
  neutral: ['Polite and matter-of-fact.', 'Neither warm nor cold.', null, null],
  curt: [
    'Bare facts, no word to the customer.',
    'Reads like a sign on a door.',
    'No greeting, no next step.',
    null,
  ],
} as const

function tone(row: TestRow, outcome: Outcome, answer: Answer, random: Random): Verdict {
  if (outcome === 'empty') return verdict('tone', null)
  const warmth = warmthOf(row, answer.text) + (random.chance(0.12) ? random.pick([-1, 1]) : 0)
  const isCurt = warmth < 0 || (warmth === 0 && random.chance(answer.text.length < 90 ? 0.85 : 0.4))
  const label = warmth > 2 ? 'friendly' : isCurt ? 'curt' : 'neutral'
  return verdict('tone', label, random.pick(TONE_REASONS[label]))
}

/** Counts the friendly elements: greeting, empathy, next step and farewell. */
function warmthOf({ supportCase, question, slots }: TestRow, text: string): number {
  const contains = (part: string | undefined) => part !== undefined && text.includes(fill(part, slots))
  if (supportCase.language && text.includes(supportCase.answer)) return 3
  return [
    contains('{first}'),
    contains(question.lead),
    contains(supportCase.next),
    FAREWELLS.some((farewell) => text.includes(farewell)),
  ].filter(Boolean).length
}

function citation(plan: Plan, row: TestRow, answer: Answer): Verdict {
  if (answer.cited === null) return verdict('cites_policy', false, 'No section is cited.')
  if (!plan.missingTopics.includes(row.topic)) return verdict('cites_policy', true)
  return verdict('cites_policy', false, `Cites [${answer.cited}], which does not exist.`)
}
