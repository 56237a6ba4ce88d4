// Scenarios of an upload whose id already exists: unchanged, replaced, skipped or rejected.
import { Problem } from '../../errors.ts'
import { splitMembers } from '../../json/member-texts.ts'
import type { Appended, OnConflict } from '../../schema/scenarios.ts'
import type { Connection, Transaction } from '../dialect/dialect.ts'
import { splitBySize } from '../reads/elements.ts'
import { inLists } from '../reads/in-list.ts'
import { type Replacement, replaceScenarios } from './change.ts'
import type { ColumnWriter } from './columns.ts'
import { isSameText, MISALIGNED_DETAILS, mergeRecord } from './corrections.ts'
import { bodyWithChanges, contentDigest, type ScenarioRow } from './row.ts'
import { readTextsAt, type StoredScenario } from './scenarios.ts'

/**
 * Why a record is rejected. `conflict`: the id exists with different content. `duplicate`: this upload stored it.
 * `misaligned-details`: results of human evaluators must be kept, and `extra.results` of the record is not a list.
 */
export type RejectionReason = 'conflict' | 'duplicate' | 'misaligned-details'

/** Called for each rejected record. Can throw to cancel the whole upload. */
export type OnRejected = (row: RejectedRow, reason: RejectionReason) => void

export type RejectedRow = Pick<ScenarioRow, 'id' | 'location'>

/** What a conflict is compared with. */
export interface ExistingScenario {
  id: string
  position: number
  digest: Uint8Array
  /** Null if the scenario has not changed. */
  first_digest: Uint8Array | null
  has_extra: number
  /** The size of body and extra data. */
  bytes: number
  /** Null without inputs. */
  input_hash: Uint8Array | null
}

/** A record and the scenario with the same id. */
export interface Conflict {
  row: ScenarioRow
  existing: ExistingScenario
  /** Whether both are in one upload that rejects duplicates. */
  isDuplicate: boolean
}

export const FIND_SCENARIOS = (placeholders: string) =>
  `SELECT id, position, digest, CASE WHEN extra IS NULL THEN 0 ELSE 1 END AS has_extra,
     (SELECT digest FROM first_digest
       WHERE first_digest.evaluation = scenario.evaluation AND first_digest.position = scenario.position) AS first_digest,
     (SELECT input_hash FROM measure
       WHERE measure.evaluation = scenario.evaluation AND measure.position = scenario.position) AS input_hash,
     octet_length(body) + coalesce(octet_length(extra), 0) AS bytes
   FROM scenario WHERE evaluation = ? AND id IN (${placeholders})`

/** By id. */
export async function findScenarios(
  connection: Connection,
  evaluation: number,
  rows: ScenarioRow[],
): Promise<Map<string, ExistingScenario>> {
  const scenarios = new Map<string, ExistingScenario>()
  const ids = rows.map(({ id }) => id)
  for (const { placeholders, values } of inLists(ids, 1000)) {
    const batch = await connection.all<ExistingScenario>(FIND_SCENARIOS(placeholders), evaluation, ...values)
    for (const scenario of batch) scenarios.set(scenario.id, scenario)
  }
  return scenarios
}

/**
 * Whether a record is equal to the stored scenario, as it is now or as it was first written. `replace` compares with the
 * current one only, so that it stores what was sent.
 */
export function isUnchanged(
  { digest, first_digest }: ExistingScenario,
  row: ScenarioRow,
  onConflict: OnConflict,
): boolean {
  const digests = onConflict === 'replace' ? [digest] : [digest, first_digest ?? digest]
  return digests.some((stored) => Buffer.compare(stored, row.digest) === 0)
}

/** Whether the generated ids of both name the same row. A row that was inserted into a table changes the numbers after it. */
function isSameRow({ row: { hasGeneratedId, measure }, existing, isDuplicate }: Conflict): boolean {
  if (isDuplicate || !hasGeneratedId) return true
  const [hash] = measure
  return (
    hash instanceof Uint8Array &&
    existing.input_hash !== null &&
    Buffer.compare(hash, existing.input_hash) === 0
  )
}

