// Translates the filters of a list request into SQL conditions.
import { Problem } from '../../errors.ts'
import { toStorableText } from '../../json/storable-text.ts'
import {
  describeFilter,
  FILTER_KINDS,
  type ListFilters,
  type ListOperator,
} from '../../schema/filters/list-filters.ts'
import { OPERATORS, splitOperator } from '../../schema/filters/operators.ts'
import type { SqlFragments, Value } from '../dialect/dialect.ts'

/** The filters of one list request, parsed. */
export interface ListCondition {
  /** Whether the request has no filter. */
  isEmpty: boolean
  /** SQL to append to existing conditions; begins with AND. */
  conditions(sql: SqlFragments): string
  /** The values for the placeholders in `conditions`. */
  values: Value[]
  /** The filters as query parameters in a fixed order. Requests with the same filters have the same text. */
  canonicalQuery: string
}

/** Null matches no condition, as in row filters. */
function columnCondition(column: string, operator: ListOperator, sql: SqlFragments): string {
  if (operator === 'contains') return sql.contains(`lower(${column})`, '?')
  return `${column} ${OPERATORS[operator].sign} ?`
}

/** Throws invalid-request with the expected form of the filter. */
export function parseListFilters(
  filters: ListFilters,
  query: Readonly<Record<string, string | number | undefined>>,
): ListCondition {
  const conditions = Object.entries(filters).flatMap(([column, kind]) => {
    const text = query[column]
    return text === undefined ? [] : [{ column, text, ...parseFilter(column, kind, String(text)) }]
  })
  return {
    isEmpty: conditions.length === 0,
    conditions: (sql) =>
      conditions.map(({ column, operator }) => ` AND ${columnCondition(column, operator, sql)}`).join(''),
    values: conditions.map(({ operator, value }) =>
      operator === 'contains' ? lowerAscii(String(value)) : value,
    ),
    canonicalQuery: conditions.map(({ column, text }) => `&${column}=${encodeURIComponent(text)}`).join(''),
  }
}

function parseFilter(
  column: string,
  kind: ListFilters[string],
  text: string,
): { operator: ListOperator; value: Value } {
  const { operators, parse } = FILTER_KINDS[kind]
  // A value without an operator means `eq`.
  const { operator: requestedOperator, operand } = splitOperator(text) ?? { operator: 'eq', operand: text }
  const operator = operators.find((name) => name === requestedOperator)
  const value = operator && parse(operand)
  if (operator === undefined || value === undefined) {
    throw new Problem(
      'invalid-request',
      `The value '${text}' of filter '${column}' is invalid. Use ${describeFilter(kind)}.`,
    )
  }
  return { operator, value: typeof value === 'string' ? toStorableText(value) : value }
}

/** Like lower() in SQLite and in PostgreSQL with collation "C": changes only A to Z. */
function lowerAscii(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}
