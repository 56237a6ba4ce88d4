// Deletes entries of the change log after the retention.
import { subjectTypeOf } from '../../schema/changes.ts'
import type { Reader, Transaction, Writer } from '../dialect/dialect.ts'
import type { ChangeRow } from './change-log.ts'

const BATCH_SIZE = 1000

/** Deletes the entries of all projects that were made before a time, in short transactions, until `signal` is aborted. */
export async function deleteOldChanges(
  { reader, writer }: { reader: Reader; writer: Writer },
  before: number,
  signal?: AbortSignal,
): Promise<void> {
  const beforeTime = new Date(before).toISOString()
  for (const { key } of await reader.all<{ key: number }>('SELECT key FROM project ORDER BY key')) {
    const [oldest] = await reader.all<OldRow>(READ_OLDEST_CHANGES, key, 1)
    // Without old entries, there is no write transaction.
    if (!oldest || oldest.time >= beforeTime) continue
    const deleteBatch = (transaction: Transaction) => deleteOldest(transaction, key, beforeTime)
    while (!signal?.aborted && (await writer.transaction(deleteBatch)) > 0);
  }
}

type OldRow = Pick<ChangeRow, 'sequence' | 'time' | 'action'>

export const READ_OLDEST_CHANGES =
  'SELECT sequence, time, action FROM change WHERE project = ? ORDER BY sequence LIMIT ?'

/**
 * Deletes only from the beginning of the log, so that no entry is missing after one that remains, whatever the clocks of
 * the instances show. Returns the number of deleted entries. Two entries remain:
 * - the last one, which determines the next sequence number
 * - the last deletable one that clients can read. A client that has read it has missed nothing, so its cursor stays valid.
 */
async function deleteOldest(transaction: Transaction, project: number, before: string): Promise<number> {
  await transaction.lock('delete changes', project)
  const rows = await transaction.all<OldRow>(READ_OLDEST_CHANGES, project, BATCH_SIZE)
  const firstRecent = rows.findIndex(({ time }) => time >= before)
  const oldRows = rows.slice(0, firstRecent === -1 ? -1 : firstRecent)
  const lastRead = oldRows.findLast(({ action }) => subjectTypeOf(action) !== 'key')
  const sequences = oldRows.filter((row) => row !== lastRead).map(({ sequence }) => sequence)
  if (sequences.length === 0) return 0
  return transaction.run(
    `DELETE FROM change WHERE project = ? AND sequence IN (${transaction.sql.integers})`,
    project,
    JSON.stringify(sequences),
  )
}
