// Parses the query parameters that select, sort and compare rows.
import { Problem } from '../../errors.ts'
import { describeInvalidFilter, describeInvalidPair } from '../../schema/filters/corrections.ts'
import { type FilterField, findRowField, type ListFilters, ROW_FILTERS } from '../../schema/filters/fields.ts'
import { MAX_FILTERS } from '../../schema/filters/filter-params.ts'
import {
  type Filter,
  type FilterCondition,
  parseCondition,
  parsePair,
  type RowFilter,
} from '../../schema/filters/filters.ts'
import {
  BY_POSITION,
  type ListOrder,
  NEWEST_FIRST,
  ORDERS,
  type Order,
  parseListOrder,
  parseOrder,
} from '../../schema/filters/orders.ts'

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

/** Throws invalid-request. */
export function parseFilters(query: Record<string, unknown>): RowFilter[] {
  return limitFilters(
    Object.entries(query).flatMap(([parameter, value]) => {
      const target = findRowField(parameter)
      if (!target) return []
      return parseConditions(parameter, ROW_FILTERS[target.field], value).map((condition) => ({
        ...target,
        ...condition,
      }))
    }),
  )
}

/** Throws invalid-request. The filters are in the order of the fields, for any order of the parameters. */
export function parseListFilters(fields: ListFilters, query: Record<string, unknown>): Filter[] {
  return limitFilters(
    Object.entries(fields).flatMap(([field, definition]) =>
      parseConditions(field, definition, query[field]).map((condition) => ({
        field,
        name: '',
        ...condition,
      })),
    ),
  )
}

/** The conditions of all values of a parameter. Throws invalid-request. */
function parseConditions(parameter: string, field: FilterField, value: unknown): FilterCondition[] {
  const texts = [value ?? []].flat() as string[]
  if (field.type === 'pair' && texts.length > 0) {
    const pair = parsePair(texts)
    if (pair) return [pair]
    throw new Problem('invalid-request', describeInvalidPair(parameter, texts))
  }
  return texts.map((text) => {
    const condition = parseCondition(field, text)
    if (condition) return condition
    throw new Problem('invalid-request', describeInvalidFilter(parameter, field, text))
  })
}

function limitFilters<Filters extends unknown[]>(filters: Filters): Filters {
  if (filters.length <= MAX_FILTERS) return filters
  throw new Problem('invalid-request', `At most ${MAX_FILTERS} filters are allowed. Remove some of them.`)
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
