// The columns of a table: their roles, keys and value types, and the options that assign them.

import { CommandError } from '../../errors.ts'
import { COLUMN_ROLES, type ColumnRole, type ImportColumn } from '../../schema/imports.ts'

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

const EXAMPLE =
  'Write COLUMN=ROLE[/PROVIDER][.KEY][:TYPE], for example answer=output,correct=score:bool,latency_ms=latency:ms.'
/** A name or a key. One with special characters is written in double quotes. */
const QUOTED = '"((?:[^"]|"")*)"'
const ENTRY = new RegExp(
  String.raw`\s*(?:${QUOTED}|([^",=][^,=]*?))\s*=\s*([^",.:/\s]+)(?:/(?:${QUOTED}|([^",.:/]+?)))?(?:\.(?:${QUOTED}|([^",:]+?)))?(?::([^",.:\s]+))?\s*(?:,|$)`,
  'y',
)

/** The roles by column name. Throws CommandError if the map is invalid or contradicts itself. */
export function parseColumnMap(map = ''): Map<string, ColumnChoice> {
  const choices = parseEntries(map)
  const outputs = [...choices].filter(([, { role }]) => role === 'output')
  const outputsByProvider = Map.groupBy(outputs, ([, { provider }]) => provider)
  const equal = outputsByProvider.size > 1 && outputsByProvider.has(undefined) ? outputs : undefined
  const conflict = equal ?? [...outputsByProvider.values()].find(({ length }) => length > 1)
  if (conflict) {
    const names = conflict.map(([name]) => `'${name}'`).join(' and ')
    const hint = `Name the model of each output, which becomes an evaluation of its own: ${conflict
      .map(([name, { provider }], index) => formatEntry(name, 'output', provider ?? `model-${index + 1}`))
      .join(',')}.`
    throw new CommandError(`The output cannot be both ${names}.`, hint, 2)
  }
  return choices
}

function parseEntries(text: string): Map<string, ColumnChoice> {
  const choices = new Map<string, ColumnChoice>()
  for (ENTRY.lastIndex = 0; ENTRY.lastIndex < text.length; ) {
    const start = ENTRY.lastIndex
    const match = ENTRY.exec(text)
    if (!match) throw new CommandError(`The column map is not valid at '${text.slice(start)}'.`, EXAMPLE, 2)
    const [, quotedName, plainName, role = '', quotedProvider, plainProvider, quotedKey, plainKey, type] =
      match
    const name = unquote(quotedName) ?? plainName ?? ''
    const choice = checkChoice(name, role, unquote(quotedKey) ?? plainKey?.trim(), type)
    addChoice(choices, name, { ...choice, provider: unquote(quotedProvider) ?? plainProvider?.trim() })
  }
  return choices
}

function unquote(text: string | undefined): string | undefined {
  return text?.replaceAll('""', '"')
}

function checkChoice(
  name: string,
  role: string,
  key: string | undefined,
  type: string | undefined,
): ColumnChoice {
  if (!isRole(role))
    throw new CommandError(
      `The column '${name}' cannot have the role '${role}'.`,
      `Use one of ${COLUMN_ROLES.join(', ')}.`,
      2,
    )
  const types = VALUE_TYPES[role] ?? []
  if (type !== undefined && !types.includes(type))
    throw new CommandError(
      `The column '${name}' with the role ${role} cannot have the type '${type}'.`,
      types.length > 0 ? `Use one of ${types.join(', ')}.` : `The role ${role} has no types.`,
      2,
    )
  return { role, key, type }
}

function isRole(role: string): role is ColumnRole {
  return COLUMN_ROLES.some((known) => known === role)
}

function addChoice(choices: Map<string, ColumnChoice>, name: string, choice: ColumnChoice): void {
  const other = choices.get(name)
  const isContradiction = other && (other.role !== choice.role || (choice.key ?? other.key) !== other.key)
  if (isContradiction)
    throw new CommandError(
      `The column '${name}' cannot be both ${describe(other)} and ${describe(choice)}.`,
      'Give each column one role.',
      2,
    )
  if (!other) choices.set(name, choice)
}

function describe({ role, key }: ColumnChoice): string {
  return key === undefined ? role : `${role}.${key}`
}

/** The entry of a column map, for suggestions. */
export function formatEntry(name: string, role: ColumnRole, provider?: string | null): string {
  const quoted = /[",=]|^\s|\s$/.test(name) ? quote(name) : name
  if (provider === undefined || provider === null) return `${quoted}=${role}`
  return `${quoted}=${role}/${/^[\w-]+$/.test(provider) ? provider : quote(provider)}`
}

function quote(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}
