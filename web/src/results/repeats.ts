// The results of a row with repeats: the state of each repeat, how many pass, and the mean of the scores.
import type { EvaluationRows } from 'assay-client'
import { judgeResult, type ScoringRule } from './cells.ts'
import type { ResultState } from './result-states.ts'

export type RowRepeats = NonNullable<EvaluationRows['rows'][number]['repeats']>

/** More marks cannot be counted at a glance, so a text replaces them. */
export const MAX_MARKS = 10

export type RepeatState = Extract<ResultState, 'pass' | 'fail' | 'scored' | 'unscored'>

export interface RepeatedResult {
  /** In the order of the repeats. Only the first repeats of a row with very many are listed. */
  states: RepeatState[]
  scores: (number | null)[]
  /** Whether the scores are verdicts, or the evaluator has a threshold. */
  hasVerdicts: boolean
  /** The number of listed repeats with a score, and of those that pass. */
  count: number
  passes: number
  /** Of all repeats. */
  mean: number
  /** The standard deviation of the listed scores; undefined for one score. */
  deviation: number | undefined
}

/** Undefined if no repeat has a score. */
export function repeatedResult(
  repeats: RowRepeats,
  evaluator: string,
  rule: ScoringRule,
): RepeatedResult | undefined {
  const entry = repeats.scores.find((item) => item.evaluator === evaluator)
  if (!entry || entry.mean === null) return undefined
  const { scores, is_verdict: isVerdict, mean } = entry
  const states = scores.map((score) => {
    const value = isVerdict && score !== null ? score === 1 : score
    return judgeResult({ value }, rule).state as RepeatState
  })
  const numbers = scores.filter((score) => score !== null)
  return {
    states,
    scores,
    hasVerdicts: isVerdict || rule.threshold !== null,
    count: numbers.length,
    passes: states.filter((state) => state === 'pass').length,
    mean,
    deviation: standardDeviation(numbers),
  }
}

/** Of a sample. */
function standardDeviation(numbers: readonly number[]): number | undefined {
  if (numbers.length < 2) return undefined
  const mean = numbers.reduce((sum, number) => sum + number, 0) / numbers.length
  const squares = numbers.reduce((sum, number) => sum + (number - mean) ** 2, 0)
  return Math.sqrt(squares / (numbers.length - 1))
}