/** Whether a record that is equal to the stored scenario can still change its pin or note. They are not compared. */
export function canChangeMarks({ digest }: ExistingScenario, row: ScenarioRow): boolean {
  return Buffer.compare(digest, row.digest) === 0 && hasMarks(row)
}

function hasMarks({ body }: ScenarioRow): boolean {
  const members = splitMembers(body)
  return ['is_pinned', 'note'].some((name) => members.get(name) !== 'null')
}

/** The error of a record without an id of its own, whose generated id is that of another row. */
function renumberedRowProblem({ id, location }: RejectedRow): Problem {
  const { index = 0, line = 1 } = location ?? {}
  const detail = `Record ${index + 1} (line ${line}) has no id of its own, and the stored scenario '${id}' has other inputs, so rows cannot be told apart by their numbers. Nothing was stored. Use on_conflict=replace_all (assay import --replace), which matches rows by their inputs, or give rows ids.`
  const members = { conflicts: [{ id, pointer: `/${index}/id`, line }], conflict_count: 1 }
  return new Problem('conflict', detail, {}, { members })
}

/** Maximum size of the stored scenarios that are read at once, unless one alone is larger. */
const MAX_BATCH_BYTES = 1024 * 1024

interface ResolverOptions {
  /** Default: error. */
  onConflict?: OnConflict | undefined
  onRejected: OnRejected
  /** For `replace`: the evaluators whose results are kept. */
  humanEvaluators?: ReadonlySet<string> | undefined
}

export const NO_CONFLICTS: Readonly<Required<Pick<Appended, 'unchanged' | 'replaced' | 'skipped'>>> = {
  unchanged: 0,
  replaced: 0,
  skipped: 0,
}

export class ConflictResolver {
  readonly counts = { ...NO_CONFLICTS }
  /** How many more bytes the bodies of replaced scenarios have. */
  addedBytes = 0
  readonly #transaction: Transaction
  readonly #evaluation: { key: number; id: string }
  readonly #columns: ColumnWriter
  readonly #options: ResolverOptions

  constructor(
    transaction: Transaction,
    evaluation: { key: number; id: string },
    columns: ColumnWriter,
    options: ResolverOptions,
  ) {
    this.#transaction = transaction
    this.#evaluation = evaluation
    this.#columns = columns
    this.#options = options
  }

