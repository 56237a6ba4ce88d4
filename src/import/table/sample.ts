// Statistics about the values of a table, from which the roles and types of columns are detected.
import type { RecordLimits } from '../../json/records.ts'
import { Json } from '../../json/value.ts'
import { truncate } from '../../schema/validation/truncate.ts'
import { isErrorCell, isMissing, isNoError, parseBooleanWord } from './cells.ts'
import { VERDICT_WORDS } from './name-lists.ts'
import { guessCommas, parseDecimal, parseMeasurement, parseRating } from './numbers.ts'
import { type ProviderSample, ProviderSamples, shortText, textOf } from './providers.ts'
import type { TableReader, TableValue } from './rows.ts'

/** All values of the first rows count, and of later rows the first values of columns that had none or few before. */
export const FIRST_ROWS = 1000
const FIRST_CHARACTERS = 1_000_000
const LATER_VALUES = 100
const MAX_EXAMPLES = 3
const MAX_EXAMPLE_CHARACTERS = 200

/** Counts the values of one column. Empty cells and words for missing values are not counted. */
export class ColumnSample {
  readonly examples: string[] = []
  /** The row of the first value, counted from 0. Undefined if there is none. */
  firstRow: number | undefined
  count = 0
  numberCount = 0
  integerCount = 0
  /** Numbers with a percent sign. */
  percentCount = 0
  /** Numbers with a comma; such as `1,500`, where it can separate decimals or thousands; such as `1,500.5`. */
  commaCount = 0
  ambiguousCommaCount = 0
  groupedCount = 0
  /** Other numbers with a decimal point. */
  pointCount = 0
  /** Values such as `4/5`, and their scales. */
  ratingCount = 0
  readonly scales = new Set<string>()
  /** Values such as true, yes, pass or 1. */
  booleanCount = 0
  /** Values such as pass or incorrect, which are verdicts whatever the name of the column is. */
  verdictCount = 0
  /** Values such as `ERROR`, which say that there is no score. */
  errorCount = 0
  /** Values such as `OK`, which mean that nothing failed. */
  noErrorCount = 0
  /** Arrays and objects. */
  nestedCount = 0
  /** Numbers with a unit of money or time, such as `$0.01` or `850ms`. */
  costCount = 0
  latencyCount = 0
  /** Words for missing values. */
  missingWordCount = 0
  min = Infinity
  max = -Infinity
  /** The maximum of the numbers without a percent sign. */
  maxPlain = -Infinity
  maxLength = 0
  hasLineBreaks = false
  hasDuplicates = false
  readonly #texts = new Set<string>()
  /** By row. Rows without a value are missing. */
  readonly #rowTexts = new Map<number, string>()

  get distinctCount(): number {
    return this.#texts.size
  }

