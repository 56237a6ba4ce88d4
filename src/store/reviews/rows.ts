// The rows of a review in its order, with their answers, and which of them a reviewer can still answer.
import { hash } from 'node:crypto'
import { Problem } from '../../errors.ts'
import { BY_POSITION } from '../../schema/filters/orders.ts'
import type { ReviewAnswer } from '../../schema/reviews/answers.ts'
import type { OwnProgress, Review, ReviewPair } from '../../schema/reviews/reviews.ts'
import type { ComparisonCache } from '../compare/comparison-cache.ts'
import { getViewEvaluations, openView } from '../compare/view-with-baseline.ts'
import type { Connection } from '../dialect/dialect.ts'
import { readRowFilters } from './definition.ts'
import { type RowId, readIds, readPairs } from './pairs.ts'
import { type FoundReview, projectViewer } from './reviews.ts'

export interface ReviewedRow {
  position: number
  scenario_id: string
  /** All answers to the questions of the review. */
  answers: ReviewAnswer[]
  /** How many reviewers answer it. */
  needed: number
  /** For a review of a comparison. */
  pair: ReviewPair | undefined
}

export interface ReviewedRows {
  rows: ReviewedRow[]
  warnings: string[]
}

/** Identifies the scenarios of an evaluation: positions are not used again, and the id at a position never changes. */
const READ_COUNTS = 'SELECT scenario_count, next_position FROM evaluation WHERE key = ?'
const READ_ANSWERS = 'SELECT position, answers FROM answer WHERE evaluation = ?'

/** Filters that cannot be used any more select no row, and are a warning. */
export async function readRows(
  connection: Connection,
  found: FoundReview,
  cache: ComparisonCache,
): Promise<ReviewedRows> {
  const { review, evaluation } = found
  const warnings: string[] = []
  const selected = await readSelection(connection, found, cache).catch((error) => {
    if (!(error instanceof Problem)) throw error
    warnings.push(error.message)
    return new Uint8Array()
  })
  const pairs = await readPairs(connection, found)
  const isReviewed = ({ id, position }: RowId) =>
    (!selected || selected[position] === 1) && (!pairs || pairs.has(id))
  const sample = await readSample(connection, found, cache, selected || pairs ? isReviewed : undefined)
  const answers = await readAnswersOf(connection, evaluation.key, review)
  const overlapping = Math.ceil(review.overlap * sample.length)
  const rows = sample.map(({ id, position }, index) => ({
    position,
    scenario_id: id,
    answers: answers.get(position) ?? [],
    pair: pairs?.get(id),
    needed: review.reviewers_per_row + (index < overlapping ? 1 : 0),
  }))
  return { rows, warnings }
}

/** The rows of the sample, or all rows, in the order of the review. `isSelected` says whether a row can be in it. */
export async function readSample(
  connection: Connection,
  { review, evaluation }: Pick<FoundReview, 'review' | 'evaluation'>,
  cache: ComparisonCache,
  isSelected?: (row: RowId) => boolean,
): Promise<RowId[]> {
  const { seed = 0, rows: size = Number.POSITIVE_INFINITY } = review.sample ?? {}
  const limit = isSelected ? undefined : review.sample?.rows
  const ordered = await readInOrder(connection, evaluation.key, { seed, limit }, cache)
  const sample: RowId[] = []
  for (const [index, position] of ordered.positions.entries()) {
    if (sample.length === size) break
    const row = { id: ordered.ids[index] as string, position }
    if (!isSelected || isSelected(row)) sample.push(row)
  }
  return sample
}

/** By position: 1 if the row matches the filters. Undefined: all do. A Set of as many positions takes longer. */
export async function readSelection(
  connection: Connection,
  { project, review }: FoundReview,
  cache: ComparisonCache,
): Promise<Uint8Array | undefined> {
  const filters = readRowFilters(review)
  if (filters.length === 0) return undefined
  const base = review.base_id ?? undefined
  const evaluations = await getViewEvaluations(connection, projectViewer(project), review.evaluation_id, base)
  // Columns can have been deleted since the review was created.
  const options = { filters, order: BY_POSITION, isContinued: true }
  const { view } = await openView(connection, evaluations, options, cache)
  const positions = await view.positions()
  const selected = new Uint8Array((positions.at(-1) ?? -1) + 1)
  for (const position of positions) selected[position] = 1
  return selected
}

