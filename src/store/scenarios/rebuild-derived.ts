// Rebuilds the tables that are derived from scenario bodies, after a migration has recreated them.
import type { EngineTransaction } from '../dialect/dialect.ts'
import { getColumnOrdinals } from './columns.ts'
import { insertDerived } from './derived-rows.ts'
import { rowFromStored } from './row.ts'
import { readScenarioBatches } from './scenarios.ts'

interface StoredScenario {
  position: number
  body: string
  extra: string | null
}

export async function rebuildDerivedTables(transaction: EngineTransaction): Promise<void> {
  const evaluations = await transaction.all<{ key: number; id: string }>(
    'SELECT key, id FROM evaluation ORDER BY key',
  )
  for (const { key, id } of evaluations) {
    const ordinals = await getColumnOrdinals(transaction, key)
    for await (const scenarios of readScenarioBatches<StoredScenario>(transaction, key, 'body, extra')) {
      const rows = scenarios.map(({ position, body, extra }) => ({
        ...rowFromStored(id, body, extra),
        position,
        // A later migration creates the table of repetitions.
        repetition: [],
      }))
      await insertDerived(transaction, key, ordinals, rows)
    }
  }
}
