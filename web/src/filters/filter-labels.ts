// The filter operators, and labels for filters: "latency > 2 s".
import {
  type Comparison,
  findRowField,
  ROW_FILTERS,
  type RowFilterField,
  splitAtDot,
} from '../../../src/schema/filters/fields.ts'
import { formatDollars, formatScore, formatSeconds } from '../format/numbers.ts'
import type { Filter } from '../state/row-params.ts'

/** An operator with an operand ('gt'), or a complete value without one ('is.true'). */
interface FilterOperator {
  /** As in the search params: 'gt', 'is.true'. */
  operator: string
  label: string
  operand: 'number' | 'text' | 'none'
  operandLabel: string
}

/** In the order of the form. */
const COMPARISON_LABELS = Object.entries({
  gt: '>',
  gte: '≥',
  lt: '<',
  lte: '≤',
  eq: '=',
  ne: '≠',
  contains: 'contains',
} satisfies Record<Comparison | 'contains', string>) as [Comparison | 'contains', string][]

/** The conditions that the form offers for a field. Error groups are too long to type. */
export function operatorsOfField({ type, operators, words = {}, unit }: RowFilterField): FilterOperator[] {
  const comparisons = COMPARISON_LABELS.filter(([name]) => type !== 'group' && operators.includes(name))
  const operandLabel = unit ?? 'Value'
  return [
    ...Object.entries(words).map(
      ([word, label]): FilterOperator => ({ operator: `is.${word}`, label, operand: 'none', operandLabel }),
    ),
    ...comparisons.map(([operator, label]): FilterOperator => {
      const isText = type === 'text' || (type === 'score' && (operator === 'eq' || operator === 'ne'))
      return { operator, label, operand: isText ? 'text' : 'number', operandLabel }
    }),
  ]
}

export function operatorsOf(parameter: string): FilterOperator[] {
  const { field } = findRowField(parameter) ?? {}
  return field ? operatorsOfField(ROW_FILTERS[field]) : []
}

/** The filter value in the syntax of the API, or undefined if a number is required but missing. */
export function filterValue({ operator, operand }: FilterOperator, operandText: string): string | undefined {
  if (operand === 'none') return operator
  if (operand === 'text') return `${operator}.${operandText}`
  const number = Number(operandText.trim())
  return operandText.trim() === '' || !Number.isFinite(number) ? undefined : `${operator}.${number}`
}

export function filterLabel([parameter, value]: Filter): string {
  const { field, name } = findRowField(parameter) ?? {}
  if (field === undefined) return `${parameter}=${value}`
  const { type, names, label, namePrefix = '', unit }: RowFilterField = ROW_FILTERS[field]
  if (type === 'search') return `“${value}”`
  if (typeof value !== 'string') return `${label}: ${value.join(', ')}`
  const subject = names ? namePrefix + name : label
  const [operator, operand = ''] = splitAtDot(value)
  if (type === 'group' && operator === 'eq') return `${names ? subject : `${label} error`}: ${operand}`
  if (operator === 'in') return `${subject} in ${operand}`
  const match = operatorsOf(parameter).find(
    (candidate) => candidate.operator === (candidate.operand === 'none' ? value : operator),
  )
  if (!match) return `${parameter}=${value}`
  if (match.operand === 'none') return names ? `${subject} ${match.label}` : match.label
  const number = Number(operand)
  const isText = type === 'text' || operand === '' || Number.isNaN(number)
  const operandText = isText ? operand : unit ? UNIT_FORMATS[unit](number) : formatScore(number)
  return [subject, match.label, operandText].filter((part) => part !== '').join(' ')
}

const UNIT_FORMATS: Record<NonNullable<RowFilterField['unit']>, (number: number) => string> = {
  Seconds: formatSeconds,
  Dollars: formatDollars,
}
