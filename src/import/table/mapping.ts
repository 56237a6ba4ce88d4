// Decides the role of every column of a table: from options, from a preset, or from names and values.
import type { ImportColumn } from '../../schema/imports.ts'
import { type Column, type ColumnChoice, createColumn, explicitRole, quoteList } from './columns.ts'
import { detectColumns } from './detect-columns.ts'
import type { TableSample } from './sample.ts'

/** The roles that a preset gives to columns. It receives all names that are known so far. */
export type PresetColumns = (names: readonly string[]) => ReadonlyMap<string, ColumnChoice>

export class TableMapping {
  readonly #sample: TableSample
  readonly #options: ReadonlyMap<string, ColumnChoice>
  readonly #presetColumns: PresetColumns
  readonly #columns = new Map<string, Column>()

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
    const detected = detectColumns(sample, this.#columns)
    // The order of the file, not of the decisions.
    this.#columns.clear()
    for (const column of detected) this.#columns.set(column.name, column)
  }

  /** The columns found so far. */
  get columns(): Column[] {
    return [...this.#columns.values()]
  }

  /** The columns with examples, for the report. */
  describe(): ImportColumn[] {
    return this.columns.map(({ hasDecimalCommas: _, ...column }) => ({
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

  get outputNames(): string[] {
    return this.columns.filter(({ role }) => role === 'output').map(({ name }) => name)
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
  return `Several columns have the role output: ${quoteList(names)}. Give the others another role with the option map, for example ${names[1]}=extra.`
}
