// The filters of lists, each a query parameter with the value <operator>.<operand>: one table of what they take.
import { COMPARISONS, type Operator } from './operators.ts'
import { MAX_REVISION } from './rules.ts'
import { normaliseTime } from './times.ts'

export type ListOperator = Exclude<Operator, 'is'>

interface FilterKind {
  operators: readonly ListOperator[]
  /** What stands behind the operator, in words. */
  operand: string
  /** The value to compare with; undefined where the operand is none. */
  read(operand: string): string | number | undefined
}

export const FILTER_KINDS = {
  text: {
    operators: ['eq', 'ne', 'contains'],
    operand: 'some text',
    read: (operand) => operand || undefined,
  },
  id: { operators: ['eq', 'ne'], operand: 'an id', read: (operand) => operand || undefined },
  revision: {
    operators: COMPARISONS,
    operand: `a whole number from 0 to ${MAX_REVISION} in plain digits`,
    read: (operand) =>
      /^\d{1,10}$/.test(operand) && Number(operand) <= MAX_REVISION ? Number(operand) : undefined,
  },
  time: {
    operators: ['lt', 'lte', 'gt', 'gte'],
    operand: 'a time of RFC 3339',
    // In a query a plus sign is a space, and that of an offset is easily left as it is.
    read: (operand) => normaliseTime(operand.replace(/(?<=:\d\d(\.\d+)?) (?=\d\d:\d\d$)/, '+')),
  },
} as const satisfies Record<string, FilterKind>

/** The columns of a list that can be filtered by. */
export type ListFilters = Readonly<Record<string, keyof typeof FILTER_KINDS>>

export const EVALUATION_FILTERS = {
  name: 'text',
  variant_id: 'id',
  revision: 'revision',
  created_at: 'time',
} as const satisfies ListFilters

export const VARIANT_FILTERS = { name: 'text', created_at: 'time' } as const satisfies ListFilters

/** What the value of such a filter looks like, in words. */
export function filterForm(kind: ListFilters[string]): string {
  const { operators, operand } = FILTER_KINDS[kind]
  const plainly = (operators as readonly string[]).includes('eq') ? ', or that alone to be equal' : ''
  return `one of ${operators.join(', ')}, a dot, and ${operand}${plainly}`
}
