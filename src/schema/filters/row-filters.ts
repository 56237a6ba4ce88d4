// The grammar of row filters and sort orders. The same table is used for parsing, for the reference and for OpenAPI.
import { COMPARISONS, type Comparison, splitOperator } from './operators.ts'

export type FilterField =
  | 'q'
  | 'latency'
  | 'cost'
  | 'is_pinned'
  | 'note'
  | 'error'
  | 'evaluator_error'
  | 'result'
  | 'input'
  | 'delta'

/** A condition on rows. The operator `is` has a `word`, every other operator an operand. */
export type Filter = {
  field: FilterField
  /** The name of the evaluator or input, if the field has one. */
  name: string
} & ({ operator: 'contains' | Comparison; operand: string } | { operator: 'is'; word: string })

interface Field {
  /** Keywords allowed after `is.` */
  is?: readonly string[]
  compares?: readonly Comparison[]
  /** Whether the operand must be a number. */
  isNumber?: boolean
  /** The prefix of the parameter name, if it is not the name of the field. */
  prefix?: string
  /** What the parameter name contains after the dot, if anything. */
  names?: 'evaluator' | 'input'
  description: string
}

export const FIELDS: Record<FilterField, Field> = {
  q: {
    description: 'rows with this text in an input, an output, an expected answer or the note; ignores case',
  },
  latency: {
    compares: COMPARISONS,
    isNumber: true,
    description: 'latency of all outputs together, in seconds; rows without latency never match',
  },
  cost: {
    compares: COMPARISONS,
    isNumber: true,
    description: 'cost of all outputs together, in US dollars; rows without cost never match',
  },
  is_pinned: { is: ['true', 'false'], description: 'whether the scenario is pinned' },
  note: { is: ['present', 'null'], description: 'whether the scenario has a note' },
  error: {
    is: ['true', 'false'],
    compares: ['eq'],
    description:
      'whether the application failed (an output has an error), or the error group from the summary',
  },
  evaluator_error: {
    compares: ['eq'],
    prefix: 'error',
    names: 'evaluator',
    description: 'the evaluator failed with an error of this group (see the summary)',
  },
  result: {
    is: ['true', 'false', 'null', 'error'],
    compares: COMPARISONS,
    names: 'evaluator',
    description:
      'the result of the evaluator: `true` (passed), `false` (failed), `null` (not scored), `error` (evaluator error), or a score. `eq` and `ne` also compare texts',
  },
  input: {
    compares: ['eq', 'ne'],
    names: 'input',
    description: 'the value of the input: a text, or any other value as JSON',
  },
  delta: {
    compares: COMPARISONS,
    isNumber: true,
    names: 'evaluator',
    description: 'score minus the score of the matched row in the evaluation `base`',
  },
}

/** The name of the query parameter for a field. */
export function paramName(field: FilterField): string {
  const { names } = FIELDS[field]
  return names === undefined ? paramPrefix(field) : `${paramPrefix(field)}.<${names}>`
}

/** The allowed values of a field. */
export function filterForms(field: FilterField): string[] {
  const { is = [], compares = [] } = FIELDS[field]
  if (field === 'q') return ['text']
  return [...is.map((word) => `is.${word}`), ...compares.map((operator) => `${operator}.x`)]
}

/** The field that a query parameter filters by, or undefined. */
export function parseFilterParam(parameter: string): { field: FilterField; name: string } | undefined {
  const dot = parameter.indexOf('.')
  const isNamed = dot !== -1
  const prefix = isNamed ? parameter.slice(0, dot) : parameter
  const field = (Object.keys(FIELDS) as FilterField[]).find(
    (field) => paramPrefix(field) === prefix && (FIELDS[field].names !== undefined) === isNamed,
  )
  return field && { field, name: isNamed ? parameter.slice(dot + 1) : '' }
}

/** Undefined if the value is invalid for the field. */
export function parseFilter(field: FilterField, name: string, value: string): Filter | undefined {
  if (field === 'q') return { field, name, operator: 'contains', operand: value }
  const { is = [], compares = [], isNumber = false } = FIELDS[field]
  const { operator, operand = '' } = splitOperator(value) ?? {}
  if (operator === 'is' && is.includes(operand)) return { field, name, operator, word: operand }
  const comparison = compares.find((allowed) => allowed === operator)
  if (comparison === undefined) return undefined
  const needsNumber = isNumber || !['eq', 'ne'].includes(comparison)
  if (needsNumber && numberOf(operand) === undefined) return undefined
  return { field, name, operator: comparison, operand }
}

/** Parses a finite number in JSON notation. */
export function numberOf(text: string): number | undefined {
  const isNumber = /^-?\d{1,400}(?:\.\d{1,400})?(?:[eE][+-]?\d{1,5})?$/.test(text)
  return isNumber && Number.isFinite(Number(text)) ? Number(text) : undefined
}

export interface Order {
  by: 'position' | 'latency' | 'cost' | 'result' | 'delta'
  /** The name of the evaluator. */
  name: string
  direction: 'asc' | 'desc'
}

export const BY_POSITION: Order = { by: 'position', name: '', direction: 'asc' }

/** Ties are sorted by position. Rows without a value come last. */
export const ORDERS = [
  'position',
  'latency.asc',
  'cost.asc',
  'result.<evaluator>.asc',
  'delta.<evaluator>.asc',
] as const

/** Undefined if the text is none of ORDERS, with `asc` or `desc`. */
export function parseOrder(text: string): Order | undefined {
  if (text === 'position') return BY_POSITION
  const [, by = '', name, direction] =
    /^(latency|cost|position|result|delta)(?:\.(.*))?\.(asc|desc)$/s.exec(text) ?? []
  const isNamed = by === 'result' || by === 'delta'
  if (direction === undefined || isNamed !== (name !== undefined)) return undefined
  return { by, name: name ?? '', direction } as Order
}

/** The parameter name of a field, or its prefix. */
export function paramPrefix(field: FilterField): string {
  return FIELDS[field].prefix ?? field
}
