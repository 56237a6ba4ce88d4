// The answers of reviewers as `extra.answers` of a scenario contains them, and their JSON schema in responses.
import type { Static } from 'typebox'
import { isId } from '../ids.ts'
import { namedObject, nullable, Type, timeSchema } from '../schema-builders.ts'
import { normalizeTime } from '../times.ts'
import { createValidator, type ValidationError } from '../validation/validator.ts'

export const ANSWER_TYPES = ['verdict', 'label', 'number', 'text', 'preference'] as const
/** What a stored preference is. Reviewers answer `left` and `right` instead of the first two. */
export const PREFERENCES = ['candidate', 'baseline', 'equal', 'both_bad'] as const
export type Preference = (typeof PREFERENCES)[number]
export const SIDES = ['left', 'right'] as const
export type AnswerType = (typeof ANSWER_TYPES)[number]

export const MAX_LABELS = 100
/** Limit of texts and notes, in UTF-16 code units. */
const MAX_TEXT_LENGTH = 10_000

export type AnswerValue = boolean | number | string | null

export const labelSchema = (description: string) => Type.String({ format: 'name', description })

const value = Type.Unsafe<AnswerValue>({
  type: ['boolean', 'number', 'string', 'null'],
  description:
    'The answer: true or false for a verdict, a text for a label or text, a number for a number. For a preference, `left`, `right`, `equal` or `both_bad`; with a key of the project, `candidate` and `baseline` instead of the sides. Null means "cannot tell": it is stored, but not counted.',
})

export const ReviewAnswer = namedObject('ReviewAnswer', {
  evaluator: Type.String({ description: 'The evaluator of the question.' }),
  by: Type.String({ description: 'The name of the reviewer, or of the key that decided.' }),
  is_decision: Type.Boolean({
    description:
      'Whether it was given with a key of the project. A decision overrules the answers of reviewers.',
  }),
  value,
  labels: Type.Array(Type.String(), { description: 'Failure modes, or other labels of the row.' }),
  note: nullable(Type.String()),
  answered_at: timeSchema('When it was given. UTC, with milliseconds.'),
})
export type ReviewAnswer = Static<typeof ReviewAnswer>

const NewAnswer = namedObject('NewAnswer', {
  evaluator: Type.String({ description: 'The evaluator of a question of the review.' }),
  value,
  labels: Type.Optional(
    Type.Array(labelSchema('A label. It does not have to be declared.'), {
      maxItems: MAX_LABELS,
      uniqueItems: true,
    }),
  ),
  note: Type.Optional(nullable(Type.String({ maxLength: MAX_TEXT_LENGTH }))),
})
export type NewAnswer = Static<typeof NewAnswer>

export const AnswersWrite = namedObject('AnswersWrite', {
  answers: Type.Array(NewAnswer, {
    minItems: 1,
    maxItems: 20,
    description: 'The answers to the questions about one row. Answers to other questions are removed.',
  }),
})
export type AnswersWrite = Static<typeof AnswersWrite>
export const checkAnswers = createValidator(AnswersWrite)

/** Whether a value answers a question of this type. Null does not. */
export function fitsType(type: AnswerType, value: AnswerValue): boolean {
  if (type === 'verdict') return typeof value === 'boolean'
  if (type === 'number') return typeof value === 'number' && Number.isFinite(value)
  if (type === 'preference') return (PREFERENCES as readonly unknown[]).includes(value)
  if (type === 'label') return typeof value === 'string' && isId(value)
  return typeof value === 'string' && value.length <= MAX_TEXT_LENGTH && value.isWellFormed()
}

const TYPE_HINTS: Record<AnswerType, string> = {
  verdict: 'This must be true, false or null.',
  number: 'This must be a number or null.',
  label: 'This must be a label of 1 to 200 printable characters, or null.',
  preference:
    'This must be left, right, equal, both_bad or null. With a key of the project, candidate and baseline instead of the sides.',
  text: `This must be a text of at most ${MAX_TEXT_LENGTH} characters, or null.`,
}

/** What is wrong with answers to these questions. */
export function findAnswerErrors(
  answers: readonly NewAnswer[],
  questions: readonly { evaluator: string; type: AnswerType }[],
): ValidationError[] {
  const types = new Map(questions.map(({ evaluator, type }) => [evaluator, type]))
  return answers.flatMap(({ evaluator, value }, index) => {
    const pointer = `/answers/${index}`
    const type = types.get(evaluator)
    if (type === undefined)
      return { pointer: `${pointer}/evaluator`, detail: 'The review has no question for this evaluator.' }
    if (answers.findIndex((answer) => answer.evaluator === evaluator) < index)
      return { pointer: `${pointer}/evaluator`, detail: 'This question is answered twice.' }
    if (value === null || fitsType(type, value)) return []
    return { pointer: `${pointer}/value`, detail: TYPE_HINTS[type] }
  })
}

/** An element of `extra.answers`. Members without a value are omitted. */
interface StoredAnswer {
  evaluator: string
  by: string
  value: AnswerValue
  labels?: string[]
  note?: string
  answered_at: string
  decision?: boolean
}

/** The answers in the extra data of a scenario. Undefined if the member is something else: extra data is free-form. */
export function readAnswers(extra: Record<string, unknown> | null | undefined): ReviewAnswer[] | undefined {
  const list = extra?.answers ?? []
  if (!Array.isArray(list) || !list.every(isStoredAnswer)) return undefined
  return list.map(({ evaluator, by, value, labels = [], note = null, answered_at, decision = false }) => ({
    evaluator,
    by,
    is_decision: decision,
    value,
    labels,
    note,
    answered_at,
  }))
}

function isStoredAnswer(answer: unknown): answer is StoredAnswer {
  if (typeof answer !== 'object' || answer === null) return false
  const {
    evaluator,
    by,
    value,
    labels = [],
    note = '',
    answered_at,
    decision = false,
    ...others
  } = answer as Partial<StoredAnswer>
  return (
    Object.keys(others).length === 0 &&
    [evaluator, by, note].every((text) => typeof text === 'string') &&
    (value === null || ['boolean', 'number', 'string'].includes(typeof value)) &&
    Array.isArray(labels) &&
    labels.every((label) => typeof label === 'string') &&
    typeof decision === 'boolean' &&
    typeof answered_at === 'string' &&
    normalizeTime(answered_at) === answered_at
  )
}

/** The text of `extra.answers`. Undefined without answers: the member is then removed. */
export function writeAnswers(answers: readonly ReviewAnswer[]): string | undefined {
  if (answers.length === 0) return undefined
  return JSON.stringify(
    answers.map(({ evaluator, by, is_decision, value, labels, note, answered_at }) => ({
      evaluator,
      by,
      value,
      ...(labels.length > 0 && { labels }),
      ...(note !== null && { note }),
      answered_at,
      ...(is_decision && { decision: true }),
    })),
  )
}
