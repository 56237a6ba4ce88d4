// Column tables: how the members of a resource are stored. SQL statements, JSON and comparisons derive from them.
import { toStorableText } from '../../json/storable-text.ts'
import { normalizeTime } from '../../schema/times.ts'
import type { ParsedValue } from '../../schema/validation/parsed-value.ts'
import type { Value } from '../dialect/dialect.ts'

/** A column that requests can write. It is null if the member is null or was not sent, unless it has a default. */
type WrittenColumn =
  /** Characters that cannot be stored are replaced. */
  | 'text'
  /** An integer or a double. */
  | 'number'
  /** Normalized to UTC with milliseconds. Null leaves it unchanged. */
  | 'time'
  /** The exact JSON text that was sent. */
  | 'json'
  /** The exact JSON text of an array. Default: an empty array. */
  | 'list'
  /** A text. Default: `finished`. */
  | 'status'

type ReadOnlyColumn =
  /** A number that the store updates. */
  | 'count'
  /** When the store last updated the resource. */
  | 'update time'
  /** An SQL expression. */
  | { computed: string }
  /** Not stored with the resource: computed and added only on request. */
  | 'on request'

type Column = WrittenColumn | ReadOnlyColumn

/** The columns that can store a value. None of them can store a boolean. */
type ColumnFor<Member> = Member extends string
  ? 'text' | 'time' | 'status'
  : Member extends number
    ? 'number'
    : Member extends boolean
      ? never
      : Member extends string[]
        ? 'list'
        : 'json'

/**
 * One entry for each member, in the order of the JSON. Use it with `satisfies`: a member of the schema without an entry
 * does not compile, and neither does an entry without a member.
 */
export type ColumnTable<Resource, Write> = {
  readonly [Name in keyof Resource | keyof Write]-?: Name extends keyof Write
    ? ColumnFor<NonNullable<Write[Name]>>
    : ReadOnlyColumn
}

export type Columns = Readonly<Record<string, Column>>

export type Row = Record<string, Value>

/** The names of the members that requests can write. */
function writtenMembers(columns: Columns): string[] {
  return Object.keys(columns).filter((name) =>
    ['text', 'number', 'time', 'json', 'list', 'status'].includes(columns[name] as string),
  )
}

/** The names of the members that are part of every response. */
export function storedMembers(columns: Columns): string[] {
  return Object.keys(columns).filter((name) => columns[name] !== 'on request')
}

/** SQL: the list of columns of a SELECT. */
export function selectColumns(columns: Columns): string {
  return storedMembers(columns)
    .map((name) => {
      const column = columns[name]
      return typeof column === 'object' ? `${column.computed} AS ${name}` : name
    })
    .join(', ')
}

/** The members of a row as a JSON object. */
export function serializeRow(columns: Columns, row: Row, names = storedMembers(columns)): string {
  let members = ''
  for (const name of names) {
    const value = row[name]
    // JSON texts and numbers are inserted as they are. This is faster than one JSON.stringify for each value.
    const isText = typeof value === 'string' && !isJson(columns[name])
    members += `,"${name}":${isText ? JSON.stringify(value) : value}`
  }
  return `{${members.slice(1)}}`
}

/** The column values of the members that are present. */
export function toRow(columns: Columns, { value, memberTexts }: ParsedValue<object>): Row {
  const members = value as Record<string, unknown>
  const row: Row = {}
  for (const name of writtenMembers(columns)) {
    const column = columns[name] as WrittenColumn
    const stored = toColumnValue(column, isJson(column) ? memberTexts.get(name) : members[name])
    if (stored !== undefined) row[name] = stored ?? DEFAULTS[column] ?? null
  }
  return row
}

const DEFAULTS: Partial<Record<WrittenColumn, string>> = { list: '[]', status: 'finished' }

function isJson(column: Column | undefined): boolean {
  return column === 'json' || column === 'list'
}

function toColumnValue(column: WrittenColumn, member: unknown): Value | undefined {
  if (column === 'time') return normalizeTime((member as string | null | undefined) ?? '')
  if (isJson(column)) return member === 'null' ? null : (member as string | undefined)
  return typeof member === 'string' ? toStorableText(member) : (member as number | null | undefined)
}
