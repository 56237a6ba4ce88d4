// The part of a query that says which rows are meant, in which order, and compared with what.
import { Problem } from '../errors.ts'
import {
  BY_POSITION,
  type Filter,
  filterOf,
  formsOf,
  ORDERS,
  type Order,
  parameterOf,
  readFilter,
  readOrder,
} from '../schema/filters.ts'

export interface ViewQuery {
  filters: Filter[]
  order: Order
  /** The id of the evaluation to compare with. */
  base: string | undefined
}

/** Each is a look at all rows. */
const MOST_FILTERS = 32

/** Throws invalid-request, with what is allowed. */
export function readView(query: Record<string, unknown>): ViewQuery {
  const filters = readFilters(query)
  const { base } = query as { base?: string }
  const order = readAskedOrder(query) ?? BY_POSITION
  const usesBase = order.by === 'delta' || filters.some(({ field }) => field === 'delta')
  if (usesBase && base === undefined) {
    throw new Problem('invalid-request', `A delta needs 'base': the id of the evaluation to compare with.`)
  }
  return { filters, order, base }
}

/** Throws invalid-request. */
export function readFilters(query: Record<string, unknown>): Filter[] {
  const filters: Filter[] = []
  for (const [parameter, value] of Object.entries(query)) {
    const filtered = filterOf(parameter)
    if (filtered) filters.push(readOne(parameter, filtered, String(value)))
  }
  if (filters.length > MOST_FILTERS) {
    throw new Problem('invalid-request', `At most ${MOST_FILTERS} filters can be asked for at once.`)
  }
  return filters
}

/** Undefined where none is asked for. Throws invalid-request. */
export function readAskedOrder(query: Record<string, unknown>): Order | undefined {
  const { order: asked } = query as { order?: string }
  if (asked === undefined) return undefined
  const order = readOrder(asked)
  if (order) return order
  throw new Problem('invalid-request', `'order' is one of ${ORDERS.join(', ')} (or desc), not '${asked}'.`)
}

function readOne(
  parameter: string,
  { field, name }: NonNullable<ReturnType<typeof filterOf>>,
  value: string,
) {
  const filter = readFilter(field, name, value)
  if (filter) return filter
  throw new Problem(
    'invalid-request',
    `'${parameter}' cannot be '${value}'. ${parameterOf(field)} takes ${formsOf(field).join(', ')}; numbers are as in JSON.`,
  )
}

/** Whether anything is asked for but every row in the order it was written. */
export function isNarrowed({ filters, order, base }: ViewQuery): boolean {
  return filters.length > 0 || order !== BY_POSITION || base !== undefined
}
