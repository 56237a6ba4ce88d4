// Parses the query parameters that select, sort and compare rows.
import { Problem } from '../../errors.ts'
import type { RowFilter } from '../../schema/filters/filters.ts'
import {
  BY_POSITION,
  type ListOrder,
  NEWEST_FIRST,
  ORDERS,
  type Order,
  parseListOrder,
  parseOrder,
} from '../../schema/filters/orders.ts'
import { parseFilters } from '../../schema/filters/parse-filters.ts'

export interface RowQuery {
  filters: RowFilter[]
  order: Order
  /** The id of the baseline evaluation. */
  base: string | undefined
}

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

/** The query parser has checked that the order exists. */
export function parseListOrderParam({ order }: Record<string, unknown>): ListOrder {
  return parseListOrder(String(order)) ?? NEWEST_FIRST
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
