// What the columns of a table are, by their names or by the flags that say it.
import { CommandError } from '../errors.ts'
import type { Opening } from '../json/opening.ts'
import type { ColumnRoles } from './importer.ts'

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
  /** As the table has it. */
  name: string
  role: Role
  /** Of an input its name, of a correct answer its key, of a score its evaluator. */
  key: string
}

const PREFIXED = ['input', 'expected', 'score'] as const
/** Columns that are what they are called. */
const PLAIN: ReadonlySet<string> = new Set([
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
/** All of these are in what Assay exports. */
const EXPORTED = ['id', 'output', 'cost', 'latency', 'error', 'is_pinned', 'note']
/** Tables of other tools, in which columns mean other things than their names say. */
const OTHERS = [
  ['example_id', 'repetition_number'],
  ['doc_id', 'doc'],
  ['run_id', 'data_source_idx'],
  ['run_id', 'datasource_item'],
]

export class Columns {
  readonly #named = new Map<string, Role>()
  readonly #columns = new Map<string, Column>()

  /** Throws CommandError where flags contradict each other. */
  constructor(roles: ColumnRoles) {
    for (const role of ['input', 'output', 'expected', 'score', 'extra'] as const) {
      for (const name of roles[role]) {
        const other = this.#named.get(name)
        if (other !== undefined && other !== role)
          throw new CommandError(
            `The column '${name}' cannot be both ${other} and ${role}.`,
            'Name it once.',
            2,
          )
        this.#named.set(name, role)
      }
    }
    if (new Set(roles.output).size > 1) {
      const names = roles.output.map((name) => `'${name}'`).join(' and ')
      const hint = 'Import the file once for each, with --evaluation ID and --extra for the others.'
      throw new CommandError(`The output cannot be both ${names}.`, hint, 2)
    }
  }

  of(name: string): Column {
    let column = this.#columns.get(name)
    if (!column) {
      column = this.#find(name)
      this.#columns.set(name, column)
    }
    return column
  }

  /** Columns that flags name and that were not asked for so far. */
  get unseen(): string[] {
    return [...this.#named.keys()].filter((name) => !this.#columns.has(name))
  }

  /** What is wrong with the columns of a table; undefined where nothing is. */
  problem(names: readonly string[], most: number): string | undefined {
    if (names.length > most) return `There are ${names.length} columns, more than ${most}.`
    const unnamed = names.flatMap((name, index) => (name === '' ? [index + 1] : []))
    if (unnamed.length > 0)
      return `Columns without a name: ${unnamed.join(', ')} of ${names.length}. Every column needs one; pandas leaves out its index with index=False.`
    const seen = new Set<string>()
    const twice = new Set(names.filter((name) => seen.size === seen.add(name).size))
    if (twice.size > 0) return `Columns that are there more than once: ${quoted(twice)}.`
    const outputs = names.filter((name) => this.of(name).role === 'output')
    if (outputs.length > 1)
      return `More than one column is the output: ${quoted(outputs)}. --extra NAME or --input NAME says what the others are.`
    if (this.unseen.length > 0)
      return `There is no column ${quoted(this.unseen)}. The columns are ${quoted(names)}.`
    return undefined
  }

  #find(name: string): Column {
    const role = this.#named.get(name) ?? roleOf(name)
    const prefix = `${role}.`
    return { name, role, key: name.startsWith(prefix) ? name.slice(prefix.length) : name }
  }
}

/** By its name alone. What has none of the names is an input. */
function roleOf(name: string): Role {
  if (PLAIN.has(name)) return name as Role
  return PREFIXED.find((role) => name.startsWith(`${role}.`)) ?? 'input'
}

/** Whether names say that this is a table of results: something that went in, and something that came out. */
export function fits(names: readonly string[]): boolean {
  if (OTHERS.some((telling) => telling.every((name) => names.includes(name)))) return false
  const roles = new Set(names.map(roleOf))
  const cameOut = (['output', 'expected', 'score', 'error'] as const).some((role) => roles.has(role))
  return (cameOut && roles.has('input')) || EXPORTED.every((name) => names.includes(name))
}

/** The names of the members of records that hold nothing but plain values; undefined of others. */
export function flatNames({ paths }: Opening): string[] | undefined {
  const names = [...paths]
  // A name may hold a dot itself; that of something inside begins with a name that is there too.
  const isInside = (path: string) => {
    for (let dot = path.indexOf('.'); dot !== -1; dot = path.indexOf('.', dot + 1))
      if (paths.has(path.slice(0, dot))) return true
    return false
  }
  return names.length === 0 || names.some(isInside) ? undefined : names
}

export function quoted(names: Iterable<string>): string {
  return Array.from(names, (name) => `'${name}'`).join(', ')
}
