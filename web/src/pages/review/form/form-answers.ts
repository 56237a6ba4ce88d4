// The answers about one row while they are given.
import type { NewAnswer, ReviewForm } from 'assay-client'

export type Question = ReviewForm['questions'][number]

/** Undefined: not answered yet. Null: "can't tell". A number is its text. */
type FormValue = boolean | string | null | undefined

export interface FormAnswers {
  values: Record<string, FormValue>
  labels: Record<string, string[]>
  /** Stored with the answer to the first question. */
  note: string
}

export function readFormAnswers(questions: readonly Question[], answers: readonly NewAnswer[]): FormAnswers {
  const draft: FormAnswers = { values: {}, labels: {}, note: '' }
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
export function hasModes({ type, evaluator }: Question, { values }: FormAnswers): boolean {
  return type === 'verdict' && values[evaluator] === false
}

/** The answers to all questions. A text that is left out is "can't tell". */
export function answersOf(questions: readonly Question[], draft: FormAnswers): NewAnswer[] {
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
export function findMissing(questions: readonly Question[], { values }: FormAnswers): Question | undefined {
  return questions.find(({ evaluator, type }) => {
    const value = values[evaluator]
    if (type === 'text' || value === null) return false
    return value === undefined || value === '' || (type === 'number' && !Number.isFinite(Number(value)))
  })
}
