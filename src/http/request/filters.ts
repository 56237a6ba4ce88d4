// Parses the query parameters that select, sort and compare rows.
import { Problem } from '../../errors.ts'
import { findRowField, type ListFilters, ROW_FILTERS } from '../../schema/filters/fields.ts'
import {
  describeListFilter,
  type Filter,
  filterForms,
  paramName,
  parseCondition,
  type RowFilter,
} from '../../schema/filters/filters.ts'
import { BY_POSITION, ORDERS, type Order, parseOrder } from '../../schema/filters/orders.ts'

export interface RowQuery {
  filters: RowFilter[]
  order: Order
  /** The id of the baseline evaluation. */
  base: string | undefined
}

/** Each filter can read all rows. */
const MAX_FILTERS = 32

/** Throws invalid-request. The detail lists the allowed values. */
export function parseRowQuery(query: Record<string, unknown>): RowQuery {
  const filters = parseFilters(query)
  const { base } = query as { base?: string }
  const order = parseOrderParam(query) ?? BY_POSITION
  const usesDelta = order.by === 'delta' || filters.some(({ field }) => field === 'delta')
  if (usesDelta && base === undefined) {
    throw new Problem('invalid-request', `A delta needs 'base'. Set it to the id of the baseline evaluation.`)
  }
  return { filters, order, base }
}

/** Throws invalid-request. */
export function parseFilters(query: Record<string, unknown>): RowFilter[] {
  const filters: RowFilter[] = []
  for (const [parameter, value] of Object.entries(query)) {
    const target = findRowField(parameter)
    if (!target) continue
    const { field } = target
    const condition = parseCondition(ROW_FILTERS[field], String(value))
    if (!condition) {
      throw new Problem(
        'invalid-request',
        `'${parameter}' cannot be '${value}'. ${paramName(field)} accepts ${filterForms(field).join(', ')}. Write numbers as in JSON.`,
      )
    }
    filters.push({ ...target, ...condition })
  }
  if (filters.length > MAX_FILTERS) {
    throw new Problem('invalid-request', `At most ${MAX_FILTERS} filters are allowed. Remove some of them.`)
  }
  return filters
}

/** Throws invalid-request. The filters are in the order of the fields, for any order of the parameters. */
export function parseListFilters(
  fields: ListFilters,
  query: Readonly<Record<string, string | number | undefined>>,
): Filter[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const text = query[name]
    if (text === undefined) return []
    const condition = parseCondition(field, String(text), 'eq')
    if (condition) return [{ field: name, name: '', ...condition }]
    throw new Problem(
      'invalid-request',
      `The value '${text}' of filter '${name}' is invalid. Use ${describeListFilter(field)}.`,
    )
  })
}

/** Undefined if the query has no order. Throws invalid-request. */
export function parseOrderParam(query: Record<string, unknown>): Order | undefined {
  const { order: text } = query as { order?: string }
  if (text === undefined) return undefined
  const order = parseOrder(text)
  if (order) return order
  throw new Problem(
    'invalid-request',
    `'order' must be one of ${ORDERS.join(', ')} (or desc), not '${text}'.`,
  )
}

/** False if the query selects all rows, in the order in which they were written, without a baseline. */
export function hasFiltersOrOrder({ filters, order, base }: RowQuery): boolean {
  return filters.length > 0 || order !== BY_POSITION || base !== undefined
}
