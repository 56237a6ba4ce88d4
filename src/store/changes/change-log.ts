// Reads the change log of a project, and deletes entries after the retention.
import { ACTIONS, type Action, subjectTypeOf } from '../../schema/changes.ts'
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

/** Changes with every entry of the project's log. Undefined before its first entry. */
export async function readLogVersion(connection: Connection, project: number): Promise<string | undefined> {
  return (await connection.get<{ token: string }>(FIND_LOG_VERSION, project))?.token
}

export const FIND_LOG_VERSION = 'SELECT token FROM change WHERE project = ? ORDER BY sequence DESC LIMIT 1'

export const FIND_LOG_POSITION = `SELECT token, time, (SELECT max(sequence) FROM change WHERE project = ?) AS last
  FROM change WHERE project = ? AND sequence = ?`

/**
 * Whether the entries after a position can be read completely. Not if its entry was made before `since`, unless it is the
 * last one, and not if the log has another entry with this number, for example after a backup was restored.
 */
export async function isReadablePosition(
  connection: Connection,
  project: number,
  { sequence, token }: LogPosition,
  since: string,
): Promise<boolean> {
  const row = await connection.get<{ token: string; time: string; last: number }>(
    FIND_LOG_POSITION,
    project,
    project,
    sequence,
  )
  return row?.token === token && (row.time >= since || row.last === sequence)
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

/** SQL condition: entries about evaluations and variants. */
export const IS_DATA_CHANGE = `action NOT IN (${ACTIONS.key.map((action) => `'${action}'`).join(', ')})`

export function toLogEntry(row: ChangeRow): LogEntry {
  const { sequence, time, action, subject, element, version } = row
  const type = subjectTypeOf(action)
  return {
    sequence,
    time,
    action,
    evaluation_id: type === 'evaluation' ? subject : null,
    scenario_id: type === 'evaluation' ? element : null,
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

/** Entries that one call deletes at most. */
const MAX_DELETED = 1000
/**
 * Entries are deleted this long after they cannot be read any more. The clocks of two instances can differ, so that an
 * entry can have an earlier time than the one before it.
 */
const DELETE_DELAY_MS = 3_600_000

/** Deletes the oldest entries made before a time. The last entry remains, because it determines the next number. */
export async function deleteOldChanges(
  transaction: Transaction,
  project: number,
  before: number,
): Promise<void> {
  await transaction.run(
    `DELETE FROM change WHERE project = ? AND time < ?
       AND sequence < (SELECT min(sequence) + ? FROM change AS oldest WHERE oldest.project = ?)
       AND sequence < (SELECT max(sequence) FROM change AS newest WHERE newest.project = ?)`,
    project,
    new Date(before - DELETE_DELAY_MS).toISOString(),
    MAX_DELETED,
    project,
    project,
  )
}
