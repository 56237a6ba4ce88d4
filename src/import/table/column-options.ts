// Reads the roles of columns from options: one map, and a list of names per role.
import { CommandError } from '../../errors.ts'
import { COLUMN_ROLES, type ColumnRole } from '../../schema/imports.ts'
import type { ColumnOptions } from '../importer.ts'
import { type ColumnChoice, VALUE_TYPES } from './columns.ts'

const EXAMPLE =
  'Write COLUMN=ROLE[/PROVIDER][.KEY][:TYPE], for example answer=output,correct=score:bool,latency_ms=latency:ms.'
/** A name or a key. One with special characters is written in double quotes. */
const QUOTED = '"((?:[^"]|"")*)"'
const ENTRY = new RegExp(
  String.raw`\s*(?:${QUOTED}|([^",=][^,=]*?))\s*=\s*([^",.:/\s]+)(?:/(?:${QUOTED}|([^",.:/]+?)))?(?:\.(?:${QUOTED}|([^",:]+?)))?(?::([^",.:\s]+))?\s*(?:,|$)`,
  'y',
)

/** The roles by column name. Throws CommandError if options are invalid or contradict each other. */
export function parseColumnOptions(options: ColumnOptions): Map<string, ColumnChoice> {
  const choices = parseMap(options.map ?? '')
  for (const role of ['input', 'output', 'expected', 'score', 'extra'] as const)
    for (const name of options[role]) addChoice(choices, name, { role })
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

/** Whether an option assigns a role. */
export function hasColumnOptions({ map, ...lists }: ColumnOptions): boolean {
  return map !== undefined || Object.values(lists).some((names) => names.length > 0)
}

function parseMap(text: string): Map<string, ColumnChoice> {
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
