// The form in which it is laid down how an evaluation of support-answer turns out, row by row: which answers
// are wrong, which calls fail, where the judge errs, and what people wrote beside it.
import type { Random } from '../random.ts'
import type { Failure, JudgeFailure } from './failures.ts'
import type { Topic } from './policy.ts'
import type { TestRow } from './test-set.ts'

/** `deflects`: it says that it does not know; `english`: the right fact in the wrong language. */
export type Outcome = 'right' | 'wrong' | 'deflects' | 'english' | 'empty'

/** Puts an answer into the words of a revision. */
export type Manner = (row: TestRow, core: string, outcome: Outcome, cite: string, random: Random) => string

export interface Plan {
  revision: number
  name: string
  /** The revision whose run it is compared with. */
  baseline: number | null
  createdAt: string
  commit: string
  trigger: string
  manner: Manner
  /** Which of the three wordings of a case it uses. */
  wording: 'full' | 'plain' | 'brief'
  maxTokens: number
  /** The sections that are not in the prompt. */
  lacks: Topic[]
  citesOften: number
  /** US dollars for a million tokens, in and out. */
  price: readonly [number, number]
  secondsPerToken: number
  wrong: string[]
  deflects: string[]
  english: string[]
  empty: string[]
  failed: Record<string, Failure>
  judgeFailed: Record<string, JudgeFailure>
  /** Rows where the judge says the contrary of what is so, and why. */
  misjudged: Record<string, string>
  /** Rows whose faithfulness has a cause of its own. */
  graded: Record<string, Grade>
  /** Rows that the judge was not asked about: the sampled evaluator, or all of them. */
  unscored: Record<string, 'faithfulness' | 'all'>
  pinned: string[]
  notes: Record<string, string>
}

export interface Grade {
  value: number
  reason: string
}

/** `ids('returns 1 2')` is returns-001 and returns-002. */
export function ids(...topics: string[]): string[] {
  return topics.flatMap((line) => {
    const [topic, ...numbers] = line.split(' ')
    return numbers.map((number) => `${topic}-${number.padStart(3, '0')}`)
  })
}

export const MINI = { price: [0.15, 0.6], secondsPerToken: 0.0135 } as const
export const HAIKU = { price: [0.8, 4], secondsPerToken: 0.0108 } as const
