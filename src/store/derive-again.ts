// Fills the tables that are derived from the bodies of scenarios, after a migration has made them anew.
import type { Connection, Transaction } from './dialect/dialect.ts'
import { addDerived, knownColumns, type PlacedRow } from './scenario-append.ts'
import { storedRow } from './scenario-rows.ts'
import { getScenarioColumns } from './scenarios.ts'

/** Few, since each may be megabytes. */
const AT_ONCE = 50

export async function deriveAgain(transaction: Transaction): Promise<void> {
  const evaluations = await transaction.all<{ key: number; id: string }>(
    'SELECT key, id FROM evaluation ORDER BY key',
  )
  for (const { key, id } of evaluations) {
    const known = knownColumns(await getScenarioColumns(transaction, key))
    for await (const rows of storedRows(transaction, key, id)) await addDerived(transaction, key, known, rows)
  }
}

async function* storedRows(connection: Connection, key: number, id: string): AsyncGenerator<PlacedRow[]> {
  for (let after = -1; ; ) {
    const stored = await connection.all<{ position: number; body: string; extra: string | null }>(
      'SELECT position, body, extra FROM scenario WHERE evaluation = ? AND position > ? ORDER BY position LIMIT ?',
      key,
      after,
      AT_ONCE,
    )
    const last = stored.at(-1)
    if (!last) return
    yield stored.map(({ position, body, extra }) => ({ ...storedRow(id, body, extra), position }))
    after = last.position
  }
}
