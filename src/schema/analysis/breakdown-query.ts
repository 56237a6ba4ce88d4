// What the rows of a breakdown are grouped by, and the sort orders of its groups.
import { Problem } from '../../errors.ts'
import { splitAtDot } from '../filters/fields.ts'

export interface GroupKey {
  field: 'input' | 'result' | 'error'
  /** The name of the input or evaluator. */
  name: string
}

/** The allowed values of `by`. */
export const GROUP_KEYS = ['input.<name>', 'result.<evaluator>', 'error'] as const

/** All values of `by` as a regular expression, for OpenAPI. */
export const GROUP_KEY_PATTERN = '^(error|(input|result)\\.[\\s\\S]*)$'

/** Throws invalid-request if the text is none of GROUP_KEYS. */
export function parseGroupKey(text: string): GroupKey {
  const [field, name] = splitAtDot(text)
  if (field === 'error' && name === undefined) return { field, name: '' }
  if ((field === 'input' || field === 'result') && name !== undefined) return { field, name }
  throw new Problem('invalid-request', `'by' must be ${GROUP_KEYS.join(' or ')}, not '${text}'.`)
}

const PLAIN_ORDERS = ['rows', 'errors', 'cost', 'latency'] as const
const CHANGE_ORDERS = ['delta', 'contribution'] as const
const NAMED_ORDERS = ['result', ...CHANGE_ORDERS] as const

export interface GroupOrder {
  by: (typeof PLAIN_ORDERS)[number] | (typeof NAMED_ORDERS)[number]
  /** The name of the evaluator. */
  name: string
  direction: 'asc' | 'desc'
}

export const MOST_ROWS_FIRST: GroupOrder = { by: 'rows', name: '', direction: 'desc' }

/** Ties are sorted by the first row. Groups without a value come last. */
export const GROUP_ORDERS = [
  ...PLAIN_ORDERS.map((by) => `${by}.desc`),
  ...NAMED_ORDERS.map((by) => `${by}.<evaluator>.desc`),
]

/** All orders as a regular expression, for OpenAPI. */
export const GROUP_ORDER_PATTERN = `^((${PLAIN_ORDERS.join('|')})|(${NAMED_ORDERS.join('|')})\\.[\\s\\S]*)\\.(asc|desc)$`

/** Throws invalid-request if the text is none of GROUP_ORDERS, with `asc` or `desc`. */
export function parseGroupOrder(text: string): GroupOrder {
  const end = text.lastIndexOf('.')
  const [by, name] = splitAtDot(text.slice(0, Math.max(0, end)))
  const direction = text.slice(end + 1)
  const orders: readonly string[] = name === undefined ? PLAIN_ORDERS : NAMED_ORDERS
  if (orders.includes(by) && (direction === 'asc' || direction === 'desc'))
    return { by: by as GroupOrder['by'], name: name ?? '', direction }
  throw new Problem(
    'invalid-request',
    `'order' must be one of ${GROUP_ORDERS.join(', ')} (or asc), not '${text}'.`,
  )
}

export function isNamedOrder({ by }: GroupOrder): boolean {
  return NAMED_ORDERS.some((named) => named === by)
}

/** Whether groups are sorted by a difference from the baseline. */
export function needsBaseline({ by }: GroupOrder): boolean {
  return CHANGE_ORDERS.some((change) => change === by)
}
