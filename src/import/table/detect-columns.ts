// Detects the roles of table columns from their names and values.
import { type Column, createColumn, explicitRole } from './columns.ts'
import type { TableSample } from './sample.ts'

/** Returns all columns in order. `decided` are those whose role is known. */
export function detectColumns({ columns }: TableSample, decided: ReadonlyMap<string, Column>): Column[] {
  return Array.from(columns.keys(), (name) => {
    const role = explicitRole(name)
    return decided.get(name) ?? createColumn(name, { role: role ?? 'input' }, role ? 'name' : 'default')
  })
}
