// Gives, removes and renames answers of a review.

import { invalidContent } from '../../errors.ts'
import type { NewAnswer, ReviewAnswer } from '../../schema/reviews/answers.ts'
import type { LabelMerge } from '../../schema/reviews/reviews.ts'
import type { Connection, Transaction } from '../dialect/dialect.ts'
import { readScenarioIds } from '../reads/scenario-ids.ts'
import type { FoundReview } from './reviews.ts'
import { type AnswerTypes, editAnswers, identityOf } from './store-answers.ts'

/** Who answers: a reviewer, or a key of the project, whose answers are decisions. */
export interface Answerer {
  by: string
  is_decision: boolean
}

interface AnswerOptions {
  now: number
  maxRecordBytes: number
}

function typesOf({ review }: FoundReview): AnswerTypes {
  return new Map(review.questions.map(({ evaluator, type }) => [evaluator, type]))
}

/** Whether an answer belongs to the answerer. Decisions belong to all keys of the project. */
const isOwn = ({ by, is_decision }: Answerer, answer: ReviewAnswer) =>
  answer.is_decision === is_decision && (is_decision || answer.by === by)

/** Stores the answers of one reviewer to all questions about a row. An equal answer keeps its time. Returns them. */
export async function putAnswers(
  transaction: Transaction,
  found: FoundReview,
  scenario_id: string,
  answerer: Answerer,
  content: readonly NewAnswer[],
  { now, maxRecordBytes }: AnswerOptions,
): Promise<ReviewAnswer[]> {
  const types = typesOf(found)
  const answered_at = new Date(now).toISOString()
  const given = content.map(({ evaluator, value, labels = [], note = null }) => ({
    evaluator,
    ...answerer,
    value,
    labels,
    note,
    answered_at,
  }))
  let own: ReviewAnswer[] = []
  const edit = (answers: ReviewAnswer[]) => {
    const previous = new Map(answers.map((answer) => [identityOf(answer), answer]))
    const next = new Map(
      given.map((answer) => [identityOf(answer), keepTime(previous.get(identityOf(answer)), answer)]),
    )
    own = [...next.values()]
    const isReplaced = (answer: ReviewAnswer) => isOwn(answerer, answer) && types.has(answer.evaluator)
    const stored = answers.flatMap((answer) => {
      if (!isReplaced(answer)) return answer
      const replacement = next.get(identityOf(answer))
      next.delete(identityOf(answer))
      return replacement ?? []
    })
    return [...stored, ...next.values()]
  }
  await editAnswers(transaction, [scenario_id], {
    evaluation: { key: found.evaluation.key, id: found.review.evaluation_id },
    types,
    edit,
    action: 'answers.added',
    maxRecordBytes,
  })
  return own
}

function keepTime(previous: ReviewAnswer | undefined, answer: ReviewAnswer): ReviewAnswer {
  if (!previous) return answer
  const { answered_at } = previous
  return JSON.stringify(previous) === JSON.stringify({ ...answer, answered_at }) ? previous : answer
}

/** Removes the answers of one reviewer, or the decision, about a row. */
export async function removeAnswers(
  transaction: Transaction,
  found: FoundReview,
  scenario_id: string,
  answerer: Answerer,
  maxRecordBytes: number,
): Promise<void> {
  const types = typesOf(found)
  await editAnswers(transaction, [scenario_id], {
    evaluation: { key: found.evaluation.key, id: found.review.evaluation_id },
    types,
    edit: (answers) => answers.filter((answer) => !isOwn(answerer, answer) || !types.has(answer.evaluator)),
    action: 'answers.deleted',
    maxRecordBytes,
  })
}

/** Removes all answers to the questions of a review, and their results. */
export async function removeAllAnswers(
  transaction: Transaction,
  found: FoundReview,
  maxRecordBytes: number,
): Promise<void> {
  const types = typesOf(found)
  await editAnswers(transaction, await readAnsweredIds(transaction, found.evaluation.key), {
    evaluation: { key: found.evaluation.key, id: found.review.evaluation_id },
    types,
    edit: (answers) => answers.filter(({ evaluator }) => !types.has(evaluator)),
    action: 'answers.deleted',
    maxRecordBytes,
  })
}

/** Replaces labels in all answers to one question. Returns the number of changed answers. */
export async function mergeLabels(
  transaction: Transaction,
  found: FoundReview,
  { evaluator, labels, to }: LabelMerge,
  maxRecordBytes: number,
): Promise<number> {
  const types = typesOf(found)
  const type = types.get(evaluator)
  if (type === undefined) throw invalidContent('/evaluator', 'The review has no such question.')
  const replaced = new Set(labels)
  const rename = (label: string) => (replaced.has(label) ? to : label)
  const edit = (answers: ReviewAnswer[]) =>
    answers.map((answer) => {
      if (answer.evaluator !== evaluator) return answer
      const value = type === 'label' && typeof answer.value === 'string' ? rename(answer.value) : answer.value
      return { ...answer, value, labels: [...new Set(answer.labels.map(rename))] }
    })
  return editAnswers(transaction, await readAnsweredIds(transaction, found.evaluation.key), {
    evaluation: { key: found.evaluation.key, id: found.review.evaluation_id },
    types,
    edit,
    action: 'answers.updated',
    maxRecordBytes,
  })
}

/** Whether a question has answers. */
export async function hasAnswers(
  connection: Connection,
  evaluation: number,
  evaluator: string,
): Promise<boolean> {
  const rows = await connection.all<{ answers: string }>(
    'SELECT answers FROM answer WHERE evaluation = ?',
    evaluation,
  )
  return rows.some(({ answers }) =>
    (JSON.parse(answers) as ReviewAnswer[]).some((answer) => answer.evaluator === evaluator),
  )
}

/** The ids of the scenarios with answers. */
async function readAnsweredIds(connection: Connection, evaluation: number): Promise<string[]> {
  const positions = await connection.readNumbers(
    'SELECT position FROM answer WHERE evaluation = ?',
    evaluation,
  )
  return [...(await readScenarioIds(connection, evaluation, [...positions])).values()]
}
