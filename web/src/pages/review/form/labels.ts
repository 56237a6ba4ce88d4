// The labels that a question offers: their order and keys stay the same while the page is open.
import type { NewAnswer } from 'assay-client'
import { useState } from 'react'
import type { Question } from './form-answers.ts'

export interface LabelOption {
  label: string
  /** The number of rows with this label. */
  rows: number
  /** The key that selects it. */
  digit: string | undefined
}

/** The most frequent failure modes have the digits after those of the verdicts. */
const FIRST_DIGITS: Partial<Record<Question['type'], number>> = { verdict: 4, label: 1 }
const WITH_DIGITS: Question['type'][] = ['verdict', 'label', 'preference']
const LAST_DIGIT = 9

/** Digits belong to the first question that has a few answers. */
export function findKeyQuestion(questions: readonly Question[]): Question | undefined {
  return questions.find(({ type }) => WITH_DIGITS.includes(type))
}

export interface LabelOptions {
  optionsOf: (question: Question) => LabelOption[]
  /** Adds a label that no answer has yet. */
  addLabel: (question: Question, label: string) => void
}

/** `rows` are the answers about each row. */
export function useLabelOptions(
  questions: readonly Question[],
  rows: readonly (readonly NewAnswer[])[],
): LabelOptions {
  // The order when the page was opened, so that digits never change their meaning.
  const [orders, setOrders] = useState<Record<string, string[]>>(() =>
    Object.fromEntries(
      questions.map(({ evaluator, labels }) => [evaluator, labels.map(({ label }) => label)]),
    ),
  )
  const keyQuestion = findKeyQuestion(questions)
  return {
    optionsOf({ evaluator, type }) {
      const counts = countLabels(rows, evaluator, type)
      const first = keyQuestion?.evaluator === evaluator ? FIRST_DIGITS[type] : undefined
      const labels = new Set([...(orders[evaluator] ?? []), ...counts.keys()])
      return [...labels].map((label, index) => ({
        label,
        rows: counts.get(label) ?? 0,
        digit: first !== undefined && first + index <= LAST_DIGIT ? String(first + index) : undefined,
      }))
    },
    addLabel({ evaluator }, label) {
      setOrders((orders) => ({
        ...orders,
        [evaluator]: [...new Set([...(orders[evaluator] ?? []), label])],
      }))
    },
  }
}

function countLabels(
  rows: readonly (readonly NewAnswer[])[],
  evaluator: string,
  type: Question['type'],
): Map<string, number> {
  const counts = new Map<string, number>()
  for (const answers of rows) {
    const own = answers.filter((answer) => answer.evaluator === evaluator)
    const labels = own.flatMap(({ value, labels = [] }) =>
      type === 'label' && typeof value === 'string' ? [value, ...labels] : labels,
    )
    for (const label of new Set(labels)) counts.set(label, (counts.get(label) ?? 0) + 1)
  }
  return counts
}
