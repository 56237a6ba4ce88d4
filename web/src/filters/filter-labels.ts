// The filter operators, and labels for filters: "latency > 2 s".

import { formatDollars, formatScore, formatSeconds } from '../format/numbers.ts'
import type { Filter } from '../state/row-params.ts'

/** An operator with an operand ('gt'), or a complete value without one ('is.true'). */
interface FilterOperator {
  /** As in the search params: 'gt', 'is.true'. */
  operator: string
  label: string
  operand: 'number' | 'text' | 'none'
}

const createOperator = (
  operator: string,
  label: string,
  operand: FilterOperator['operand'],
): FilterOperator => ({
  operator,
  label,
  operand,
})
const ORDER_OPERATORS = [
  createOperator('gt', '>', 'number'),
  createOperator('gte', '≥', 'number'),
  createOperator('lt', '<', 'number'),
  createOperator('lte', '≤', 'number'),
]
const NUMBER_OPERATORS = [
  ...ORDER_OPERATORS,
  createOperator('eq', '=', 'number'),
  createOperator('ne', '≠', 'number'),
]
const TEXT_OPERATORS = [createOperator('eq', '=', 'text'), createOperator('ne', '≠', 'text')]

const OPERATORS: Record<string, FilterOperator[]> = {
  latency: NUMBER_OPERATORS,
  cost: NUMBER_OPERATORS,
  delta: NUMBER_OPERATORS,
  input: TEXT_OPERATORS,
  result: [
    createOperator('is.false', 'failed', 'none'),
    createOperator('is.true', 'passed', 'none'),
    createOperator('is.null', 'not evaluated', 'none'),
    createOperator('is.error', 'had an error', 'none'),
    ...ORDER_OPERATORS,
    ...TEXT_OPERATORS,
  ],
  error: [createOperator('is.true', 'failed', 'none'), createOperator('is.false', 'did not fail', 'none')],
  is_pinned: [createOperator('is.true', 'pinned', 'none'), createOperator('is.false', 'not pinned', 'none')],
  note: [
    createOperator('is.present', 'with a note', 'none'),
    createOperator('is.null', 'without a note', 'none'),
  ],
}

export function operatorsOf(name: string): FilterOperator[] {
  return OPERATORS[splitAtDot(name)[0]] ?? []
}

/** The filter value in the syntax of the API, or undefined if a number is required but missing. */
export function filterValue({ operator, operand }: FilterOperator, operandText: string): string | undefined {
  if (operand === 'none') return operator
  if (operand === 'text') return `${operator}.${operandText}`
  const number = Number(operandText.trim())
  return operandText.trim() === '' || !Number.isFinite(number) ? undefined : `${operator}.${number}`
}

/** The name of the filtered field. */
function filterSubject(name: string): string {
  const [kind, rest] = splitAtDot(name)
  if (kind === 'delta') return `Δ ${rest}`
  if (kind === 'error') return rest === '' ? 'output' : `error of ${rest}`
  if (kind === 'is_pinned' || kind === 'note') return ''
  return rest === '' ? kind : rest
}

export function filterLabel([name, value]: Filter): string {
  if (name === 'q') return `“${value}”`
  const [operator, operand] = splitAtDot(value)
  const isGroup = name.startsWith('error') && operator === 'eq'
  if (isGroup) return `${name === 'error' ? 'output error' : filterSubject(name)}: ${operand}`
  const match = operatorsOf(name).find(
    (candidate) => candidate.operator === (candidate.operand === 'none' ? value : operator),
  )
  if (!match) return `${name}=${value}`
  const operandText = match.operand === 'none' ? '' : operandLabel(name, operand)
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
