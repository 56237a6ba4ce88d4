// Parses the query parameters that select, sort and compare rows.
import { Problem } from '../../errors.ts'
import {
  BY_POSITION,
  type Filter,
  filterForms,
  ORDERS,
  type Order,
  paramName,
  parseFilter,
  parseFilterParam,
  parseOrder,
} from '../../schema/filters/row-filters.ts'

export interface RowQuery {
  filters: Filter[]
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
export function parseFilters(query: Record<string, unknown>): Filter[] {
  const filters: Filter[] = []
  for (const [parameter, value] of Object.entries(query)) {
    const target = parseFilterParam(parameter)
    if (target) filters.push(parseFilterValue(parameter, target, String(value)))
  }
  if (filters.length > MAX_FILTERS) {
    throw new Problem('invalid-request', `At most ${MAX_FILTERS} filters are allowed. Remove some of them.`)
  }
  return filters
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

function parseFilterValue(
  parameter: string,
  { field, name }: NonNullable<ReturnType<typeof parseFilterParam>>,
  value: string,
) {
  const filter = parseFilter(field, name, value)
  if (filter) return filter
  throw new Problem(
    'invalid-request',
    `'${parameter}' cannot be '${value}'. ${paramName(field)} accepts ${filterForms(field).join(', ')}. Write numbers as in JSON.`,
  )
}

/** False if the query selects all rows, in the order in which they were written, without a baseline. */
export function hasFiltersOrOrder({ filters, order, base }: RowQuery): boolean {
  return filters.length > 0 || order !== BY_POSITION || base !== undefined
}
