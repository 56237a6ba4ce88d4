// INSERT statements from the names of their columns.
import type { Transaction, Value } from './dialect.ts'

export function insertStatement(table: string, columns: string[]): string {
  return `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`
}

/** Inserts one row, given as its values by column. */
export async function insertRow(
  transaction: Transaction,
  table: string,
  row: Record<string, Value>,
): Promise<void> {
  await transaction.run(insertStatement(table, Object.keys(row)), ...Object.values(row))
}
