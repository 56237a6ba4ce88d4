// Parses and describes filters. The value of a filter is <operator>.<operand>, for rows and for lists.
import { MAX_REVISION } from '../rules.ts'
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

/** What each operator means, for the reference. */
export const OPERATORS = {
  eq: 'equal',
  ne: 'not equal',
  lt: 'less than; for times, earlier',
  lte: 'less than or equal',
  gt: 'greater than; for times, later',
  gte: 'greater than or equal',
  contains: 'contains the text; ignores the case of A to Z',
  is: 'equals a keyword of the parameter',
} as const satisfies Record<Comparison | 'contains' | 'is', string>

export type Operator = keyof typeof OPERATORS

/** What each field of rows compares, for the reference and OpenAPI. */
export const ROW_FILTER_DESCRIPTIONS: Record<RowField, string> = {
  q: 'rows with this text in an input, an output, an expected answer or the note; ignores case',
  latency: 'latency of all outputs together, in seconds; rows without latency never match',
  cost: 'cost of all outputs together, in US dollars; rows without cost never match',
  error: 'whether the application failed (an output has an error), or the error group from the summary',
  is_pinned: 'whether the scenario is pinned',
  note: 'whether the scenario has a note',
  evaluator_error: 'the evaluator failed with an error of this group (see the summary)',
  result:
    'the result of the evaluator: `true` (passed), `false` (failed), `null` (not scored), `error` (evaluator error), or a score. `eq` and `ne` also compare texts',
  input: 'the value of the input: a text, or any other value as JSON',
  delta: 'score minus the score of the matched row in the evaluation `base`',
}

/** With the operator `is`, the value is the keyword. */
export interface FilterCondition {
  operator: Operator
  value: string | number
}

/** A condition on rows or list entries. */
export interface Filter<Field extends string = string> extends FilterCondition {
  field: Field
  /** The name of the evaluator or input, if the field has one. */
  name: string
}

export type RowFilter = Filter<RowField>

interface Operand {
  description: string
  /** A regular expression for the operand, for OpenAPI. Undefined: any text. */
  pattern?(operator: Operator): string | undefined
  /** Undefined if the operand is invalid. */
  parse(operand: string, operator: Operator): string | number | undefined
}

/** Numbers of this form are always finite. */
const NUMBER = '-?[0-9]{1,100}(\\.[0-9]{1,100})?([eE][+-]?[0-9]{1,2})?$'
const NOT_EMPTY = '[\\s\\S]'
const TIME =
  '[0-9]{4}-[01][0-9]-[0-3][0-9][Tt ]([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]+)?([Zz]|[+ -]([01][0-9]|2[0-3]):[0-5][0-9])$'

/** Whether the operator compares texts, too. */
const isEquality = (operator: Operator) => operator === 'eq' || operator === 'ne'

export const OPERANDS: Record<OperandType, Operand> = {
  search: { description: 'a text', parse: (operand) => operand },
  number: { description: 'a number', pattern: () => NUMBER, parse: numberOf },
  score: {
    description: 'a number or a text',
    pattern: (operator) => (isEquality(operator) ? undefined : NUMBER),
    parse: (operand, operator) => (isEquality(operator) ? operand : numberOf(operand)),
  },
  text: { description: 'a text', parse: (operand) => operand },
  group: { description: 'an error group', parse: (operand) => operand },
  name: { description: 'a text', pattern: () => NOT_EMPTY, parse: (operand) => operand || undefined },
  id: { description: 'an id', pattern: () => NOT_EMPTY, parse: (operand) => operand || undefined },
  revision: {
    description: `an integer from 0 to ${MAX_REVISION}`,
    pattern: () => '([0-9]{1,9}|[01][0-9]{9})$',
    parse: (operand) =>
      /^\d{1,10}$/.test(operand) && Number(operand) <= MAX_REVISION ? Number(operand) : undefined,
  },
  time: {
    description: 'an RFC 3339 timestamp',
    pattern: () => TIME,
    // An unescaped plus sign of a time offset arrives as a space.
    parse: (operand) => normalizeTime(operand.replace(/(?<=:\d\d(\.\d+)?) (?=\d\d:\d\d$)/, '+')),
  },
}

/** Parses a finite number in JSON notation. */
export function numberOf(text: string): number | undefined {
  const isNumber = /^-?\d{1,400}(?:\.\d{1,400})?(?:[eE][+-]?\d{1,5})?$/.test(text)
  return isNumber && Number.isFinite(Number(text)) ? Number(text) : undefined
}

/** Undefined if the text is invalid for the field. `defaultOperator` applies to texts that begin with no operator. */
export function parseCondition(
  { type, operators, words = {} }: FilterField,
  text: string,
  defaultOperator?: Operator,
): FilterCondition | undefined {
  if (type === 'search') return { operator: 'contains', value: text }
  const [head, rest] = splitAtDot(text)
  const hasOperator = rest !== undefined && Object.hasOwn(OPERATORS, head)
  const [name, operand] = hasOperator ? [head, rest] : [defaultOperator, text]
  if (name === 'is') return Object.hasOwn(words, operand) ? { operator: name, value: operand } : undefined
  const operator = operators.find((allowed) => allowed === name)
  const value = operator && OPERANDS[type].parse(operand, operator)
  return operator === undefined || value === undefined ? undefined : { operator, value }
}

/** A regular expression for the values of a filter, for OpenAPI. It needs no lookahead, which some engines do not have. */
export function filterPattern(
  { type, operators, words = {} }: FilterField,
  defaultOperator?: Operator,
): string {
  const keywords = Object.keys(words)
  const operatorsByPattern = Map.groupBy(operators, (operator) => OPERANDS[type].pattern?.(operator) ?? '')
  const forms = [...operatorsByPattern].map(([pattern, operators]) => {
    const isOptional = operators.some((operator) => operator === defaultOperator)
    return `((${operators.join('|')})\\.)${isOptional ? '?' : ''}${pattern}`
  })
  return `^(${[...(keywords.length > 0 ? [`is\\.(${keywords.join('|')})$`] : []), ...forms].join('|')})`
}

/** The name of the query parameter for a field of rows. */
export function paramName(field: RowField): string {
  const { prefix = field, names }: RowFilterField = ROW_FILTERS[field]
  return names === undefined ? prefix : `${prefix}.<${names}>`
}

/** The allowed values of a field of rows. */
export function filterForms(field: RowField): string[] {
  const { type, words = {}, operators }: RowFilterField = ROW_FILTERS[field]
  if (type === 'search') return ['text']
  return [...Object.keys(words).map((word) => `is.${word}`), ...operators.map((operator) => `${operator}.x`)]
}

/** Describes the value of a list filter. */
export function describeListFilter({ type, operators }: FilterField): string {
  const shorthand = operators.includes('eq') ? '. Without an operator, eq is used' : ''
  const operatorList = `${operators.slice(0, -1).join(', ')} or ${operators.at(-1)}`
  return `${operatorList}, followed by a dot and ${OPERANDS[type].description}${shorthand}`
}
