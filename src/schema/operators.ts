// The operators of filters, on rows and on lists alike: a value is one of them, a dot, and what it compares with.

export const OPERATORS = {
  eq: { sign: '=', means: 'equal' },
  ne: { sign: '<>', means: 'not equal' },
  lt: { sign: '<', means: 'less; of times, earlier' },
  lte: { sign: '<=', means: 'less or equal' },
  gt: { sign: '>', means: 'greater; of times, later' },
  gte: { sign: '>=', means: 'greater or equal' },
  contains: { sign: null, means: 'has the text in it, A to Z in either case' },
  is: { sign: null, means: 'one of the words that the parameter takes' },
} as const

export type Operator = keyof typeof OPERATORS
export type Comparison = {
  [Name in Operator]: (typeof OPERATORS)[Name]['sign'] extends string ? Name : never
}[Operator]

export const COMPARISONS = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte'] as const satisfies Comparison[]

/** The operator that a value begins with, and what stands behind it; undefined where it begins with none. */
export function splitOperator(value: string): { operator: Operator; operand: string } | undefined {
  const dot = value.indexOf('.')
  const word = value.slice(0, Math.max(0, dot))
  return Object.hasOwn(OPERATORS, word)
    ? { operator: word as Operator, operand: value.slice(dot + 1) }
    : undefined
}
