// Determines the role of each table column, from its name or from command-line options.
import { CommandError } from '../../errors.ts'
import type { JsonPreview } from '../../json/detect-shape.ts'
import type { ColumnRoles } from '../importer.ts'

export type Role =
  | 'id'
  | 'input'
  | 'output'
  | 'expected'
  | 'score'
  | 'cost'
  | 'latency'
  | 'error'
  | 'is_pinned'
  | 'note'
  | 'extra'

export interface Column {
  /** The name in the table. */
  name: string
  role: Role
  /** The name of an input, the key of a correct answer, or the evaluator of a score. */
  key: string
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
] satisfies Role[])
/** Every CSV export of Assay has these columns. */
const EXPORT_COLUMNS = ['id', 'output', 'cost', 'latency', 'error', 'is_pinned', 'note']
/** Tables from other tools, whose column names mean something else. */
const OTHER_TOOL_COLUMNS = [
  ['example_id', 'repetition_number'],
  ['doc_id', 'doc'],
  ['run_id', 'data_source_idx'],
  ['run_id', 'datasource_item'],
]

export class Columns {
  readonly #roles = new Map<string, Role>()
  readonly #columns = new Map<string, Column>()

  /** Throws CommandError if options contradict each other. */
  constructor(roles: ColumnRoles) {
    for (const role of ['input', 'output', 'expected', 'score', 'extra'] as const) {
      for (const name of roles[role]) {
        const otherRole = this.#roles.get(name)
        if (otherRole !== undefined && otherRole !== role)
          throw new CommandError(
            `The column '${name}' cannot be both ${otherRole} and ${role}.`,
            'Give each column one role.',
            2,
          )
        this.#roles.set(name, role)
      }
    }
    if (new Set(roles.output).size > 1) {
      const names = roles.output.map((name) => `'${name}'`).join(' and ')
      const hint = 'Import the file once per output, with --evaluation ID and --extra for the other columns.'
      throw new CommandError(`The output cannot be both ${names}.`, hint, 2)
    }
  }

  get(name: string): Column {
    let column = this.#columns.get(name)
    if (!column) {
      column = this.#createColumn(name)
      this.#columns.set(name, column)
    }
    return column
  }

  /** Columns named by options that have not occurred so far. */
  get unusedNames(): string[] {
    return [...this.#roles.keys()].filter((name) => !this.#columns.has(name))
  }

  /** The problem with the columns of a table, or undefined. */
  findProblem(names: readonly string[], limit: number): string | undefined {
    if (names.length > limit) return `The table has ${names.length} columns, more than the limit of ${limit}.`
    const unnamedColumns = names.flatMap((name, index) => (name === '' ? [index + 1] : []))
    if (unnamedColumns.length > 0)
      return `Columns without a name: ${unnamedColumns.join(', ')} of ${names.length}. Give every column a name; in pandas, omit the index with index=False.`
    const seenNames = new Set<string>()
    const duplicates = new Set(names.filter((name) => seenNames.size === seenNames.add(name).size))
    if (duplicates.size > 0) return `Duplicate column names: ${quoteList(duplicates)}.`
    const outputNames = names.filter((name) => this.get(name).role === 'output')
    if (outputNames.length > 1)
      return `Several columns have the role output: ${quoteList(outputNames)}. Give the others another role with --extra NAME or --input NAME.`
    if (this.unusedNames.length > 0)
      return `There is no column ${quoteList(this.unusedNames)}. The columns are ${quoteList(names)}.`
    return undefined
  }

  #createColumn(name: string): Column {
    const role = this.#roles.get(name) ?? roleOf(name)
    const prefix = `${role}.`
    return { name, role, key: name.startsWith(prefix) ? name.slice(prefix.length) : name }
  }
}

/** The role by name alone. Any other name is an input. */
function roleOf(name: string): Role {
  if (ROLE_NAMES.has(name)) return name as Role
  return PREFIX_ROLES.find((role) => name.startsWith(`${role}.`)) ?? 'input'
}

/** Whether the column names look like a table of results: at least one input, and one output, answer, score or error. */
export function isResultsTable(names: readonly string[]): boolean {
  if (OTHER_TOOL_COLUMNS.some((columns) => columns.every((name) => names.includes(name)))) return false
  const roles = new Set(names.map(roleOf))
  const hasOutcome = (['output', 'expected', 'score', 'error'] as const).some((role) => roles.has(role))
  return (hasOutcome && roles.has('input')) || EXPORT_COLUMNS.every((name) => names.includes(name))
}

/** The member names of records that contain only scalar values. Undefined for other records. */
export function flatNames({ paths }: JsonPreview): string[] | undefined {
  const names = [...paths]
  // A name can contain a dot. The path of a nested value begins with another existing path.
  const isNested = (path: string) => {
    for (let dot = path.indexOf('.'); dot !== -1; dot = path.indexOf('.', dot + 1))
      if (paths.has(path.slice(0, dot))) return true
    return false
  }
  return names.length === 0 || names.some(isNested) ? undefined : names
}

export function quoteList(names: Iterable<string>): string {
  return Array.from(names, (name) => `'${name}'`).join(', ')
}
