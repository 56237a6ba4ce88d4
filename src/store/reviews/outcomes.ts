// The result of a question in one row, from the answers of its reviewers.
import {
  type AnswerType,
  type AnswerValue,
  fitsType,
  type ReviewAnswer,
} from '../../schema/reviews/answers.ts'

export interface Outcome {
  /** Null if the row has no result. */
  result: { value: Exclude<AnswerValue, null>; deciding: ReviewAnswer[] } | null
  /** Whether definite answers differ without a majority. */
  isDisputed: boolean
}

const NO_RESULT: Outcome = { result: null, isDisputed: false }

/** `answers` are those to one question about one row. */
export function computeOutcome(type: AnswerType, answers: readonly ReviewAnswer[]): Outcome {
  const decision = answers.find(({ is_decision }) => is_decision)
  const counted = (decision ? [decision] : answers).filter(({ value }) => fitsType(type, value))
  if (counted.length === 0) return NO_RESULT
  if (type === 'number') return { result: { value: median(counted), deciding: counted }, isDisputed: false }
  // Texts are never combined.
  if (type === 'text' && counted.length > 1) return NO_RESULT
  for (const deciding of Map.groupBy(counted, ({ value }) => value).values())
    if (2 * deciding.length > counted.length) {
      const value = deciding[0]?.value as Exclude<AnswerValue, null>
      return { result: { value, deciding }, isDisputed: false }
    }
  return { result: null, isDisputed: true }
}

function median(answers: readonly ReviewAnswer[]): number {
  const numbers = answers.map(({ value }) => value as number).sort((a, b) => a - b)
  const middle = numbers.length >> 1
  const upper = numbers[middle] as number
  if (numbers.length % 2 === 1) return upper
  // Halved before the sum, which could exceed the range of a double.
  return (numbers[middle - 1] as number) / 2 + upper / 2
}

/** The answers that statistics count: the definite ones of reviewers. */
export function definiteAnswers(type: AnswerType, answers: readonly ReviewAnswer[]): ReviewAnswer[] {
  return answers.filter(({ is_decision, value }) => !is_decision && fitsType(type, value))
}

/** The labels of a row: of its decision, or of all its reviewers. Undefined without a definite answer. */
export function labelsOf(type: AnswerType, answers: readonly ReviewAnswer[]): Set<string> | undefined {
  const decision = answers.find(({ is_decision }) => is_decision)
  const counted = (decision ? [decision] : answers).filter(({ value }) => fitsType(type, value))
  if (counted.length === 0) return undefined
  return new Set(
    counted.flatMap(({ value, labels }) => (type === 'label' ? [value as string, ...labels] : labels)),
  )
}
