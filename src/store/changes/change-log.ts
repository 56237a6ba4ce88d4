// Reads the change log of a project.
import { ACTIONS, type Action, subjectTypeOf } from '../../schema/changes.ts'
import { generateVersion } from '../../schema/ids.ts'
import type { Connection, Counts, Transaction, Value } from '../dialect/dialect.ts'

/** A position in the log: after the entry with this sequence number and token. */
export interface LogPosition {
  sequence: number
  token: string
}

export interface ChangeRow extends LogPosition {
  time: string
  action: Action
  subject: string
  element: string | null
  counts: string | null
  version: string | null
  key_id: string
  key_name: string | null
  address: string | null
}

/** An entry of the log, with the names of its subject in the API. */
export interface LogEntry {
  sequence: number
  time: string
  action: Action
  evaluation_id: string | null
  scenario_id: string | null
  review_id: string | null
  variant_id: string | null
  revision: number | null
  counts: Counts
  version: string | null
}

/** For the operator: also entries about keys, and who made the change. */
export interface AuditEntry extends LogEntry {
  /** The public id of the key that was created, rotated or revoked. */
  public_id: string | null
  /** The public id of the key that made the change, or `cli`. */
  key_id: string
  key_name: string | null
  address: string | null
}

/** SQL condition: entries about evaluations and variants. */
export const IS_DATA_CHANGE = `action NOT IN (${ACTIONS.key.map((action) => `'${action}'`).join(', ')})`

/** Changes with every entry of the project's log. Undefined before its first entry. */
export async function readLogVersion(connection: Connection, project: number): Promise<string | undefined> {
  return (await connection.get<{ token: string }>(FIND_LOG_VERSION, project))?.token
}

export const FIND_LOG_VERSION = 'SELECT token FROM change WHERE project = ? ORDER BY sequence DESC LIMIT 1'

/** The entry of a cursor, and the time of the next entry about evaluations and variants. */
export const FIND_LOG_POSITION = `SELECT token,
    (SELECT time FROM change WHERE project = ? AND sequence > ? AND ${IS_DATA_CHANGE} ORDER BY sequence LIMIT 1) AS next_time
  FROM change WHERE project = ? AND sequence = ?`

/**
 * Whether the entries after a position can be read completely. Not if the next one was made before `since`, and not if
 * the log has no entry with this number and token: it was deleted, or a backup was restored.
 */
export async function isReadablePosition(
  connection: Connection,
  project: number,
  { sequence, token }: LogPosition,
  since: string,
): Promise<boolean> {
  const row = await connection.get<{ token: string; next_time: string | null }>(
    FIND_LOG_POSITION,
    project,
    sequence,
    project,
    sequence,
  )
  return row?.token === token && (row.next_time === null || row.next_time >= since)
}

export const FIND_FIRST_CHANGE = `SELECT sequence FROM change
  WHERE project = ? AND time >= ? AND ${IS_DATA_CHANGE} ORDER BY sequence LIMIT 1`

/** The sequence number after which all entries since a time follow. */
export async function findSequenceBefore(
  connection: Connection,
  project: number,
  since: string,
): Promise<number> {
  const first = await connection.get<{ sequence: number }>(FIND_FIRST_CHANGE, project, since)
  return first ? first.sequence - 1 : Number.MAX_SAFE_INTEGER
}

export interface LogSelection {
  project: number
  /** The entries after this sequence number. */
  after: number
  /** SQL condition for further filters, with its values. */
  condition: readonly [sql: string, ...values: Value[]]
}

export const READ_CHANGES = (condition: string) => `SELECT sequence, token, time, action, subject, element,
    counts, version, key_id, key_name, address FROM change
  WHERE project = ? AND sequence > ? AND ${condition} ORDER BY sequence LIMIT ?`

/** Up to `limit` entries, oldest first. */
export function readChanges(
  connection: Connection,
  { project, after, condition: [condition, ...values] }: LogSelection,
  limit: number,
): Promise<ChangeRow[]> {
  return connection.all<ChangeRow>(READ_CHANGES(condition), project, after, ...values, limit)
}

const BATCH_SIZE = 500

/** All entries, oldest first, in batches. */
export async function* readAllChanges(
  connection: Connection,
  selection: LogSelection,
): AsyncGenerator<ChangeRow[]> {
  for (let after = selection.after; ; ) {
    const rows = await readChanges(connection, { ...selection, after }, BATCH_SIZE)
    if (rows.length > 0) yield rows
    if (rows.length < BATCH_SIZE) return
    after = rows.at(-1)?.sequence ?? after
  }
}

export function toLogEntry(row: ChangeRow): LogEntry {
  const { sequence, time, action, subject, element, version } = row
  const type = subjectTypeOf(action)
  const isReview = action.startsWith('review.')
  return {
    sequence,
    time,
    action,
    evaluation_id: type === 'evaluation' ? subject : null,
    scenario_id: type === 'evaluation' && !isReview ? element : null,
    review_id: isReview ? element : null,
    variant_id: type === 'variant' ? subject : null,
    revision: type === 'variant' && element !== null ? Number(element) : null,
    counts: row.counts === null ? {} : JSON.parse(row.counts),
    version,
  }
}

export function toAuditEntry(row: ChangeRow): AuditEntry {
  const { action, subject, key_id, key_name, address } = row
  const public_id = subjectTypeOf(action) === 'key' ? subject : null
  return { ...toLogEntry(row), public_id, key_id, key_name, address }
}

/** Makes all cursors invalid: after a restore, clients can have read states that the log does not contain any more. */
export async function invalidateCursors(transaction: Transaction): Promise<void> {
  await transaction.run('UPDATE change SET token = ?', generateVersion())
}
