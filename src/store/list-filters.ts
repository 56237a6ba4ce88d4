// Filters of lists as conditions of their statement.
import { Problem } from '../errors.ts'
import { storable } from '../json/storable.ts'
import { FILTER_KINDS, filterForm, type ListFilters, type ListOperator } from '../schema/list-filters.ts'
import type { SqlWords, Value } from './dialect/dialect.ts'

export interface ListFilter {
  isEmpty: boolean
  /** SQL behind the conditions that are there already. */
  conditions(sql: SqlWords): string
  values: Value[]
  /** What was asked for, whatever the order it was asked in. */
  name: string
}

/** What is null fits none of them, as with the filters of scenarios. */
const CONDITIONS: Record<ListOperator, (column: string, sql: SqlWords) => string> = {
  eq: (column) => `${column} = ?`,
  ne: (column) => `${column} <> ?`,
  lt: (column) => `${column} < ?`,
  lte: (column) => `${column} <= ?`,
  gt: (column) => `${column} > ?`,
  gte: (column) => `${column} >= ?`,
  contains: (column, sql) => sql.contains(column, '?'),
}

/** Throws invalid-request that says what a filter takes. */
export function readFilters(
  filters: ListFilters,
  query: Readonly<Record<string, string | number | undefined>>,
): ListFilter {
  const asked = Object.entries(filters).flatMap(([column, kind]) => {
    const text = query[column]
    return text === undefined ? [] : [{ column, text, ...readFilter(column, kind, String(text)) }]
  })
  return {
    isEmpty: asked.length === 0,
    conditions: (sql) =>
      asked.map(({ column, operator }) => ` AND ${CONDITIONS[operator](column, sql)}`).join(''),
    values: asked.map(({ value }) => value),
    name: asked.map(({ column, text }) => `&${column}=${encodeURIComponent(text)}`).join(''),
  }
}

function readFilter(
  column: string,
  kind: ListFilters[string],
  text: string,
): { operator: ListOperator; value: Value } {
  const { operators, read } = FILTER_KINDS[kind]
  const operator = operators.find((operator) => text.startsWith(`${operator}.`))
  const value = operator && read(text.slice(operator.length + 1))
  if (operator === undefined || value === undefined) {
    throw new Problem('invalid-request', `'${column}' is ${filterForm(kind)}; not '${text}'.`)
  }
  return { operator, value: typeof value === 'string' ? storable(value) : value }
}
