// Filters of lists as conditions of their statement.
import { Problem } from '../errors.ts'
import { storable } from '../json/storable.ts'
import { FILTER_KINDS, filterForm, type ListFilters, type ListOperator } from '../schema/list-filters.ts'
import { OPERATORS, splitOperator } from '../schema/operators.ts'
import type { SqlWords, Value } from './dialect/dialect.ts'

export interface ListFilter {
  isEmpty: boolean
  /** SQL behind the conditions that are there already. */
  conditions(sql: SqlWords): string
  values: Value[]
  /** What was asked for, whatever the order it was asked in. */
  name: string
}

/** What is null fits none of them, as with the filters of rows. */
function conditionOf(column: string, operator: ListOperator, words: SqlWords): string {
  if (operator === 'contains') return words.contains(`lower(${column})`, '?')
  return `${column} ${OPERATORS[operator].sign} ?`
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
      asked.map(({ column, operator }) => ` AND ${conditionOf(column, operator, sql)}`).join(''),
    values: asked.map(({ operator, value }) => (operator === 'contains' ? folded(String(value)) : value)),
    name: asked.map(({ column, text }) => `&${column}=${encodeURIComponent(text)}`).join(''),
  }
}

function readFilter(
  column: string,
  kind: ListFilters[string],
  text: string,
): { operator: ListOperator; value: Value } {
  const { operators, read } = FILTER_KINDS[kind]
  // A name or an id alone is what whoever asks is looking for.
  const asked = splitOperator(text) ?? { operator: 'eq', operand: text }
  const operator = operators.find((known) => known === asked.operator)
  const value = operator && read(asked.operand)
  if (operator === undefined || value === undefined) {
    throw new Problem('invalid-request', `'${column}' is ${filterForm(kind)}; not '${text}'.`)
  }
  return { operator, value: typeof value === 'string' ? storable(value) : value }
}

/** As lower() does of names in either engine: A to Z and nothing else. */
function folded(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}
