// SQL conditions on columns, for the filters of rows and of lists.
import { toStorableText } from '../../json/storable-text.ts'
import type { Comparison } from '../../schema/filters/fields.ts'
import type { Filter, FilterCondition } from '../../schema/filters/filters.ts'
import type { SqlFragments, Value } from '../dialect/dialect.ts'

/** SQL text with the values for its placeholders. */
export interface BoundSql {
  sql: string
  values: Value[]
}

export const SIGNS: Record<Comparison, string> = {
  eq: '=',
  ne: '<>',
  lt: '<',
  lte: '<=',
  gt: '>',
  gte: '>=',
}

/** Null matches no condition. */
export function columnCondition(
  column: string,
  { operator, value }: FilterCondition,
  sql: SqlFragments,
): BoundSql {
  if (operator === 'is') throw new Error(`A filter on ${column} has no keywords`)
  const storable = typeof value === 'string' ? toStorableText(value) : value
  if (operator !== 'contains') return { sql: `${column} ${SIGNS[operator]} ?`, values: [storable] }
  return { sql: sql.contains(`lower(${column})`, '?'), values: [lowerAscii(String(storable))] }
}

/** The filters of a list are on columns with the names of their fields. `1 = 1` for none. */
export function listCondition(filters: Filter[], sql: SqlFragments): BoundSql {
  return joinConditions(filters.map((filter) => columnCondition(filter.field, filter, sql)))
}

/** All conditions must match. */
export function joinConditions(conditions: BoundSql[]): BoundSql {
  return {
    sql: conditions.map(({ sql }) => sql).join(' AND ') || '1 = 1',
    values: conditions.flatMap(({ values }) => values),
  }
}

/** Like lower() in SQLite and in PostgreSQL with collation "C": changes only A to Z. */
function lowerAscii(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}
