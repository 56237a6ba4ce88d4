// The sort orders of rows and of lists.

export interface Order {
  by: 'position' | 'latency' | 'cost' | 'result' | 'delta'
  /** The name of the evaluator. */
  name: string
  direction: 'asc' | 'desc'
}

export const BY_POSITION: Order = { by: 'position', name: '', direction: 'asc' }

/** Ties are sorted by position. Rows without a value come last. */
export const ORDERS = [
  'position',
  'latency.asc',
  'cost.asc',
  'result.<evaluator>.asc',
  'delta.<evaluator>.asc',
] as const

/** All orders as a regular expression, for OpenAPI. */
export const ORDER_PATTERN = '^(position|((latency|cost|position)|(result|delta)\\.[\\s\\S]*)\\.(asc|desc))$'

/** Undefined if the text is none of ORDERS, with `asc` or `desc`. */
export function parseOrder(text: string): Order | undefined {
  if (text === 'position') return BY_POSITION
  const [, by = '', name, direction] =
    /^(latency|cost|position|result|delta)(?:\.(.*))?\.(asc|desc)$/s.exec(text) ?? []
  const isNamed = by === 'result' || by === 'delta'
  if (direction === undefined || isNamed !== (name !== undefined)) return undefined
  return { by, name: name ?? '', direction } as Order
}

/** What lists can be sorted by. The store has an index for each. */
export const LIST_SORT_FIELDS = ['created_at', 'updated_at', 'name'] as const

export interface ListOrder {
  by: (typeof LIST_SORT_FIELDS)[number]
  direction: 'asc' | 'desc'
}

export const NEWEST_FIRST: ListOrder = { by: 'created_at', direction: 'desc' }

export const LIST_ORDERS = LIST_SORT_FIELDS.flatMap((by) => [`${by}.asc`, `${by}.desc`])

/** Undefined if the text is none of LIST_ORDERS. */
export function parseListOrder(text: string): ListOrder | undefined {
  const [by, direction] = text.split('.')
  return LIST_ORDERS.includes(text) ? ({ by, direction } as ListOrder) : undefined
}
