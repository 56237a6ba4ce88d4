// Decides the role of every column of a table: from options, from a preset, or from names and values.
import type { ImportColumn } from '../../schema/imports.ts'
import { formatEntry } from './column-options.ts'
import { type Column, type ColumnChoice, createColumn, explicitRole, quoteList } from './columns.ts'
import { type DetectedColumns, detectColumns } from './detect-columns.ts'
import type { TableSample } from './sample.ts'

/** The roles that a preset gives to columns. It receives all names that are known so far. */
export type PresetColumns = (names: readonly string[]) => ReadonlyMap<string, ColumnChoice>

export class TableMapping {
  readonly #sample: TableSample
  readonly #options: ReadonlyMap<string, ColumnChoice>
  readonly #presetColumns: PresetColumns
  readonly #columns = new Map<string, Column>()
  readonly #detected: DetectedColumns
  /** Whether rows with the same id are repetitions of a sample. The first rows can be of one repetition. */
  readonly repeatsIds: boolean

  constructor(sample: TableSample, options: ReadonlyMap<string, ColumnChoice>, presetColumns: PresetColumns) {
    this.#sample = sample
    this.#options = options
    this.#presetColumns = presetColumns
    const names = [...sample.columns.keys()]
    const preset = presetColumns(names)
    for (const name of names) {
      const option = options.get(name)
      const choice = option ?? preset.get(name)
      if (choice) this.#columns.set(name, createColumn(name, choice, option ? 'option' : 'preset'))
    }
    this.#detected = detectColumns(sample, this.#columns)
    // The order of the file, not of the decisions.
    this.#columns.clear()
    for (const column of this.#detected.columns) this.#columns.set(column.name, column)
    this.repeatsIds = this.#hasRepeatedIds()
  }

  /** The columns found so far. */
  get columns(): Column[] {
    return [...this.#columns.values()]
  }

  #hasRepeatedIds(): boolean {
    const [id, repetition] = (['id', 'repetition'] as const).map((role) => {
      const column = this.columns.find((column) => column.role === role)
      return column && this.#sample.columns.get(column.name)
    })
    return id !== undefined && repetition !== undefined && (id.hasDuplicates || repetition.distinctCount <= 1)
  }

  /** The columns with examples, for the report. */
  describe(): ImportColumn[] {
    return this.columns.map(({ commas: _, hasPercentages: __, ...column }) => ({
      ...column,
      examples: this.#sample.columns.get(column.name)?.examples ?? [],
    }))
  }

  /** A column that did not occur in the first rows gets its role from its name alone. */
  get(name: string): Column {
    let column = this.#columns.get(name)
    if (!column) {
      column = this.#createLateColumn(name)
      this.#columns.set(name, column)
    }
    return column
  }

  /** Columns named by options that have not occurred so far. */
  get unusedNames(): string[] {
    return [...this.#options.keys()].filter((name) => !this.#columns.has(name))
  }

  /** Why the table cannot be imported with these roles, or undefined. `names`: the columns that the file declares. */
  findProblem(names: readonly string[] | undefined): string | undefined {
    // The columns of records are known only at the end.
    if (names && this.unusedNames.length > 0)
      return `There is no column ${quoteList(this.unusedNames)}. The columns are ${quoteList(names)}.`
    const outputs = this.columns.filter(({ role }) => role === 'output').map(({ name }) => name)
    if (outputs.length > 1) return describeSeveralOutputs(outputs)
    return outputs.length === 0 && !this.#isCompleteWithoutOutput ? this.#describeMissingOutput() : undefined
  }

  /** What a person should know about the roles. */
  *notes(): Generator<string> {
    for (const name of this.#detected.repeatedIds)
      yield `The values of the column '${name}' repeat, so they are not the ids of rows. Rows get their number as id.`
    for (const { name, role, type } of this.columns)
      if (role === 'score' && type === null && (this.#sample.columns.get(name)?.commaCount ?? 0) > 0)
        yield `The commas in the numbers of the column '${name}' can separate decimals or thousands, so they were stored as text.`
    for (const { name, role, type, origin } of this.columns)
      if (role === 'latency' && type === null && origin === 'name' && this.#hasLargeIntegers(name))
        yield `The values of the column '${name}' were read as seconds. If they are milliseconds: ${suggestMap(`${formatEntry(name, 'latency')}:ms`)}`
    if (this.columns.length > 0 && !this.columns.some(({ role }) => role === 'score'))
      yield `No column has the role score, so the evaluation has no results. To choose one: ${suggestMap('COLUMN=score')}`
  }

  #hasLargeIntegers(name: string): boolean {
    const { count = 0, integerCount = 0, max = 0 } = this.#sample.columns.get(name) ?? {}
    return count > 0 && integerCount === count && max > 100
  }

  /** Whether each column has its own meaning, so that none of them can be the output: errors and explicit names. */
  get #isCompleteWithoutOutput(): boolean {
    const { columns } = this
    if (columns.some(({ role }) => role === 'error'))
      return columns.every(({ origin }) => origin !== 'default')
    return columns.every(
      ({ name, origin }) => explicitRole(name) || origin === 'option' || origin === 'preset',
    )
  }

  #describeMissingOutput(): string {
    const { possibleOutputs } = this.#detected
    const [first, second] = possibleOutputs
    if (first !== undefined && second !== undefined)
      return `Several columns can be the output: ${quoteList(possibleOutputs)}. Choose one: ${suggestMap(formatEntry(first, 'output'))}`
    const candidate = this.#findLikelyOutput()
    return candidate === undefined
      ? `No column has the role output. Choose one: ${suggestMap('COLUMN=output')} To import results without outputs, give every column a role.`
      : `No column has the role output. If '${candidate}' contains the output: ${suggestMap(formatEntry(candidate, 'output'))}`
  }

  /** An unrecognized column with the longest text. The first column is rarely the output. */
  #findLikelyOutput(): string | undefined {
    const textLength = ({ name }: Column) => {
      const {
        count = 0,
        numberCount = 0,
        booleanCount = 0,
        maxLength = 0,
      } = this.#sample.columns.get(name) ?? {}
      return numberCount === count || booleanCount === count ? 0 : maxLength
    }
    const [, ...others] = this.columns
    const unknown = others.filter(({ origin }) => origin === 'default')
    const known = others.filter(({ role }) => role === 'input' || role === 'expected')
    const hasText = (column: Column) => textLength(column) > 0
    const candidates = unknown.some(hasText) ? unknown : known.filter(hasText)
    return candidates.toSorted((a, b) => textLength(b) - textLength(a))[0]?.name
  }

  #createLateColumn(name: string): Column {
    const option = this.#options.get(name)
    if (option) return createColumn(name, option, 'option')
    const preset = this.#presetColumns([...this.#columns.keys(), name]).get(name)
    if (preset) return createColumn(name, preset, 'preset')
    const role = explicitRole(name)
    return createColumn(name, { role: role ?? 'input' }, role ? 'name' : 'default')
  }
}

export function describeSeveralOutputs(names: readonly string[]): string {
  return `Several columns have the role output: ${quoteList(names)}. Give the others another role: ${suggestMap(formatEntry(names[1] ?? '', 'extra'))}`
}

/** The option that maps a column, as a shell reads it. */
function suggestMap(entry: string): string {
  return `--map '${entry.replaceAll("'", "'\\''")}'.`
}
