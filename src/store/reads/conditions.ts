// SQL conditions on columns, for the filters of rows and of lists.
import { toStorableText } from '../../json/storable-text.ts'
import type { Comparison, ListFilters } from '../../schema/filters/fields.ts'
import type { Filter, FilterCondition, OperandValue } from '../../schema/filters/filters.ts'
import type { SqlFragments, Value } from '../dialect/dialect.ts'
import { inList } from './in-list.ts'
import { impliedCondition } from './list-indexes.ts'

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
export function columnCondition(column: string, condition: FilterCondition, sql: SqlFragments): BoundSql {
  const { operator, value } = condition
  if (operator === 'is') throw new Error(`A filter on ${column} has no keywords`)
  if (operator === 'in') return memberCondition(column, value.map(toStorable))
  if (operator === 'contains') return containsCondition(column, String(value), sql)
  if (operator === 'has') return { sql: sql.hasElement(column, '?'), values: [toStorable(value)] }
  return { sql: `${column} ${SIGNS[operator]} ?`, values: [toStorable(value)] }
}

/** The column is equal to one of the values. */
export function memberCondition(column: string, members: Value[]): BoundSql {
  const { placeholders, values } = inList(members)
  return { sql: `${column} IN (${placeholders})`, values }
}

function containsCondition(column: string, part: string, sql: SqlFragments): BoundSql {
  return { sql: sql.contains(`lower(${column})`, '?'), values: [lowerAscii(toStorableText(part))] }
}

function toStorable(value: OperandValue): OperandValue {
  return typeof value === 'string' ? toStorableText(value) : value
}

/** The filters of a list are on columns with the names of their fields, or on several columns. `1 = 1` for none. */
export function listCondition(fields: ListFilters, filters: Filter[], sql: SqlFragments): BoundSql {
  return joinConditions(
    filters.flatMap((filter) => {
      const columns = fields[filter.field]?.columns ?? [filter.field]
      const conditions = columns.map((column) => columnCondition(column, filter, sql))
      const condition = conditions.length === 1 ? (conditions[0] as BoundSql) : joinAlternatives(conditions)
      return [condition, ...indexCondition(filter, condition)]
    }),
  )
}

/** The condition that lets the engine search an index, if the filter has one. */
function indexCondition(filter: Filter, { values }: BoundSql): BoundSql[] {
  const implied = impliedCondition(filter)
  if (implied === undefined) return []
  if (typeof implied === 'string') return [{ sql: implied, values: [] }]
  const members = values.map(() => implied.value).join(', ')
  return [{ sql: `${implied.expression} IN (${members})`, values }]
}

/** One of the conditions must match. */
export function joinAlternatives(conditions: BoundSql[]): BoundSql {
  return {
    sql: `(${conditions.map(({ sql }) => sql).join(' OR ')})`,
    values: conditions.flatMap(({ values }) => values),
  }
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