/** The first scenarios in the order of a seed, or all. Answers change the evaluation, but not these. */
async function readInOrder(
  connection: Connection,
  evaluation: number,
  { seed, limit }: { seed: number; limit: number | undefined },
  { columns }: ComparisonCache,
): Promise<{ positions: Int32Array; ids: string[] }> {
  const counts = await connection.get<Record<string, number>>(READ_COUNTS, evaluation)
  const key = `review ${evaluation} ${Object.values(counts ?? {})} ${seed} ${limit}`
  const { positions, ids } = await columns.getOrCreate(key, async () => {
    const scenarios = await readIds(connection, evaluation)
    const first = sortByHash(scenarios, seed).slice(0, limit)
    return {
      positions: Int32Array.from(first, ({ position }) => position),
      // Ids contain no line feed.
      ids: new Uint8Array(Buffer.from(first.map(({ id }) => id).join('\n'))),
    }
  })
  return { positions, ids: Buffer.from(ids.buffer).toString().split('\n') }
}

/** By the hash of the seed and the id, so that the first rows of a review are a random sample too. */
function sortByHash(scenarios: RowId[], seed: number): RowId[] {
  return scenarios
    .map((scenario) => ({ scenario, digest: hash('sha256', `${seed}:${scenario.id}`) }))
    .sort((a, b) => (a.digest < b.digest ? -1 : 1))
    .map(({ scenario }) => scenario)
}

/** The answers to the questions of a review, by position. */
async function readAnswersOf(
  connection: Connection,
  evaluation: number,
  { questions }: Review,
): Promise<Map<number, ReviewAnswer[]>> {
  const evaluators = new Set(questions.map(({ evaluator }) => evaluator))
  const rows = await connection.all<{ position: number; answers: string }>(READ_ANSWERS, evaluation)
  return new Map(
    rows.map(({ position, answers }) => [
      position,
      (JSON.parse(answers) as ReviewAnswer[]).filter(({ evaluator }) => evaluators.has(evaluator)),
    ]),
  )
}

/** The reviewers who have answered every question about a row. */
export function reviewersOf({ questions }: Review, { answers }: Pick<ReviewedRow, 'answers'>): string[] {
  if (answers.length === 0) return []
  const counts = new Map<string, number>()
  for (const { by, is_decision } of answers) if (!is_decision) counts.set(by, (counts.get(by) ?? 0) + 1)
  return [...counts].filter(([, count]) => count === questions.length).map(([name]) => name)
}

export function isDecided({ questions }: Review, { answers }: Pick<ReviewedRow, 'answers'>): boolean {
  return answers.filter(({ is_decision }) => is_decision).length === questions.length
}

/** Whether the row needs no further answer. */
export function isComplete(review: Review, row: ReviewedRow): boolean {
  return isDecided(review, row) || reviewersOf(review, row).length >= row.needed
}

/** The rows that a reviewer has answered, and those that this reviewer can still answer, each in the order of the review. */
export function rowsOfReviewer(
  review: Review,
  rows: readonly ReviewedRow[],
  reviewer: string,
): { answered: ReviewedRow[]; open: ReviewedRow[]; progress: OwnProgress } {
  const isAnswered = (row: ReviewedRow) => reviewersOf(review, row).includes(reviewer)
  const answered = rows.filter(isAnswered)
  const open = rows.filter((row) => !isAnswered(row) && !isComplete(review, row))
  return { answered, open, progress: { answered: answered.length, remaining: open.length } }
}

/** Rows after `after` come first, then those before it. `after` itself can be answered already. */
export function startAfter(
  open: readonly ReviewedRow[],
  rows: readonly ReviewedRow[],
  after: string | undefined,
): ReviewedRow[] {
  const index = rows.findIndex(({ scenario_id }) => scenario_id === after)
  const passed = new Set(rows.slice(0, index + 1))
  return [...open.filter((row) => !passed.has(row)), ...open.filter((row) => passed.has(row))]
}

export function ownAnswers(answers: readonly ReviewAnswer[], reviewer: string): ReviewAnswer[] {
  return answers.filter(({ by, is_decision }) => by === reviewer && !is_decision)
}
