// Statistics about the values in the first rows of a table, from which the roles and types of columns are detected.
import { Json } from '../../json/value.ts'
import { truncate } from '../../schema/validation/truncate.ts'
import { isMissing, parseBooleanWord } from './cells.ts'
import { guessCommas, parseDecimal, parseMeasurement } from './numbers.ts'
import type { ReadOptions, TableReader, TableValue } from './rows.ts'

const MAX_ROWS = 1000
const MAX_CHARACTERS = 1_000_000
const MAX_EXAMPLES = 3
const MAX_EXAMPLE_CHARACTERS = 200

/** Counts the values of one column. Empty cells and words for missing values are not counted. */
export class ColumnSample {
  readonly examples: string[] = []
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
  /** Values such as true, yes, pass or 1. */
  booleanCount = 0
  /** Values such as pass or incorrect, which are verdicts whatever the name of the column is. */
  verdictCount = 0
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

  /** Whether two rows have the same value in this column, and the same value in the other one. */
  hasDuplicatesWith(other: ColumnSample): boolean {
    const pairs = Array.from(this.#rowTexts, ([row, text]) =>
      JSON.stringify([text, other.#rowTexts.get(row)]),
    )
    return new Set(pairs).size < pairs.length
  }

  add(value: TableValue, row: number): void {
    const text = (typeof value === 'string' ? value : value.isNull ? '' : value.plain).trim()
    if (text !== '' && this.examples.length < MAX_EXAMPLES)
      this.examples.push(truncate(text, MAX_EXAMPLE_CHARACTERS - 1))
    if (isMissing(text)) {
      if (text !== '') this.missingWordCount += 1
      return
    }
    this.count += 1
    this.#rowTexts.set(row, text)
    this.maxLength = Math.max(this.maxLength, text.length)
    this.hasLineBreaks ||= text.includes('\n')
    if (this.#texts.has(text)) this.hasDuplicates = true
    else this.#texts.add(text)
    if (value instanceof Json && (value.isObject || value.isArray)) this.nestedCount += 1
    if (parseBooleanWord(text) !== undefined) this.booleanCount += 1
    if (/^(pass|passed|fail|failed|correct|incorrect|wrong)$/i.test(text)) this.verdictCount += 1
    const digits = text.replace(/\s*%$/, '')
    const number = parseDecimal(
      digits,
      digits.includes(',') ? (guessCommas(digits) ?? 'decimal') : null,
    )?.number
    if (number !== undefined) this.#addNumber(text, digits, number)
    else if (parseMeasurement(text, 'cost', null)) this.costCount += 1
    else if (parseMeasurement(text, 'latency', null)) this.latencyCount += 1
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
}

/** Only names, for files whose rows were not read. */
export function sampleOfNames(names: readonly string[]): TableSample {
  return { columns: new Map(names.map((name) => [name, new ColumnSample()])), rowCount: 0 }
}

export interface TableSample {
  columns: ReadonlyMap<string, ColumnSample>
  rowCount: number
}

/** Reads the first rows. Their problems are reported when all rows are read. */
export async function sampleTable(reader: TableReader, { limits }: ReadOptions): Promise<TableSample> {
  const columns = new Map<string, ColumnSample>()
  for (const name of reader.names ?? []) columns.set(name, new ColumnSample())
  let [rowCount, characters] = [0, 0]
  for await (const row of reader.rows({ limits, onRead: () => undefined })) {
    if (row.kind !== 'row') continue
    for (const [name, value] of row.values) {
      if (!columns.has(name)) columns.set(name, new ColumnSample())
      columns.get(name)?.add(value, rowCount)
      characters += typeof value === 'string' ? value.length : value.text.length
    }
    rowCount += 1
    if (rowCount === MAX_ROWS || characters > MAX_CHARACTERS) break
  }
  return { columns, rowCount }
}
