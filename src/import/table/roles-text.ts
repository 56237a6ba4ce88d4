// What the scenarios of a table depend on, besides its content.
import { type Column, createColumn, explicitRole } from './columns.ts'

/** The roles of columns as a text. Empty if all of them follow from explicit names, as in version 0.1. */
export function describeRoles(columns: readonly Column[]): string {
  const roles = columns.map(describeColumn)
  const explicitRoles = columns.map(({ name }) =>
    describeColumn(createColumn(name, { role: explicitRole(name) ?? 'input' }, 'name')),
  )
  const text = JSON.stringify(roles)
  return text === JSON.stringify(explicitRoles) ? '' : text
}

function describeColumn({ name, role, key, type, provider, commas, hasPercentages }: Column) {
  const values = [name, role, key, type, commas === 'thousands' ? commas : commas === 'decimal']
  if (provider !== null) values.push(provider)
  return hasPercentages ? [...values, 'percentages'] : values
}
