// The columns of a table: their roles, keys and value types.
import type { ColumnRole, ImportColumn } from '../../schema/imports.ts'

/** A role that an option, a preset or detection gives to a column. */
export interface ColumnChoice {
  role: ColumnRole
  /** The name of an input, the key of a correct answer, or an evaluator. Default: the column's name without the role. */
  key?: string | undefined
  /** How values are read, see VALUE_TYPES. */
  type?: string | undefined
  /** The model or provider whose output the column describes. Default: the column belongs to all evaluations. */
  provider?: string | undefined
}

export type Commas = 'decimal' | 'thousands'

export interface Column extends Omit<ImportColumn, 'examples'> {
  /** What commas separate in numbers. Null if they have no known meaning. */
  commas: Commas | null
  /** Whether numbers from 0 to 1 are mixed with percentages. */
  hasPercentages: boolean
}

/** The roles with a key. */
const KEYED_ROLES: ReadonlySet<ColumnRole> = new Set(['input', 'expected', 'score', 'reason'])

/** The types of values, for each role that has any. */
export const VALUE_TYPES: { readonly [Role in ColumnRole]?: readonly string[] } = {
  score: ['bool', 'number', 'percent', 'rating', 'text'],
  latency: ['s', 'ms', 'us', 'min'],
  cost: ['usd', 'cents'],
  repetition: ['1-based', '0-based'],
}

export function createColumn(
  name: string,
  { role, key, type, provider }: ColumnChoice,
  origin: Column['origin'],
): Column {
  const defaultKey = name.startsWith(`${role}.`) ? name.slice(role.length + 1) : name
  return {
    name,
    role,
    key: KEYED_ROLES.has(role) ? (key ?? defaultKey) : null,
    type: type ?? null,
    provider: provider ?? null,
    origin,
    commas: null,
    hasPercentages: false,
  }
}

const PREFIX_ROLES = ['input', 'expected', 'score'] as const
/** Column names that are roles. */
const ROLE_NAMES: ReadonlySet<string> = new Set([
  'id',
  'output',
  'expected',
  'score',
  'cost',
  'latency',
  'error',
  'is_pinned',
  'note',
] satisfies ColumnRole[])

/** The role of a column with a name such as `output` or `score.exact`. Undefined for any other name. */
export function explicitRole(name: string): ColumnRole | undefined {
  if (ROLE_NAMES.has(name)) return name as ColumnRole
  return PREFIX_ROLES.find((role) => name.startsWith(`${role}.`))
}

/** Every CSV export of Assay has these columns. */
const EXPORT_COLUMNS = ['id', 'output', 'cost', 'latency', 'error', 'is_pinned', 'note']

export function isAssayExport(names: readonly string[]): boolean {
  return EXPORT_COLUMNS.every((name) => names.includes(name))
}

export function quoteList(names: Iterable<string>): string {
  return Array.from(names, (name) => `'${name}'`).join(', ')
}

/** The roles of columns as a text. Empty if all of them follow from explicit names, as in version 0.1. */
export function describeRoles(columns: readonly Column[]): string {
  const roles = columns.map(describeColumn)
  const explicitRoles = columns.map(({ name }) =>
    describeColumn(createColumn(name, { role: explicitRole(name) ?? 'input' }, 'name')),
  )
  const text = JSON.stringify(roles)
  return text === JSON.stringify(explicitRoles) ? '' : text
}

function describeColumn({ name, role, key, type, provider, commas, hasPercentages }: Column) {
  const values = [name, role, key, type, commas === 'thousands' ? commas : commas === 'decimal']
  if (provider !== null) values.push(provider)
  return hasPercentages ? [...values, 'percentages'] : values
}
