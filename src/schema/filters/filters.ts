// Parses and describes filters. The value of a filter is <operator>.<operand>, for rows and for lists.
import { EVALUATION_STATUSES, MAX_REVISION } from '../rules.ts'
import { normalizeTime } from '../times.ts'
import {
  type Comparison,
  type FilterField,
  type OperandType,
  ROW_FILTERS,
  type RowField,
  type RowFilterField,
  splitAtDot,
} from './fields.ts'
import { inListPattern, MAX_IN_MEMBERS, parseInList } from './in-operand.ts'

/** What each operator means, for the reference. */
export const OPERATORS = {
  eq: 'equal',
  ne: 'not equal',
  in: 'equal to a member of the list',
  lt: 'less than; for times, earlier',
  lte: 'less than or equal',
  gt: 'greater than; for times, later',
  gte: 'greater than or equal',
  contains: 'contains the text; ignores the case of A to Z',
  has: 'one of the values is equal',
  is: 'equals a keyword of the parameter',
} as const satisfies Record<Comparison | 'in' | 'contains' | 'has' | 'is', string>

export type Operator = keyof typeof OPERATORS

/** What each field of rows compares, for the reference and OpenAPI. */
export const ROW_FILTER_DESCRIPTIONS: Record<RowField, string> = {
  q: 'rows with this text in an input, an output, an expected answer or the note; ignores case',
  latency: 'latency of all outputs together, in seconds; rows without latency never match',
  cost: 'cost of all outputs together, in US dollars; rows without cost never match',
  error: 'whether the application failed (an output has an error), or the error group from the summary',
  is_pinned: 'whether the scenario is pinned',
  note: 'whether the scenario has a note',
  sample:
    '`extra.sample`, the row of the test set that was run; rows without a sample match only `is.null`, also if their id says the same',
  repetition: '`extra.repetition`, the number of the repetition; rows without a number match only `is.null`',
  evaluator_error: 'the evaluator failed with an error of this group (see the summary)',
  result:
    'the result of the evaluator: `true` (passed), `false` (failed), `null` (not scored), `error` (evaluator error), or a score. `eq`, `ne` and `in` also compare texts',
  disagree:
    'rows where the verdicts of two evaluators differ; send it twice, with two names: `disagree=a&disagree=b`',
  input: 'the value of the input: a text, or any other value as JSON',
  flaky: 'whether the repeats of the row both pass and fail',
  delta: 'score minus the score of the matched row in the evaluation `base`',
}

export type OperandValue = string | number

/** With the operator `is`, the value is the keyword. */
export type FilterCondition =
  | { operator: Exclude<Operator, 'in'>; value: OperandValue }
  | { operator: 'in'; value: OperandValue[] }

/** A condition on rows or list entries. */
export type Filter<Field extends string = string> = FilterCondition & {
  field: Field
  /** The name of the evaluator or input, if the field has one. */
  name: string
}

export type RowFilter = Filter<RowField>

interface Operand {
  description: string
  /** For corrections of invalid filters. */
  example: string
  /** A regular expression for the operand, for OpenAPI. Undefined: any text. */
  pattern?(operator: Operator): string | undefined
  isNotEmpty?: true
  /** Undefined if the operand is invalid. */
  parse(operand: string, operator: Operator): OperandValue | undefined
}

/** Numbers of this form are always finite. */
const NUMBER = '-?[0-9]{1,100}(\\.[0-9]{1,100})?([eE][+-]?[0-9]{1,2})?'
const TIME =
  '[0-9]{4}-[01][0-9]-[0-3][0-9]([Tt ]([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]+)?([Zz]|[+ -]([01][0-9]|2[0-3]):[0-5][0-9]))?'

/** Whether the operator compares texts, too. */
const isEquality = (operator: Operator) => operator === 'eq' || operator === 'ne' || operator === 'in'

const parseText = (operand: string) => operand
const parseNonEmpty = (operand: string) => operand || undefined

