// The filters of rows and lists, one entry per field. Parsing, SQL, OpenAPI, the reference and the page use these tables.
// The page imports this file, so it contains only data and imports nothing. Descriptions are in filters.ts.

export const COMPARISONS = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte'] as const
export type Comparison = (typeof COMPARISONS)[number]

/**
 * How an operand is parsed. `search`: the whole value is the text to find; `score`: a number, or any text with eq and
 * ne; `group`: an error group; `name`: a text that is not empty.
 */
export type OperandType =
  | 'search'
  | 'number'
  | 'score'
  | 'text'
  | 'group'
  | 'name'
  | 'id'
  | 'revision'
  | 'time'

export interface FilterField {
  type: OperandType
  operators: readonly (Comparison | 'contains')[]
  /** The keywords allowed after `is.`, with their labels. */
  words?: Readonly<Record<string, string>>
}

export interface RowFilterField extends FilterField {
  /** The prefix of the parameter name, if it is not the name of the field. */
  prefix?: string
  /** What the parameter name contains after the dot, if anything. */
  names?: 'evaluator' | 'input'
  /** The name of the field on the page, or of the group of fields if there is one per evaluator or input. */
  label: string
  /** The text before the name of the evaluator or input on the page. */
  namePrefix?: string
  unit?: 'Seconds' | 'Dollars'
}

export const ROW_FILTERS = {
  q: {
    type: 'search',
    operators: [],
    label: 'search',
  },
  latency: {
    type: 'number',
    operators: COMPARISONS,
    label: 'latency',
    unit: 'Seconds',
  },
  cost: {
    type: 'number',
    operators: COMPARISONS,
    label: 'cost',
    unit: 'Dollars',
  },
  error: {
    type: 'group',
    operators: ['eq'],
    words: { true: 'output failed', false: 'output did not fail' },
    label: 'output',
  },
  is_pinned: {
    type: 'text',
    operators: [],
    words: { true: 'pinned', false: 'not pinned' },
    label: 'pin',
  },
  note: {
    type: 'text',
    operators: [],
    words: { present: 'with a note', null: 'without a note' },
    label: 'note',
  },
  evaluator_error: {
    type: 'group',
    operators: ['eq'],
    prefix: 'error',
    names: 'evaluator',
    label: 'Errors',
    namePrefix: 'error of ',
  },
  result: {
    type: 'score',
    operators: COMPARISONS,
    words: { false: 'failed', true: 'passed', null: 'not evaluated', error: 'had an error' },
    names: 'evaluator',
    label: 'Results',
  },
  input: {
    type: 'text',
    operators: ['eq', 'ne'],
    names: 'input',
    label: 'Inputs',
  },
  delta: {
    type: 'number',
    operators: COMPARISONS,
    names: 'evaluator',
    label: 'Change vs',
    namePrefix: 'Δ ',
  },
} as const satisfies Record<string, RowFilterField>

export type RowField = keyof typeof ROW_FILTERS

/** All fields in the order of the reference and of the page. */
export const ROW_FIELDS = Object.entries(ROW_FILTERS) as [RowField, RowFilterField][]

/** The fields of a list are columns with the same names. */
export type ListFilters = Readonly<Record<string, FilterField>>

const NAME_FILTER = { type: 'name', operators: ['eq', 'ne', 'contains'] } as const
const TIME_FILTER = { type: 'time', operators: ['lt', 'lte', 'gt', 'gte'] } as const

export const EVALUATION_FILTERS = {
  name: NAME_FILTER,
  variant_id: { type: 'id', operators: ['eq', 'ne'] },
  revision: { type: 'revision', operators: COMPARISONS },
  created_at: TIME_FILTER,
} as const satisfies ListFilters

export const VARIANT_FILTERS = { name: NAME_FILTER, created_at: TIME_FILTER } as const satisfies ListFilters

/** Splits at the first dot. */
export function splitAtDot(text: string): [head: string, rest: string | undefined] {
  const dot = text.indexOf('.')
  return dot === -1 ? [text, undefined] : [text.slice(0, dot), text.slice(dot + 1)]
}

/** The field that a query parameter filters rows by, and the name after its dot; undefined if it is not a filter. */
export function findRowField(parameter: string): { field: RowField; name: string } | undefined {
  const [prefix, name] = splitAtDot(parameter)
  const [field] =
    ROW_FIELDS.find(
      ([key, field]) =>
        (field.prefix ?? key) === prefix && (field.names === undefined) === (name === undefined),
    ) ?? []
  return field && { field, name: name ?? '' }
}
