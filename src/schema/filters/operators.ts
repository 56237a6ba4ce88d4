// The operators of row and list filters. A filter value is <operator>.<operand>.

export const OPERATORS = {
  eq: { sign: '=', description: 'equal' },
  ne: { sign: '<>', description: 'not equal' },
  lt: { sign: '<', description: 'less than; for times, earlier' },
  lte: { sign: '<=', description: 'less than or equal' },
  gt: { sign: '>', description: 'greater than; for times, later' },
  gte: { sign: '>=', description: 'greater than or equal' },
  contains: { sign: null, description: 'contains the text; ignores the case of A to Z' },
  is: { sign: null, description: 'equals a keyword of the parameter' },
} as const

export type Operator = keyof typeof OPERATORS
export type Comparison = {
  [Name in Operator]: (typeof OPERATORS)[Name]['sign'] extends string ? Name : never
}[Operator]

export const COMPARISONS = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte'] as const satisfies Comparison[]

/** Splits a value into operator and operand. Undefined if it does not begin with an operator. */
export function splitOperator(value: string): { operator: Operator; operand: string } | undefined {
  const dot = value.indexOf('.')
  const name = value.slice(0, Math.max(0, dot))
  return Object.hasOwn(OPERATORS, name)
    ? { operator: name as Operator, operand: value.slice(dot + 1) }
    : undefined
}
