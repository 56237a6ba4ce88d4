// What can be filtered by, and every filter in plain words: "latency > 2 s".

import type { Filter } from '../evaluation/view.ts'
import { dollars, score, seconds } from '../format/numbers.ts'

/** One way to compare: an operator that takes a value, or a whole value that takes none. */
interface Choice {
  /** As in the address: 'gt', or 'is.true'. */
  operator: string
  words: string
  takes: 'number' | 'text' | 'nothing'
}

const choice = (operator: string, words: string, takes: Choice['takes']): Choice => ({
  operator,
  words,
  takes,
})
const ORDERS = [
  choice('gt', '>', 'number'),
  choice('gte', '≥', 'number'),
  choice('lt', '<', 'number'),
  choice('lte', '≤', 'number'),
]
const NUMBERS = [...ORDERS, choice('eq', '=', 'number'), choice('ne', '≠', 'number')]
const TEXTS = [choice('eq', '=', 'text'), choice('ne', '≠', 'text')]

const CHOICES: Record<string, Choice[]> = {
  latency: NUMBERS,
  cost: NUMBERS,
  delta: NUMBERS,
  input: TEXTS,
  result: [
    choice('is.false', 'failed', 'nothing'),
    choice('is.true', 'passed', 'nothing'),
    choice('is.null', 'not evaluated', 'nothing'),
    choice('is.error', 'had an error', 'nothing'),
    ...ORDERS,
    ...TEXTS,
  ],
  error: [choice('is.true', 'failed', 'nothing'), choice('is.false', 'did not fail', 'nothing')],
  is_pinned: [choice('is.true', 'pinned', 'nothing'), choice('is.false', 'not pinned', 'nothing')],
  note: [choice('is.present', 'with a note', 'nothing'), choice('is.null', 'without a note', 'nothing')],
}

export function choicesOf(name: string): Choice[] {
  return CHOICES[parted(name)[0]] ?? []
}

/** The value of a filter as the API reads it; undefined where it takes a number and has none. */
export function filterValue({ operator, takes }: Choice, typed: string): string | undefined {
  if (takes === 'nothing') return operator
  if (takes === 'text') return `${operator}.${typed}`
  const number = Number(typed.trim())
  return typed.trim() === '' || !Number.isFinite(number) ? undefined : `${operator}.${number}`
}

/** What a filter is about. */
function subject(name: string): string {
  const [family, rest] = parted(name)
  if (family === 'delta') return `Δ ${rest}`
  if (family === 'error') return rest === '' ? 'output' : `error of ${rest}`
  if (family === 'is_pinned' || family === 'note') return ''
  return rest === '' ? family : rest
}

export function filterWords([name, value]: Filter): string {
  if (name === 'q') return `“${value}”`
  const [operator, operand] = parted(value)
  const isGroup = name.startsWith('error') && operator === 'eq'
  if (isGroup) return `${name === 'error' ? 'output error' : subject(name)}: ${operand}`
  const found = choicesOf(name).find((one) => one.operator === (one.takes === 'nothing' ? value : operator))
  if (!found) return `${name}=${value}`
  const said = found.takes === 'nothing' ? '' : quantity(name, operand)
  return [subject(name), found.words, said].filter((word) => word !== '').join(' ')
}

function quantity(name: string, operand: string): string {
  const number = Number(operand)
  if (name.startsWith('input.') || operand === '' || Number.isNaN(number)) return operand
  if (name === 'latency') return seconds(number)
  return name === 'cost' ? dollars(number) : score(number)
}

/** Before and behind the first dot. */
function parted(text: string): [head: string, rest: string] {
  const dot = text.indexOf('.')
  return dot < 0 ? [text, ''] : [text.slice(0, dot), text.slice(dot + 1)]
}