  /** Takes records that differ from the existing scenario. For `replace`, each scenario can occur once. */
  async resolve(conflicts: Conflict[]): Promise<void> {
    const renumbered = conflicts.find((conflict) => !isSameRow(conflict))
    if (renumbered) throw renumberedRowProblem(renumbered.row)
    const sizeOf = (conflict: Conflict) => (this.#needsTexts(conflict) ? conflict.existing.bytes : 0)
    for (const batch of splitBySize(conflicts, sizeOf, MAX_BATCH_BYTES)) {
      const positions = batch
        .filter((conflict) => this.#needsTexts(conflict))
        .map(({ existing }) => existing.position)
      const storedTexts = await readTextsAt(this.#transaction, this.#evaluation.key, positions)
      const replacements = batch.flatMap(
        (conflict) => this.#resolveOne(conflict, storedTexts.get(conflict.existing.position)) ?? [],
      )
      if (replacements.length === 0) continue
      this.addedBytes += await replaceScenarios(
        this.#transaction,
        this.#evaluation,
        this.#columns,
        replacements,
      )
      this.counts.replaced += replacements.length
    }
  }

  #needsTexts({ row, existing, isDuplicate }: Conflict): boolean {
    if (isDuplicate) return false
    return this.#options.onConflict === 'replace' || isWithoutExtra(row, existing)
  }

  #resolveOne(
    { row, existing, isDuplicate }: Conflict,
    stored: StoredScenario | undefined,
  ): Replacement | undefined {
    const { onConflict = 'error', onRejected, humanEvaluators = new Set() } = this.#options
    const isEqual = stored && isWithoutExtra(row, existing) && isEqualWithoutExtra(row, stored)
    if (isDuplicate) onRejected(row, 'duplicate')
    else if (isEqual && !(onConflict === 'replace' && hasMarks(row))) this.counts.unchanged += 1
    else if (onConflict === 'skip') this.counts.skipped += 1
    else if (onConflict === 'error' || !stored) onRejected(row, 'conflict')
    else {
      const extra = isEqual ? stored.extra : row.extra
      const texts = mergeRecord(stored, { body: row.body, extra }, humanEvaluators)
      if (!texts) onRejected(row, 'misaligned-details')
      else if (isSameText(texts, stored)) this.counts.unchanged += 1
      else return { stored, ...texts }
    }
    return undefined
  }
}

/** Plain exports have no extra data, so it is not compared if only the record has none. */
function isWithoutExtra({ extra }: ScenarioRow, { has_extra }: ExistingScenario): boolean {
  return extra === null && has_extra === 1
}

/** The digest of the record must be one without extra data. */
function isEqualWithoutExtra({ digest }: ScenarioRow, { body }: StoredScenario): boolean {
  const unmarkedBody = bodyWithChanges(splitMembers(body), { is_pinned: 'null', note: 'null' })
  return Buffer.compare(contentDigest(unmarkedBody, null), digest) === 0
}

/** Conflicts in the detail, and in the list, of the response. */
const [MAX_NAMED, MAX_LISTED] = [3, 100]

/** The error of an upload that is canceled because of records whose id already exists. */
export class ConflictList {
  count = 0
  readonly #listed: { id: string; pointer: string; line: number }[] = []
  readonly #onConflict: OnConflict

  constructor(onConflict: OnConflict = 'error') {
    this.#onConflict = onConflict
  }

  add({ id, location }: RejectedRow): void {
    this.count += 1
    if (this.#listed.length === MAX_LISTED) return
    this.#listed.push({ id, pointer: `/${location?.index ?? 0}/id`, line: location?.line ?? 1 })
  }

  toProblem(): Problem {
    const named = this.#listed
      .slice(0, MAX_NAMED)
      .map(({ id, pointer, line }) => `'${id}' (at ${pointer}, line ${line})`)
    const others = this.count > MAX_NAMED ? ` and ${this.count - MAX_NAMED} more` : ''
    const ids = `${named.join(', ')}${others}`
    const detail =
      this.#onConflict === 'replace_all' ? describeDuplicates(ids) : describeConflicts(ids, this.count)
    const members = { conflicts: this.#listed, conflict_count: this.count }
    return new Problem('conflict', detail, {}, { members })
  }
}

function describeConflicts(ids: string, count: number): string {
  const subject = count === 1 ? 'This scenario exists' : 'These scenarios exist'
  return `${subject} already with different content, so nothing was stored: ${ids}. Use on_conflict=replace to replace stored scenarios, or on_conflict=skip to leave them as they are.`
}

/** Stored scenarios are replaced, so the other record is in the same upload. */
function describeDuplicates(ids: string): string {
  return `The body has several records with the same id and different content, so nothing was stored: ${ids}. Use each id once.`
}

/** The error of a record whose results cannot be merged with those of the stored scenario. */
export function misalignedDetailsProblem({ location }: RejectedRow): Problem {
  const { index = 0, line = 1 } = location ?? {}
  const pointer = `/${index}/extra/results`
  const members = { errors: [{ pointer, line, detail: MISALIGNED_DETAILS }], error_count: 1 }
  const detail = `${MISALIGNED_DETAILS} (at ${pointer}, line ${line}) Nothing was stored.`
  return new Problem('invalid-content', detail, {}, { members })
}
