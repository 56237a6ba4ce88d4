// The id of an evaluation that is imported from a table.
import { hash } from 'node:crypto'
import type { Source } from '../source.ts'
import { type Column, createColumn, explicitRole } from './columns.ts'

/** Derived from the content, and from the roles of columns unless all of them follow from explicit names. */
export async function tableId(source: Source, columns: readonly Column[]): Promise<string> {
  const contentId = await source.contentId()
  const roles = columns.map(describeColumn)
  // Version 0.1 stored such files under this id.
  const explicitRoles = columns.map(({ name }) =>
    describeColumn(createColumn(name, { role: explicitRole(name) ?? 'input' }, 'name')),
  )
  const text = JSON.stringify(roles)
  return text === JSON.stringify(explicitRoles)
    ? contentId
    : hash('sha256', `${contentId} ${text}`, 'hex').slice(0, 16)
}

function describeColumn({ name, role, key, type, hasDecimalCommas }: Column) {
  return [name, role, key, type, hasDecimalCommas]
}
