// The filter operators, and labels for filters: "latency > 2 s".

import { formatDollars, formatScore, formatSeconds } from '../format/numbers.ts'
import type { Filter } from '../state/row-params.ts'

/** An operator with an operand ('gt'), or a complete value without one ('is.true'). */
interface FilterOperator {
  /** As in the search params: 'gt', 'is.true'. */
  operator: string
  label: string
  operand: 'number' | 'text' | 'nothing'
}

const filterOperator = (
  operator: string,
  label: string,
  operand: FilterOperator['operand'],
): FilterOperator => ({
  operator,
  label,
  operand,
})
const ORDERS = [
  filterOperator('gt', '>', 'number'),
  filterOperator('gte', '≥', 'number'),
  filterOperator('lt', '<', 'number'),
  filterOperator('lte', '≤', 'number'),
]
const NUMBERS = [...ORDERS, filterOperator('eq', '=', 'number'), filterOperator('ne', '≠', 'number')]
const TEXTS = [filterOperator('eq', '=', 'text'), filterOperator('ne', '≠', 'text')]

const OPERATORS: Record<string, FilterOperator[]> = {
  latency: NUMBERS,
  cost: NUMBERS,
  delta: NUMBERS,
  input: TEXTS,
  result: [
    filterOperator('is.false', 'failed', 'nothing'),
    filterOperator('is.true', 'passed', 'nothing'),
    filterOperator('is.null', 'not evaluated', 'nothing'),
    filterOperator('is.error', 'had an error', 'nothing'),
    ...ORDERS,
    ...TEXTS,
  ],
  error: [
    filterOperator('is.true', 'failed', 'nothing'),
    filterOperator('is.false', 'did not fail', 'nothing'),
  ],
  is_pinned: [
    filterOperator('is.true', 'pinned', 'nothing'),
    filterOperator('is.false', 'not pinned', 'nothing'),
  ],
  note: [
    filterOperator('is.present', 'with a note', 'nothing'),
    filterOperator('is.null', 'without a note', 'nothing'),
  ],
}

export function operatorsOf(name: string): FilterOperator[] {
  return OPERATORS[splitAtDot(name)[0]] ?? []
}

/** The filter value in the syntax of the API, or undefined if a number is required but missing. */
export function filterValue({ operator, operand }: FilterOperator, typed: string): string | undefined {
  if (operand === 'nothing') return operator
  if (operand === 'text') return `${operator}.${typed}`
  const number = Number(typed.trim())
  return typed.trim() === '' || !Number.isFinite(number) ? undefined : `${operator}.${number}`
}

/** The name of the filtered field. */
function filterSubject(name: string): string {
  const [family, rest] = splitAtDot(name)
  if (family === 'delta') return `Δ ${rest}`
  if (family === 'error') return rest === '' ? 'output' : `error of ${rest}`
  if (family === 'is_pinned' || family === 'note') return ''
  return rest === '' ? family : rest
}

export function filterLabel([name, value]: Filter): string {
  if (name === 'q') return `“${value}”`
  const [operator, operand] = splitAtDot(value)
  const isGroup = name.startsWith('error') && operator === 'eq'
  if (isGroup) return `${name === 'error' ? 'output error' : filterSubject(name)}: ${operand}`
  const match = operatorsOf(name).find(
    (one) => one.operator === (one.operand === 'nothing' ? value : operator),
  )
  if (!match) return `${name}=${value}`
  const operandText = match.operand === 'nothing' ? '' : operandLabel(name, operand)
  return [filterSubject(name), match.label, operandText].filter((part) => part !== '').join(' ')
}

function operandLabel(name: string, operand: string): string {
  const number = Number(operand)
  if (name.startsWith('input.') || operand === '' || Number.isNaN(number)) return operand
  if (name === 'latency') return formatSeconds(number)
  return name === 'cost' ? formatDollars(number) : formatScore(number)
}

/** Splits at the first dot. */
function splitAtDot(text: string): [head: string, rest: string] {
  const dot = text.indexOf('.')
  return dot < 0 ? [text, ''] : [text.slice(0, dot), text.slice(dot + 1)]
}
