// Decides the role of every column of a table: from options, from a preset, or from names and values.
import { UnreadableFile } from '../../errors.ts'
import type { ImportColumn } from '../../schema/imports.ts'
import { quoteNames } from '../../schema/validation/truncate.ts'
import { meaningOf } from './column-names.ts'
import { type Column, type ColumnChoice, createColumn, explicitRole, formatEntry } from './columns.ts'
import { type DetectedColumns, detectColumns } from './detect-columns.ts'
import { MAX_PROVIDERS, type ProviderSample } from './providers.ts'
import { FIRST_ROWS, type TableSample } from './sample.ts'

/** The roles that a preset gives to columns. It receives all names that are known so far. */
export type PresetColumns = (names: readonly string[]) => ReadonlyMap<string, ColumnChoice>

/** A note lists so many models. */
const MAX_LISTED = 5
/** In seconds. Longer latencies are often milliseconds. */
const LONG_LATENCY = 20

export class TableMapping {
  readonly #sample: TableSample
  readonly #options: ReadonlyMap<string, ColumnChoice>
  readonly #columns = new Map<string, Column>()
  readonly #detected: DetectedColumns
  /** Whether rows with the same id are repetitions of a sample. The first rows can be of one repetition. */
  readonly repeatsIds: boolean

  constructor(sample: TableSample, options: ReadonlyMap<string, ColumnChoice>, presetColumns: PresetColumns) {
    this.#sample = sample
    this.#options = options
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

  /** Throws UnreadableFile if the column did not exist when the file was examined. */
  get(name: string): Column {
    const column = this.#columns.get(name)
    if (!column) throw new UnreadableFile('The file changed while it was being read. Import it again.')
    return column
  }

  /** The models or providers of the file. Each is an evaluation of its own. Empty if columns name none. */
  get providers(): readonly string[] {
    const { members } = this.#detected
    if (members) return members.chosen === undefined ? members.providers : []
    return this.#rowProviders?.values ?? []
  }

  /** The column with the model of each row, with its values. */
  get #rowProviders(): ProviderSample | undefined {
    const column = this.columns.find(({ role }) => role === 'provider')
    return column && this.#sample.providers.get(column.name)
  }

  /** The index of the model that a row names. Undefined if it names none. */
  providerIndex(text: string): number | undefined {
    return this.#rowProviders?.indexOf(text)
  }

