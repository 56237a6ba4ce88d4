// The grammar of filters and order: which rows of an evaluation are meant, and in which order. The table here is the
// one that queries are read by, and that the reference and OpenAPI show.
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

/** A condition on rows. What `is` says stands in `word`; everything else compares. */
export type Filter = {
  field: FilterField
  /** Of the evaluator or input, where the field has many. */
  name: string
} & ({ operator: 'contains' | Comparison; operand: string } | { operator: 'is'; word: string })

interface Field {
  /** Words behind `is.` */
  is?: readonly string[]
  compares?: readonly Comparison[]
  /** Whether what is compared with is a number. */
  isNumber?: boolean
  /** What the parameter's name begins with, where that is not the name of the field. */
  word?: string
  /** What stands behind the dot of the parameter's name, if anything. */
  names?: 'evaluator' | 'input'
  means: string
}

export const FIELDS: Record<FilterField, Field> = {
  q: { means: 'the text stands in an input, an output, an expected answer or the note, in any letter case' },
  latency: {
    compares: COMPARISONS,
    isNumber: true,
    means: 'seconds, of all outputs together; rows without one never match',
  },
  cost: {
    compares: COMPARISONS,
    isNumber: true,
    means: 'US dollars, of all outputs together; rows without one never match',
  },
  is_pinned: { is: ['true', 'false'], means: 'whether the scenario is pinned' },
  note: { is: ['present', 'null'], means: 'whether it has a note' },
  error: {
    is: ['true', 'false'],
    compares: ['eq'],
    means:
      'whether the application failed: an output with an error; or the group of that error, as the summary has it',
  },
  evaluator_error: {
    compares: ['eq'],
    word: 'error',
    names: 'evaluator',
    means: 'the evaluator failed with an error of this group, as the summary has it',
  },
  result: {
    is: ['true', 'false', 'null', 'error'],
    compares: COMPARISONS,
    names: 'evaluator',
    means:
      'what the evaluator said: passed, failed, nothing, failed itself; or its score. `eq` and `ne` compare texts too',
  },
  input: {
    compares: ['eq', 'ne'],
    names: 'input',
    means: 'the value of the input: a text, or any other as JSON',
  },
  delta: {
    compares: COMPARISONS,
    isNumber: true,
    names: 'evaluator',
    means: 'score less the score of the same row in the evaluation that `base` names',
  },
}

/** How the parameter of a field is written. */
export function parameterOf(field: FilterField): string {
  const { names } = FIELDS[field]
  return names === undefined ? wordOf(field) : `${wordOf(field)}.<${names}>`
}

/** What its value may be. */
export function formsOf(field: FilterField): string[] {
  const { is = [], compares = [] } = FIELDS[field]
  if (field === 'q') return ['text']
  return [...is.map((word) => `is.${word}`), ...compares.map((operator) => `${operator}.x`)]
}

/** Which field a query parameter filters by, if it does. */
export function filterOf(parameter: string): { field: FilterField; name: string } | undefined {
  const dot = parameter.indexOf('.')
  const isNamed = dot !== -1
  const asked = isNamed ? parameter.slice(0, dot) : parameter
  const field = (Object.keys(FIELDS) as FilterField[]).find(
    (field) => wordOf(field) === asked && (FIELDS[field].names !== undefined) === isNamed,
  )
  return field && { field, name: isNamed ? parameter.slice(dot + 1) : '' }
}

/** Undefined where the value has none of the field's forms. */
export function readFilter(field: FilterField, name: string, value: string): Filter | undefined {
  if (field === 'q') return { field, name, operator: 'contains', operand: value }
  const { is = [], compares = [], isNumber = false } = FIELDS[field]
  const { operator, operand = '' } = splitOperator(value) ?? {}
  if (operator === 'is' && is.includes(operand)) return { field, name, operator, word: operand }
  const comparison = compares.find((known) => known === operator)
  if (comparison === undefined) return undefined
  const needsNumber = isNumber || !['eq', 'ne'].includes(comparison)
  if (needsNumber && numberOf(operand) === undefined) return undefined
  return { field, name, operator: comparison, operand }
}

/** A number in the notation of JSON that a double can hold. */
export function numberOf(text: string): number | undefined {
  const isNumber = /^-?\d{1,400}(?:\.\d{1,400})?(?:[eE][+-]?\d{1,5})?$/.test(text)
  return isNumber && Number.isFinite(Number(text)) ? Number(text) : undefined
}

export interface Order {
  by: 'position' | 'latency' | 'cost' | 'result' | 'delta'
  /** Of the evaluator. */
  name: string
  direction: 'asc' | 'desc'
}

export const BY_POSITION: Order = { by: 'position', name: '', direction: 'asc' }

/** Position always breaks ties; rows without what is sorted by come last. */
export const ORDERS = [
  'position',
  'latency.asc',
  'cost.asc',
  'result.<evaluator>.asc',
  'delta.<evaluator>.asc',
] as const

/** Undefined where it is none of ORDERS, with `desc` in place of `asc` at will. */
export function readOrder(text: string): Order | undefined {
  if (text === 'position') return BY_POSITION
  const [, by = '', name, direction] =
    /^(latency|cost|position|result|delta)(?:\.(.*))?\.(asc|desc)$/s.exec(text) ?? []
  const isNamed = by === 'result' || by === 'delta'
  if (direction === undefined || isNamed !== (name !== undefined)) return undefined
  return { by, name: name ?? '', direction } as Order
}

/** What its parameters are called, or begin with. */
export function wordOf(field: FilterField): string {
  return FIELDS[field].word ?? field
}
