// The filters of lists. Each is a query parameter with the value <operator>.<operand>.

import { MAX_REVISION } from '../rules.ts'
import { normalizeTime } from '../times.ts'
import { COMPARISONS, type Operator } from './operators.ts'

export type ListOperator = Exclude<Operator, 'is'>

interface FilterKind {
  operators: readonly ListOperator[]
  /** A description of the operand. */
  operand: string
  /** Parses the operand. Undefined if it is invalid. */
  parse(operand: string): string | number | undefined
}

export const FILTER_KINDS = {
  text: {
    operators: ['eq', 'ne', 'contains'],
    operand: 'a text',
    parse: (operand) => operand || undefined,
  },
  id: { operators: ['eq', 'ne'], operand: 'an id', parse: (operand) => operand || undefined },
  revision: {
    operators: COMPARISONS,
    operand: `an integer from 0 to ${MAX_REVISION}`,
    parse: (operand) =>
      /^\d{1,10}$/.test(operand) && Number(operand) <= MAX_REVISION ? Number(operand) : undefined,
  },
  time: {
    operators: ['lt', 'lte', 'gt', 'gte'],
    operand: 'an RFC 3339 timestamp',
    // An unescaped plus sign of a time offset arrives as a space.
    parse: (operand) => normalizeTime(operand.replace(/(?<=:\d\d(\.\d+)?) (?=\d\d:\d\d$)/, '+')),
  },
} as const satisfies Record<string, FilterKind>

/** The filterable members of a list. */
export type ListFilters = Readonly<Record<string, keyof typeof FILTER_KINDS>>

export const EVALUATION_FILTERS = {
  name: 'text',
  variant_id: 'id',
  revision: 'revision',
  created_at: 'time',
} as const satisfies ListFilters

export const VARIANT_FILTERS = { name: 'text', created_at: 'time' } as const satisfies ListFilters

/** Describes the value of a filter. */
export function describeFilter(kind: ListFilters[string]): string {
  const { operators, operand } = FILTER_KINDS[kind]
  const shorthand = (operators as readonly string[]).includes('eq') ? '. Without an operator, eq is used' : ''
  const operatorList = `${operators.slice(0, -1).join(', ')} or ${operators.at(-1)}`
  return `${operatorList}, followed by a dot and ${operand}${shorthand}`
}