  /** Columns named by options that have not occurred so far. */
  get unusedNames(): string[] {
    return [...this.#options.keys()].filter((name) => !this.#columns.has(name))
  }

  /** Why the table cannot be imported with these roles, or undefined. `names`: the columns that the file declares. */
  findProblem(names: readonly string[] | undefined): string | undefined {
    if (this.unusedNames.length > 0)
      return names
        ? `There is no column ${quoteNames(this.unusedNames)}. The columns are ${quoteNames(names)}.`
        : `No record has a member ${quoteNames(this.unusedNames)}.`
    const outputs = this.columns.filter(({ role }) => role === 'output')
    const byProvider = Map.groupBy(outputs, ({ provider }) => provider)
    for (const equal of byProvider.values())
      if (equal.length > 1) return describeSeveralOutputs(equal.map(({ name }) => name))
    const rowProviders = this.#rowProviders
    if (rowProviders && rowProviders.values.length > MAX_PROVIDERS)
      return `The column with the role provider has more than ${MAX_PROVIDERS} different values. Give it another role.`
    return outputs.length === 0 && !this.#isCompleteWithoutOutput ? this.#describeMissingOutput() : undefined
  }

  /** What a person should know about the roles. */
  *notes(): Generator<string> {
    for (const name of this.#detected.repeatedIds)
      yield `The values of the column '${name}' repeat, so they are not the ids of rows. Rows get their number as id.`
    for (const { name, role, type } of this.columns)
      if (role === 'score' && type === null && (this.#sample.columns.get(name)?.commaCount ?? 0) > 0)
        yield `The commas in the numbers of the column '${name}' can separate decimals or thousands, so they were stored as text.`
    yield* this.#providerNotes()
    for (const column of this.columns) yield* this.#valueNotes(column)
    if (this.columns.length > 0 && !this.columns.some(({ role }) => role === 'score'))
      yield `No column has the role score, so the evaluation has no results. To choose one: ${suggestMap('COLUMN=score')}`
  }

  *#providerNotes(): Generator<string> {
    const { providers } = this
    const { members, unassigned } = this.#detected
    const models = quoteNames(providers.slice(0, MAX_LISTED))
    const more = providers.length > MAX_LISTED ? ` and ${providers.length - MAX_LISTED} more` : ''
    if (providers.length > 1)
      yield `The table has the results of ${providers.length} models (${models}${more}). Each became an evaluation of its own.`
    if (members?.chosen !== undefined)
      yield `The columns of other models than '${members.chosen}' were stored in extra. Without a map, each model becomes an evaluation of its own.`
    for (const name of unassigned)
      yield `The column '${name}' names none of the models and was stored in extra. If it belongs to one: ${suggestMap(formatEntry(name, meaningOf(name)?.role ?? 'score', providers[0]))}`
    for (const { name, role, origin } of this.columns) {
      const { values = [] } = this.#sample.providers.get(name) ?? {}
      if (role === 'provider' || origin === 'option' || values.length < 2) continue
      if (members || this.#rowProviders || meaningOf(name)?.needsPairs) continue
      yield `The column '${name}' has several values, and the evaluation contains the rows of all. To import one evaluation per value: ${suggestMap(formatEntry(name, 'provider'))}`
    }
  }

  /** What was assumed about the values of a column. */
  *#valueNotes({ name, role, type, provider, origin }: Column): Generator<string> {
    const sample = this.#sample.columns.get(name)
    if (!sample || origin === 'option' || origin === 'preset') return
    const { count, min, max, firstRow = 0 } = sample
    if (firstRow >= FIRST_ROWS)
      yield `The first value of the column '${name}' is in row ${firstRow + 1}. It was read as ${role}${type === null ? '' : ` (${type})`}.`
    const isGuessed = role === 'latency' && meaningOf(name)?.unit === undefined && count > 0
    if (isGuessed && type === 'ms')
      yield `The values of the column '${name}', ${min} to ${max}, were read as milliseconds. If they are seconds: ${suggestMap(`${formatEntry(name, 'latency', provider)}:s`)}`
    else if (isGuessed && max >= LONG_LATENCY)
      yield `The values of the column '${name}', ${min} to ${max}, were read as seconds. If they are milliseconds: ${suggestMap(`${formatEntry(name, 'latency', provider)}:ms`)}`
    if (role === 'extra' && meaningOf(name)?.role === 'error' && origin === 'values')
      yield `The values of the column '${name}', such as '${sample.examples[0]}', are not error messages, so they were stored in extra. If they mean that the application failed: ${suggestMap(formatEntry(name, 'error', provider))}`
    if (role !== 'score' || type !== 'text') return
    if (sample.booleanCount * 2 > count)
      yield `The column '${name}' has ${count - sample.booleanCount} values that are not true or false, so it was stored as text. Without them, the evaluation has a pass rate for it.`
    if (sample.ratingCount * 2 > count && sample.scales.size > 1)
      yield `The ratings of the column '${name}' have different scales, so they were stored as text.`
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
      return `Several columns can be the output: ${quoteNames(possibleOutputs)}. Choose one: ${suggestMap(formatEntry(first, 'output'))} To import each as an evaluation of its own: ${suggestMap(possibleOutputs.map((name) => formatEntry(name, 'output', name)).join(','))}`
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
        nestedCount = 0,
      } = this.#sample.columns.get(name) ?? {}
      return numberCount === count || booleanCount === count || nestedCount > 0 ? 0 : maxLength
    }
    const [, ...others] = this.columns
    const unknown = others.filter(({ origin }) => origin === 'default')
    const known = others.filter(({ role }) => role === 'input' || role === 'expected')
    const hasText = (column: Column) => textLength(column) > 0
    const candidates = unknown.some(hasText) ? unknown : known.filter(hasText)
    return candidates.toSorted((a, b) => textLength(b) - textLength(a))[0]?.name
  }
}

export function describeSeveralOutputs(names: readonly string[]): string {
  return `Several columns have the role output: ${quoteNames(names)}. Give the others another role: ${suggestMap(formatEntry(names[1] ?? '', 'extra'))}`
}

/** The option that maps a column, as a shell reads it. */
function suggestMap(entry: string): string {
  return `--map '${entry.replaceAll("'", "'\\''")}'.`
}