  /** Whether two rows have the same value in this column, and the same values in the other ones. */
  hasDuplicatesWith(others: readonly ColumnSample[]): boolean {
    const keys = Array.from(this.#rowTexts, ([row, text]) =>
      JSON.stringify([text, ...others.map((other) => other.#rowTexts.get(row))]),
    )
    return new Set(keys).size < keys.length
  }

  add(value: TableValue, row: number): void {
    const text = textOf(value)
    if (text !== '' && this.examples.length < MAX_EXAMPLES)
      this.examples.push(truncate(text, MAX_EXAMPLE_CHARACTERS - 1))
    if (isMissing(text)) {
      if (text !== '') this.missingWordCount += 1
      return
    }
    this.count += 1
    this.firstRow ??= row
    const key = shortText(text)
    this.#rowTexts.set(row, key)
    this.maxLength = Math.max(this.maxLength, text.length)
    this.hasLineBreaks ||= text.includes('\n')
    if (this.#texts.has(key)) this.hasDuplicates = true
    else this.#texts.add(key)
    if (value instanceof Json && (value.isObject || value.isArray)) this.nestedCount += 1
    if (parseBooleanWord(text) !== undefined) this.booleanCount += 1
    if (VERDICT_WORDS.includes(text.toLowerCase())) this.verdictCount += 1
    if (isErrorCell(text)) this.errorCount += 1
    if (isNoError(text)) this.noErrorCount += 1
    const digits = text.replace(/\s*%$/, '')
    const number = parseDecimal(
      digits,
      digits.includes(',') ? (guessCommas(digits) ?? 'decimal') : null,
    )?.number
    if (number !== undefined) this.#addNumber(text, digits, number)
    else if (parseMeasurement(text, 'cost', null)) this.costCount += 1
    else if (parseMeasurement(text, 'latency', null)) this.latencyCount += 1
    else this.#addRating(text)
  }

  #addNumber(text: string, digits: string, number: number): void {
    this.numberCount += 1
    if (Number.isInteger(number)) this.integerCount += 1
    this.min = Math.min(this.min, number)
    this.max = Math.max(this.max, number)
    if (digits !== text) this.percentCount += 1
    else this.maxPlain = Math.max(this.maxPlain, number)
    if (!digits.includes(',')) {
      if (digits.includes('.')) this.pointCount += 1
      return
    }
    this.commaCount += 1
    const commas = guessCommas(digits)
    if (commas === null) this.ambiguousCommaCount += 1
    else if (commas === 'thousands') this.groupedCount += 1
  }

  #addRating(text: string): void {
    const rating = parseRating(text)
    if (!rating) return
    this.ratingCount += 1
    if (this.scales.size < 2) this.scales.add(rating.scale.text)
  }
}

/** Only names, for files whose rows were not read. */
export function sampleOfNames(names: readonly string[]): TableSample {
  return {
    columns: new Map(names.map((name) => [name, new ColumnSample()])),
    rowCount: 0,
    providers: new Map(),
  }
}

export interface TableSample {
  columns: ReadonlyMap<string, ColumnSample>
  rowCount: number
  /** The values of columns that can name what was compared, in the whole file. */
  providers: ReadonlyMap<string, ProviderSample>
  /** Why the columns cannot be listed. */
  problem?: string
}

/**
 * Reads the rows, as far as roles depend on them. Columns can first occur, or have their first value, anywhere in the file.
 * Memory does not grow with the number of rows. Problems of rows are reported when they are read again.
 */
export async function sampleTable(
  reader: TableReader,
  { members }: RecordLimits,
  mappedProviders: readonly string[],
): Promise<TableSample> {
  const columns = new Map<string, ColumnSample>()
  const usedNames = new Set<string>()
  for (const name of reader.names ?? []) columns.set(name, new ColumnSample())
  const providers = new ProviderSamples(mappedProviders)
  let [rowCount, characters, isComplete] = [0, 0, false]
  for await (const row of reader.rows()) {
    if (row.kind !== 'row') continue
    const isFirst = rowCount < FIRST_ROWS && characters <= FIRST_CHARACTERS
    const values = [...row.values]
    for (const [name, value] of values) {
      usedNames.add(name)
      let column = columns.get(name)
      if (!column) {
        column = new ColumnSample()
        columns.set(name, column)
      }
      if (isFirst || column.count < LATER_VALUES) column.add(value, rowCount)
      characters += typeof value === 'string' ? value.length : value.text.length
    }
    providers.add(values)
    rowCount += 1
    if (columns.size > members) {
      const problem = `The records have more than ${members} different members. Put data such as ids into values.`
      return { columns: new Map(), rowCount, providers: new Map(), problem }
    }
    // The names of a header are complete. Only columns with few values need more rows.
    if (reader.names === undefined || isFirst || !providers.areEmpty) continue
    isComplete ||= [...columns.values()].every(({ count }) => count >= LATER_VALUES)
    if (isComplete) break
  }
  // Columns whose values were replaced by others.
  if (rowCount > 0) for (const name of columns.keys()) if (!usedNames.has(name)) columns.delete(name)
  return { columns, rowCount, providers: providers.samples }
}
