// Compares new scenarios with the old ones that they match, and merges what is kept of the old ones.
import { splitMembers } from '../../json/member-texts.ts'
import { readAnswers } from '../../schema/reviews/answers.ts'
import type { Transaction } from '../dialect/dialect.ts'
import { splitBySize } from '../reads/elements.ts'
import { readRowsAt } from '../reads/in-list.ts'
import { deleteScenarios, type Replacement, replaceScenarios } from './change.ts'
import { type ColumnWriter, getColumnOrdinals } from './columns.ts'
import { isSameText, mergeRecord, type ScenarioTexts } from './corrections.ts'
import { hasGivenId } from './generated-ids.ts'
import type { Match } from './matching.ts'
import { splitResults } from './result-texts.ts'
import { bodyWithChanges } from './row.ts'
import { readTextsAt, type StoredScenario } from './scenarios.ts'

/** Maximum number of scenarios that are compared at once, and maximum size of the texts that are read at once. */
export const COMPARE_BATCH_SIZE = 1000
const MAX_BATCH_BYTES = 1024 * 1024

/** What a scenario is compared by, without its texts. */
interface Summary {
  position: number
  id: string
  digest: Uint8Array
  output_hash: Uint8Array
  /** Whether it has a pin or note. */
  is_marked: number
  has_given_id: number
  bytes: number
}

const SUMMARY_COLUMNS = `id, digest, output_hash,
  CASE WHEN is_pinned = 1 OR has_note = 1 THEN 1 ELSE 0 END AS is_marked,
  CASE WHEN ${hasGivenId('scenario')} THEN 1 ELSE 0 END AS has_given_id,
  octet_length(body) + coalesce(octet_length(extra), 0) AS bytes`

interface Pair {
  row: Summary
  old: Summary
}

interface MatchedOptions {
  /** The new evaluation, and the key of the old one. */
  evaluation: { key: number; id: string }
  oldKey: number
  columns: ColumnWriter
  humanEvaluators: ReadonlySet<string>
  /** Of the old scenarios that match no record, by position. Matched ones are deleted from the maps. */
  unmatched: Record<'marks' | 'humanResults' | 'answers', Map<number, number>>
  /** Called for each record whose results cannot be merged. It is removed from the new evaluation. */
  onMisaligned(row: { id: string; position: number }): void
}

export class MatchedReplacer {
  readonly counts = { unchanged: 0, replaced: 0, rejected: 0, droppedResults: 0, droppedAnswers: 0 }
  /** How many more bytes the bodies have. */
  addedBytes = 0
  readonly #transaction: Transaction
  readonly #options: MatchedOptions

  constructor(transaction: Transaction, options: MatchedOptions) {
    this.#transaction = transaction
    this.#options = options
  }

  async replace(matches: Match[]): Promise<void> {
    const { evaluation, oldKey } = this.#options
    const rows = await this.#readSummaries(
      evaluation.key,
      matches.map(({ position }) => position),
    )
    const oldRows = await this.#readSummaries(
      oldKey,
      matches.map(({ oldPosition }) => oldPosition),
    )
    const different: Pair[] = []
    for (const { position, oldPosition } of matches) {
      const pair = { row: rows.get(position) as Summary, old: oldRows.get(oldPosition) as Summary }
      if (isIdentical(pair)) this.counts.unchanged += 1
      else if (this.#needsTexts(pair)) different.push(pair)
      else this.counts.replaced += 1
    }
    const sizeOf = ({ row, old }: Pair) => row.bytes + old.bytes
    const rejected = new Set<number>()
    for (const batch of splitBySize(different, sizeOf, MAX_BATCH_BYTES)) await this.#merge(batch, rejected)
    const { marks, humanResults, answers } = this.#options.unmatched
    for (const { oldPosition } of matches) {
      if (rejected.has(oldPosition)) continue
      marks.delete(oldPosition)
      humanResults.delete(oldPosition)
      answers.delete(oldPosition)
    }
  }

  /** Whether something of the old scenario can be kept, or both can have the same content. */
  #needsTexts({ row, old }: Pair): boolean {
    const { humanResults, answers } = this.#options.unmatched
    if (old.is_marked === 1 || humanResults.has(old.position) || answers.has(old.position)) return true
    if (isEqual(row.digest, old.digest)) return true
    // The digests of equal scenarios differ if their ids do.
    return haveGeneratedIds({ row, old }) && row.id !== old.id && isEqual(row.output_hash, old.output_hash)
  }

  /** Adds the old positions of rejected records to `rejectedPositions`. */
  async #merge(pairs: Pair[], rejectedPositions: Set<number>): Promise<void> {
    const { evaluation, oldKey, columns } = this.#options
    const texts = await readTextsAt(
      this.#transaction,
      evaluation.key,
      pairs.map(({ row }) => row.position),
    )
    const oldTexts = await readTextsAt(
      this.#transaction,
      oldKey,
      pairs.map(({ old }) => old.position),
    )
    const replacements: Replacement[] = []
    const rejected: StoredScenario[] = []
    for (const pair of pairs) {
      const record = texts.get(pair.row.position) as StoredScenario
      const merged = this.#mergeOne(pair, record, oldTexts.get(pair.old.position) as StoredScenario)
      if (!merged) {
        rejected.push(record)
        rejectedPositions.add(pair.old.position)
      } else if (!isSameText(merged, record)) replacements.push({ stored: record, ...merged })
    }
    if (replacements.length > 0)
      this.addedBytes += await replaceScenarios(this.#transaction, evaluation, columns, replacements)
    if (rejected.length === 0) return
    this.counts.rejected += rejected.length
    await deleteScenarios(this.#transaction, evaluation.key, columns, rejected)
    for (const { body } of rejected) this.addedBytes -= Buffer.byteLength(body)
  }

  #readSummaries(evaluation: number, positions: number[]): Promise<Map<number, Summary>> {
    const table = 'scenario JOIN measure USING (evaluation, position)'
    return readRowsAt<Summary>(this.#transaction, table, SUMMARY_COLUMNS, evaluation, positions)
  }

  /** The texts of the new scenario with what is kept of the old one. Undefined if they cannot be merged. */
  #mergeOne({ row, old }: Pair, record: StoredScenario, stored: StoredScenario): ScenarioTexts | undefined {
    const { humanEvaluators, unmatched, onMisaligned } = this.#options
    const keepsResults = isEqual(row.output_hash, old.output_hash)
    const merged = mergeRecord(stored, record, keepsResults ? humanEvaluators : new Set())
    if (!merged) {
      onMisaligned(row)
      return undefined
    }
    if (!keepsResults && unmatched.humanResults.has(old.position))
      this.counts.droppedResults += countDropped(stored, record, humanEvaluators)
    if (unmatched.answers.has(old.position)) this.counts.droppedAnswers += countDroppedAnswers(stored, merged)
    const [members, mergedMembers] = [splitMembers(record.body), splitMembers(merged.body)]
    // The same id can have been written with other escapes.
    const id = members.get('id') ?? '""'
    const isSameId = id === mergedMembers.get('id')
    const isSame = isSameText(merged, stored) && (isSameId || haveGeneratedIds({ row, old }))
    this.counts[isSame ? 'unchanged' : 'replaced'] += 1
    const changes = {
      ...(!isSameId && { id }),
      // `false` is no pin. It is not kept in scenarios that change, because most of them are replaced without reading it.
      ...(!isSame &&
        mergedMembers.get('is_pinned') === 'false' && { is_pinned: members.get('is_pinned') ?? 'null' }),
    }
    if (Object.keys(changes).length === 0) return merged
    return { ...merged, body: bodyWithChanges(mergedMembers, changes) }
  }
}

