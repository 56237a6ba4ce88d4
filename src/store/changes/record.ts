// Changes of evaluations and variants. Each assigns a new version and update time, and records an entry of the change log.
import { generateVersion } from '../../schema/ids.ts'
import type { Change, Counts, Statement, Transaction, Value } from '../dialect/dialect.ts'
import { insertStatement } from '../dialect/insert.ts'
import { forgetResponses } from './idempotency.ts'

type Noun = 'evaluation' | 'variant'

/** What happened to the resource. Its project, id and version are added. */
export type ResourceChange = Pick<Change, 'action' | 'element' | 'counts'>

interface ColumnChanges {
  /** The assignments of an UPDATE statement. */
  set: Statement
  /** A condition. If it is false, nothing changes. */
  where?: Statement
}

/** Inserts an evaluation or variant and returns its key. Without a creation time, it was created now. */
export async function insertResource(
  transaction: Transaction,
  noun: Noun,
  row: Record<string, Value> & { project: number; id: string },
): Promise<number> {
  const version = generateVersion()
  const now = new Date().toISOString()
  const fullRow = { created_at: now, ...row, updated_at: now, version }
  const key = await insertWithKey(transaction, noun, fullRow)
  const { project, id } = row
  transaction.recordChange({ project, action: `${noun}.created`, subject: id, version })
  return key
}

/** Another process can insert the same generated key. Then the next one is tried. */
export async function insertWithKey(
  transaction: Transaction,
  noun: Noun,
  row: Record<string, Value>,
): Promise<number> {
  const columns = ['key', ...Object.keys(row)]
  const statement = `${insertStatement(noun, columns)} ON CONFLICT (key) DO NOTHING RETURNING key`
  for (;;) {
    const key = transaction.sql.newKey()
    const inserted = await transaction.get<{ key: number }>(statement, key, ...Object.values(row))
    if (inserted) return inserted.key
  }
}

/** Updates columns of an evaluation or variant, its version and its update time, which does not go back when the clock does. */
export async function updateResource(
  transaction: Transaction,
  noun: Noun,
  key: number,
  change: ResourceChange,
  { set: [assignments, ...values], where: [condition, ...conditionValues] = ['1 = 1'] }: ColumnChanges,
): Promise<void> {
  const version = generateVersion()
  const now = new Date().toISOString()
  const updated = await transaction.get<{ project: number; id: string }>(
    `UPDATE ${noun} SET version = ?, updated_at = CASE WHEN updated_at > ? THEN updated_at ELSE ? END, ${assignments} WHERE key = ? AND ${condition} RETURNING project, id`,
    version,
    now,
    now,
    ...values,
    key,
    ...conditionValues,
  )
  if (updated) transaction.recordChange({ ...change, project: updated.project, subject: updated.id, version })
}

interface DeletedResource {
  project: number
  id: string
  /** The number of its scenarios or revisions. */
  count: number
}

/** Records that an evaluation or variant was deleted with its scenarios or revisions. */
export async function recordDeletion(
  transaction: Transaction,
  noun: Noun,
  element: 'scenario' | 'revision',
  { project, id, count }: DeletedResource,
): Promise<void> {
  await forgetResponses(transaction, noun, { project, id })
  const counts: Counts = count > 0 ? { [`${element}s`]: count } : {}
  transaction.recordChange({ project, action: `${noun}.deleted`, subject: id, counts, version: null })
}
