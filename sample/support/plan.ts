// The type of a plan, which defines the outcome of each row of a support-answer evaluation: wrong answers, failed
// requests, errors of the judge, pins and notes.
import type { Random } from '../random.ts'
import type { Failure, JudgeFailure } from './failures.ts'
import type { Topic } from './policy.ts'
import type { TestRow } from './test-set.ts'

/** `deflects`: the answer says that it does not know. `english`: the right fact in the wrong language. */
export type Outcome = 'right' | 'wrong' | 'deflects' | 'english' | 'empty'

/** Writes an answer in the style of a revision. */
export type AnswerStyle = (
  row: TestRow,
  core: string,
  outcome: Outcome,
  cite: string,
  random: Random,
) => string

export interface Plan {
  revision: number
  name: string
  /** The revision of the baseline evaluation. */
  baseline: number | null
  createdAt: string
  commit: string
  trigger: string
  style: AnswerStyle
  /** Which of the three wordings of a case the answers use. */
  wording: 'full' | 'plain' | 'brief'
  maxTokens: number
  /** The policy sections that are not in the prompt. */
  missingTopics: Topic[]
  citationRate: number
  /** US dollars per million input and output tokens. */
  price: readonly [number, number]
  secondsPerToken: number
  wrong: string[]
  deflects: string[]
  english: string[]
  empty: string[]
  failed: Record<string, Failure>
  judgeFailures: Record<string, JudgeFailure>
  /** Rows that the judge scores wrongly, with the reason that it gives. */
  misjudged: Record<string, string>
  /** Rows with a fixed faithfulness score. */
  faithfulnessOverrides: Record<string, FaithfulnessOverride>
  /** Rows without scores: of the sampled evaluator, or of all. */
  unscored: Record<string, 'faithfulness' | 'all'>
  pinned: string[]
  notes: Record<string, string>
}

export interface FaithfulnessOverride {
  value: number
  reason: string
}

/** `ids('returns 1 2')` returns ['returns-001', 'returns-002']. */
export function ids(...topics: string[]): string[] {
  return topics.flatMap((line) => {
    const [topic, ...numbers] = line.split(' ')
    return numbers.map((number) => `${topic}-${number.padStart(3, '0')}`)
  })
}

export const MINI = { price: [0.15, 0.6], secondsPerToken: 0.0135 } as const
export const HAIKU = { price: [0.8, 4], secondsPerToken: 0.0108 } as const
