// The filters of rows and lists, one entry per field. Parsing, SQL, OpenAPI, the reference and the page use these tables.
// The page imports this file, so it contains only data and imports nothing. Descriptions are in filters.ts.

export const COMPARISONS = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte'] as const
export type Comparison = (typeof COMPARISONS)[number]

/**
 * How an operand is parsed. `search`: the whole value is the text to find; `score`: a number, or any text with eq and
 * ne; `group`: an error group; `name`: a text that is not empty; `pair`: the parameter is sent twice, with the names of two
 * evaluators.
 */
export type OperandType =
  | 'search'
  | 'number'
  | 'score'
  | 'text'
  | 'group'
  | 'name'
  | 'pair'
  | 'id'
  | 'revision'
  | 'status'
  | 'time'

export interface FilterField {
  type: OperandType
  operators: readonly (Comparison | 'in' | 'contains' | 'has')[]
  /** The keywords allowed after `is.`, with their labels. */
  words?: Readonly<Record<string, string>>
}

/** Every field that has `eq` has `in`, too. */
const NUMBER_OPERATORS = [...COMPARISONS, 'in'] as const
const TEXT_OPERATORS = ['eq', 'ne', 'in'] as const
const GROUP_OPERATORS = ['eq', 'in'] as const

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
    operators: NUMBER_OPERATORS,
    label: 'latency',
    unit: 'Seconds',
  },
  cost: {
    type: 'number',
    operators: NUMBER_OPERATORS,
    label: 'cost',
    unit: 'Dollars',
  },
  error: {
    type: 'group',
    operators: GROUP_OPERATORS,
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
  sample: {
    type: 'text',
    operators: [...TEXT_OPERATORS, 'contains'],
    words: { present: 'with a sample', null: 'without a sample' },
    label: 'sample',
  },
  repetition: {
    type: 'number',
    operators: NUMBER_OPERATORS,
    words: { present: 'with a repetition', null: 'without a repetition' },
    label: 'repetition',
  },
  evaluator_error: {
    type: 'group',
    operators: GROUP_OPERATORS,
    prefix: 'error',
    names: 'evaluator',
    label: 'Errors',
    namePrefix: 'error of ',
  },
  result: {
    type: 'score',
    operators: NUMBER_OPERATORS,
    words: { false: 'failed', true: 'passed', null: 'not evaluated', error: 'had an error' },
    names: 'evaluator',
    label: 'Results',
  },
  disagree: {
    type: 'pair',
    operators: [],
    label: 'disagree',
  },
  input: {
    type: 'text',
    operators: TEXT_OPERATORS,
    names: 'input',
    label: 'Inputs',
  },
  flaky: {
    type: 'text',
    operators: [],
    words: { true: 'passes and fails', false: 'not flaky' },
    names: 'evaluator',
    label: 'Repeats',
    namePrefix: 'repeats of ',
  },
  delta: {
    type: 'number',
    operators: NUMBER_OPERATORS,
    names: 'evaluator',
    label: 'Change vs',
    namePrefix: 'change of ',
  },
} as const satisfies Record<string, RowFilterField>

export type RowField = keyof typeof ROW_FILTERS

/** All fields in the order of the reference and of the page. */
export const ROW_FIELDS = Object.entries(ROW_FILTERS) as [RowField, RowFilterField][]

/** A field of a list is the column with its name. A search is in several columns. */
export interface ListFilterField extends FilterField {
  columns?: readonly string[]
}
export type ListFilters = Readonly<Record<string, ListFilterField>>

const SEARCH = { type: 'search', operators: [], columns: ['name', 'id'] } as const
const NAME = { type: 'name', operators: [...TEXT_OPERATORS, 'contains'] } as const
const TIME = { type: 'time', operators: ['lt', 'lte', 'gt', 'gte'] } as const

export const EVALUATION_FILTERS = {
  q: SEARCH,
  name: NAME,
  variant_id: { type: 'id', operators: TEXT_OPERATORS },
  revision: { type: 'revision', operators: NUMBER_OPERATORS },
  family: { type: 'id', operators: TEXT_OPERATORS },
  source: NAME,
  status: { type: 'status', operators: TEXT_OPERATORS },
  tags: { type: 'name', operators: ['has'] },
  created_at: TIME,
  updated_at: TIME,
} as const satisfies ListFilters

export const VARIANT_FILTERS = {
  q: SEARCH,
  name: NAME,
  created_at: TIME,
  updated_at: TIME,
} as const satisfies ListFilters

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