/** Scenarios with the same content and the same size have the same text, unless one of them has a pin or note. */
function isIdentical({ row, old }: Pair): boolean {
  const isMarked = row.is_marked === 1 || old.is_marked === 1
  return !isMarked && isEqual(row.digest, old.digest) && row.bytes === old.bytes
}

function haveGeneratedIds({ row, old }: Pair): boolean {
  return row.has_given_id === 0 && old.has_given_id === 0
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0
}

/** The number of human evaluators whose results only the stored scenario has. */
function countDropped(
  stored: ScenarioTexts,
  record: ScenarioTexts,
  humanEvaluators: ReadonlySet<string>,
): number {
  const written = evaluatorsOf(record)
  const isDropped = (name: string) => humanEvaluators.has(name) && !written.has(name)
  return [...evaluatorsOf(stored)].filter(isDropped).length
}

/** The number of answers that only the stored scenario has. */
function countDroppedAnswers(stored: ScenarioTexts, merged: ScenarioTexts): number {
  const kept = answerKeys(merged)
  return [...answerKeys(stored)].filter((key) => !kept.has(key)).length
}

function answerKeys({ extra }: ScenarioTexts): Set<string> {
  const answers = (extra === null ? undefined : readAnswers(JSON.parse(extra))) ?? []
  return new Set(
    answers.map(({ evaluator, by, is_decision }) => JSON.stringify([evaluator, by, is_decision])),
  )
}

function evaluatorsOf({ body }: ScenarioTexts): Set<string> {
  const results = splitResults(splitMembers(body).get('results') ?? '[]', null) ?? []
  return new Set(results.map(({ evaluator }) => evaluator))
}

/** How many results of these evaluators each scenario has, by position. */
export async function countResults(
  transaction: Transaction,
  evaluation: number,
  evaluators: ReadonlySet<string>,
): Promise<Map<number, number>> {
  const counts = new Map<number, number>()
  const { score } = await getColumnOrdinals(transaction, evaluation)
  for (const name of evaluators) {
    const ordinal = score.get(name)
    if (ordinal === undefined) continue
    const statement = 'SELECT position FROM result WHERE evaluation = ? AND evaluator = ?'
    for (const position of await transaction.readNumbers(statement, evaluation, ordinal))
      counts.set(position, (counts.get(position) ?? 0) + 1)
  }
  return counts
}

/** How many answers of reviewers each scenario has, by position. */
export async function countAnswers(
  transaction: Transaction,
  evaluation: number,
): Promise<Map<number, number>> {
  const rows = await transaction.all<{ position: number; answers: string }>(
    'SELECT position, answers FROM answer WHERE evaluation = ?',
    evaluation,
  )
  return new Map(rows.map(({ position, answers }) => [position, JSON.parse(answers).length]))
}

/** How many pins and notes each scenario with one has, by position. */
export async function countMarks(transaction: Transaction, evaluation: number): Promise<Map<number, number>> {
  const rows = await transaction.all<{ position: number; count: number }>(
    'SELECT position, is_pinned + has_note AS count FROM measure WHERE evaluation = ? AND is_pinned + has_note > 0',
    evaluation,
  )
  return new Map(rows.map(({ position, count }) => [position, count]))
}
