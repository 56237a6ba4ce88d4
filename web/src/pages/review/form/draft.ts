// The answers about one row while they are given.
import type { NewAnswer, ReviewForm } from 'assay-client'

export type Question = ReviewForm['questions'][number]

/** Undefined: not answered yet. Null: "can't tell". A number is its text. */
type DraftValue = boolean | string | null | undefined

export interface Draft {
  values: Record<string, DraftValue>
  labels: Record<string, string[]>
  /** Stored with the answer to the first question. */
  note: string
}

export function draftOf(questions: readonly Question[], answers: readonly NewAnswer[]): Draft {
  const draft: Draft = { values: {}, labels: {}, note: '' }
  for (const { evaluator } of questions) {
    const answer = answers.find((each) => each.evaluator === evaluator)
    if (!answer) continue
    draft.values[evaluator] = typeof answer.value === 'number' ? String(answer.value) : answer.value
    draft.labels[evaluator] = answer.labels ?? []
    draft.note ||= answer.note ?? ''
  }
  return draft
}

/** A failed verdict has failure modes; nothing else has. */
export function hasModes({ type, evaluator }: Question, { values }: Draft): boolean {
  return type === 'verdict' && values[evaluator] === false
}

/** The answers to all questions. A text that is left out is "can't tell". */
export function answersOf(questions: readonly Question[], draft: Draft): NewAnswer[] {
  return questions.map((question, index) => {
    const { evaluator, type } = question
    const value = draft.values[evaluator] ?? null
    const note = index === 0 ? draft.note.trim() : ''
    return {
      evaluator,
      value: type === 'number' && value !== null ? Number(value) : value === '' ? null : value,
      labels: hasModes(question, draft) ? (draft.labels[evaluator] ?? []) : [],
      note: note === '' ? null : note,
    }
  })
}

/** The first question that still needs an answer. Texts are optional. */
export function findMissing(questions: readonly Question[], { values }: Draft): Question | undefined {
  return questions.find(({ evaluator, type }) => {
    const value = values[evaluator]
    if (type === 'text' || value === null) return false
    return value === undefined || value === '' || (type === 'number' && !Number.isFinite(Number(value)))
  })
}

export function isSameDraft(questions: readonly Question[], one: Draft, other: Draft): boolean {
  return JSON.stringify(answersOf(questions, one)) === JSON.stringify(answersOf(questions, other))
}