export const OPERANDS: Record<OperandType, Operand> = {
  search: { description: 'a text', example: 'text', parse: parseText },
  number: { description: 'a number', example: '1.5', pattern: () => NUMBER, parse: numberOf },
  score: {
    description: 'a number or a text',
    example: '0.5',
    pattern: (operator) => (isEquality(operator) ? undefined : NUMBER),
    parse: (operand, operator) => (isEquality(operator) ? operand : numberOf(operand)),
  },
  text: { description: 'a text', example: 'text', parse: parseText },
  group: { description: 'an error group', example: 'Timeout', parse: parseText },
  name: { description: 'a text', example: 'text', isNotEmpty: true, parse: parseNonEmpty },
  pair: { description: 'the name of an evaluator', example: 'judge', parse: parseText },
  id: { description: 'an id', example: 'support-answer', isNotEmpty: true, parse: parseNonEmpty },
  revision: {
    description: `an integer from 0 to ${MAX_REVISION}`,
    example: '4',
    pattern: () => '([0-9]{1,9}|[01][0-9]{9})',
    parse: (operand) =>
      /^\d{1,10}$/.test(operand) && Number(operand) <= MAX_REVISION ? Number(operand) : undefined,
  },
  status: {
    description: EVALUATION_STATUSES.join(' or '),
    example: EVALUATION_STATUSES[0],
    pattern: () => `(${EVALUATION_STATUSES.join('|')})`,
    parse: (operand) => EVALUATION_STATUSES.find((status) => status === operand),
  },
  time: {
    description: 'a date or an RFC 3339 timestamp',
    example: '2026-11-01',
    pattern: () => TIME,
    parse: parseTime,
  },
}

/** A date is midnight UTC. An unescaped plus sign of a time offset arrives as a space. */
function parseTime(text: string): string | undefined {
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return normalizeTime(`${text}T00:00:00Z`)
  return normalizeTime(text.replace(/(?<=:\d\d(\.\d+)?) (?=\d\d:\d\d$)/, '+'))
}

/** Parses a finite number in JSON notation. */
export function numberOf(text: string): number | undefined {
  const isNumber = /^-?\d{1,400}(?:\.\d{1,400})?(?:[eE][+-]?\d{1,5})?$/.test(text)
  return isNumber && Number.isFinite(Number(text)) ? Number(text) : undefined
}

/** Undefined if the text is invalid for the field. */
export function parseCondition(
  { type, operators, words = {} }: FilterField,
  text: string,
): FilterCondition | undefined {
  if (type === 'search') return { operator: 'contains', value: text }
  const [name, operand] = splitAtDot(text)
  if (operand === undefined) return undefined
  if (name === 'is') return Object.hasOwn(words, operand) ? { operator: name, value: operand } : undefined
  const operator = operators.find((allowed) => allowed === name)
  if (operator === undefined) return undefined
  const { parse } = OPERANDS[type]
  if (operator !== 'in') {
    const value = parse(operand, operator)
    return value === undefined ? undefined : { operator, value }
  }
  const members = parseInList(operand)
  if (!members || members.length > MAX_IN_MEMBERS) return undefined
  const values = members.map((member) => parse(member, operator))
  return values.includes(undefined) ? undefined : { operator, value: values as OperandValue[] }
}

/** The condition of a `pair`. Undefined unless the texts are two different names. */
export function parsePair(texts: string[]): FilterCondition | undefined {
  return texts.length === 2 && texts[0] !== texts[1] ? { operator: 'in', value: texts } : undefined
}

/** The evaluators and inputs that a filter names. */
export function listNames(filter: RowFilter): { kind: 'evaluator' | 'input'; name: string }[] {
  const { type, names }: RowFilterField = ROW_FILTERS[filter.field]
  if (type === 'pair') return [filter.value].flat().map((name) => ({ kind: 'evaluator', name: String(name) }))
  return names ? [{ kind: names, name: filter.name }] : []
}

/** A regular expression for the values of a filter, for OpenAPI. It needs no lookahead, which some engines do not have. */
export function filterPattern({ type, operators, words = {} }: FilterField): string {
  const { pattern, isNotEmpty } = OPERANDS[type]
  const keywords = Object.keys(words)
  const patternOf = (operator: Operator) => pattern?.(operator) ?? `[\\s\\S]${isNotEmpty ? '+' : '*'}`
  const singles = operators.filter((operator) => operator !== 'in')
  return `^(${[
    ...(keywords.length > 0 ? [`is\\.(${keywords.join('|')})`] : []),
    ...[...Map.groupBy(singles, patternOf)].map(([pattern, names]) => `(${names.join('|')})\\.${pattern}`),
    ...(operators.includes('in') ? [`in\\.${inListPattern(pattern?.('in'), isNotEmpty)}`] : []),
  ].join('|')})$`
}

/** The name of the query parameter for a field of rows. */
export function paramName(field: RowField): string {
  const { prefix = field, names }: RowFilterField = ROW_FILTERS[field]
  return names === undefined ? prefix : `${prefix}.<${names}>`
}

/** The allowed values of a field. */
export function filterForms({ type, words = {}, operators }: FilterField): string[] {
  if (type === 'search') return ['text']
  if (type === 'pair') return ['name']
  return [
    ...Object.keys(words).map((word) => `is.${word}`),
    ...operators.map((operator) => (operator === 'in' ? 'in.(x,y)' : `${operator}.x`)),
  ]
}
