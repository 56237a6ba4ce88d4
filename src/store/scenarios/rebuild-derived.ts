// Rebuilds the tables that are derived from scenario bodies, after a migration has recreated them.
import type { Connection, Transaction } from '../dialect/dialect.ts'
import { insertDerived, type PositionedRow, toColumnOrdinals } from './append.ts'
import { rowFromStored } from './row.ts'
import { getScenarioColumns } from './scenarios.ts'

/** Small, because a scenario can take megabytes. */
const BATCH_SIZE = 50

export async function rebuildDerivedTables(transaction: Transaction): Promise<void> {
  const evaluations = await transaction.all<{ key: number; id: string }>(
    'SELECT key, id FROM evaluation ORDER BY key',
  )
  for (const { key, id } of evaluations) {
    const ordinals = toColumnOrdinals(await getScenarioColumns(transaction, key))
    for await (const rows of readStoredRows(transaction, key, id))
      await insertDerived(transaction, key, ordinals, rows)
  }
}

async function* readStoredRows(
  connection: Connection,
  key: number,
  id: string,
): AsyncGenerator<PositionedRow[]> {
  for (let after = -1; ; ) {
    const scenarios = await connection.all<{ position: number; body: string; extra: string | null }>(
      'SELECT position, body, extra FROM scenario WHERE evaluation = ? AND position > ? ORDER BY position LIMIT ?',
      key,
      after,
      BATCH_SIZE,
    )
    const lastScenario = scenarios.at(-1)
    if (!lastScenario) return
    yield scenarios.map(({ position, body, extra }) => ({ ...rowFromStored(id, body, extra), position }))
    after = lastScenario.position
  }
}
