// What a review asks: its defaults, and whether its filters and evaluators can be used.
import { invalidContent, Problem } from '../../errors.ts'
import { listNames, type RowFilter } from '../../schema/filters/filters.ts'
import { parseFilters } from '../../schema/filters/parse-filters.ts'
import type { Review, ReviewPatch, ReviewWrite } from '../../schema/reviews/reviews.ts'
import { parsedValue } from '../../schema/validation/parsed-value.ts'
import type { Transaction } from '../dialect/dialect.ts'
import { patchEvaluation } from '../evaluations/evaluations.ts'
import { getDeclaredEvaluators } from '../evaluations/evaluators.ts'
import { getColumnOrdinals } from '../scenarios/columns.ts'

/** The members that a client writes, except the id. */
export type Definition = Omit<Review, 'id' | 'evaluation_id' | 'created_at' | 'updated_at'>

/** All members in the order of the schema, so that equal definitions have equal texts. */
export function withDefaults(
  content: ReviewPatch & Pick<ReviewWrite, 'questions'> & Partial<Pick<Review, 'pairs'>>,
): Definition {
  const { name, instructions, filters, base_id, sample, questions, reviewers_per_row, overlap, pairs } =
    content
  return {
    name: name ?? null,
    instructions: instructions ?? null,
    filters: filters ?? {},
    base_id: base_id ?? null,
    sample: sample ? { rows: sample.rows, seed: sample.seed ?? 0 } : null,
    questions: questions.map(({ evaluator, type, labels = [], question = null, description = null }) => ({
      evaluator,
      type,
      labels,
      question,
      description,
    })),
    reviewers_per_row: reviewers_per_row ?? 1,
    overlap: overlap ?? 0,
    pairs: pairs ?? null,
  }
}

/** Throws invalid-request if a filter is malformed. */
export function readRowFilters({ filters }: Pick<Definition, 'filters'>): RowFilter[] {
  return parseFilters(filters, (text) => text)
}

/** Throws invalid-content. Answers must not change which rows belong to the review. */
export function checkFilters(definition: Definition): void {
  const { base_id, questions } = definition
  const own = new Set(questions.map(({ evaluator }) => evaluator))
  for (const filter of parseOrReject(definition)) {
    const used = listNames(filter).find(({ kind, name }) => kind === 'evaluator' && own.has(name))
    if (used)
      throw invalidContent(
        '/filters',
        `A filter refers to '${used.name}', an evaluator of this review, so answers would change its rows.`,
      )
    if (filter.field === 'delta' && base_id === null)
      throw invalidContent('/base_id', 'The filter delta needs a baseline.')
  }
}

function parseOrReject(definition: Definition): RowFilter[] {
  try {
    return readRowFilters(definition)
  } catch (error) {
    throw error instanceof Problem ? invalidContent('/filters', error.message) : error
  }
}

/** Throws invalid-content. Reviewers see one output, or compare two. */
export function checkTypes({ questions, pairs }: Pick<Definition, 'questions' | 'pairs'>): void {
  for (const [index, { type }] of questions.entries())
    if ((type === 'preference') !== (pairs !== null))
      throw invalidContent(
        `/questions/${index}/type`,
        pairs
          ? 'All questions of a review of a comparison have the type preference.'
          : 'A preference needs a review of a comparison: POST /comparisons/reviews.',
      )
}

/** Throws invalid-content if an evaluator has results that people did not give, or belongs to one of the other reviews. */
export async function checkEvaluators(
  transaction: Transaction,
  evaluation: number,
  { questions }: Definition,
  otherReviews: Review[],
): Promise<void> {
  const declared = await getDeclaredEvaluators(transaction, evaluation)
  const { score } = await getColumnOrdinals(transaction, evaluation)
  for (const [index, { evaluator }] of questions.entries()) {
    const pointer = `/questions/${index}/evaluator`
    const isAsked = (review: Review) => review.questions.some((question) => question.evaluator === evaluator)
    // A key without the scope `read` can create reviews, so errors name nothing that is stored.
    if (otherReviews.some(isAsked))
      throw invalidContent(
        pointer,
        `Another review of this evaluation has a question for '${evaluator}'. Use another name.`,
      )
    const kind = declared.get(evaluator)?.kind ?? null
    if (kind !== 'human' && (kind !== null || score.has(evaluator)))
      throw invalidContent(
        pointer,
        `'${evaluator}' has results that people did not give. Use another name, or declare it with the kind human.`,
      )
  }
}

/** Declares the evaluators of the questions with the kind `human`. */
export async function declareEvaluators(
  transaction: Transaction,
  { project, key }: { project: number; key: number },
  { questions }: Definition,
): Promise<void> {
  const declared = await getDeclaredEvaluators(transaction, key)
  const missing = questions.filter(({ evaluator }) => !declared.has(evaluator))
  if (missing.length === 0) return
  const evaluators = missing.map(({ evaluator }) => ({ name: evaluator, kind: 'human' as const }))
  await patchEvaluation(transaction, project, key, parsedValue({ evaluators }))
}
