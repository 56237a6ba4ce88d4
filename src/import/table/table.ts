// Imports tables: CSV (comma, tab or semicolon) and JSON records of scalar values. The role of a column comes from its
// name or from an option.
import { pointerStep } from '../../json/problem.ts'
import { Json } from '../../json/value.ts'
import type { ImportEvent } from '../../schema/import-events.ts'
import { detectHeader, isNotFinite, parseNumber, readDataRows, readRows, type TableRow } from '../csv-rows.ts'
import { type Importer, type ImportOptions, UnreadableFile } from '../importer.ts'
import { objectEvents, readRecords, rejectionNote, repairNote } from '../read-records.ts'
import { type ErrorParts, ScenarioBuilder } from '../scenario-builder.ts'
import type { Source } from '../source.ts'
import { fileRunEvents, scenarioEvents, toolFileOptions } from '../tool-run.ts'
import { type Column, Columns, flatNames, isResultsTable, quoteList } from './columns.ts'

export const tables: Importer = {
  name: 'table',
  label: 'CSV, TSV or flat JSON',
  description:
    'tables as CSV, TSV or JSON records, with columns such as input.NAME, output, expected and score.NAME',
  docs: 'how-to/import-tables.md',
  reference: 'reference/imports/tables.md',
  example: 'assay import answers.csv --variant support-bot',

  detects(source) {
    const columns = previewColumns(source)
    return columns !== undefined && isResultsTable(columns)
  },

  checkOptions(_source, options) {
    new Columns(options.columns)
  },

  async open(source, options) {
    const columns = new Columns(options.columns)
    const created_at = source.modifiedAt?.toISOString()
    if (source.jsonPreview)
      return { created_at, events: () => prependRun(source, options, jsonEvents(source, options, columns)) }
    const { delimiter, names } = await readHeader(source, options, columns)
    const rows = () =>
      csvEvents(
        source,
        options,
        delimiter,
        names.map((name) => columns.get(name)),
      )
    return { created_at, events: () => prependRun(source, options, rows()) }
  },
}

/** The column names of a file, or undefined if it is not a table. */
export function previewColumns(source: Source): string[] | undefined {
  if (source.jsonPreview) return flatNames(source.jsonPreview)
  const names = detectHeader(source)?.names ?? []
  return names.length > 1 || (names.length === 1 && /\.[ct]sv$/i.test(source.name)) ? names : undefined
}

async function* prependRun(
  source: Source,
  options: ImportOptions,
  rows: AsyncGenerator<ImportEvent>,
): AsyncGenerator<ImportEvent> {
  yield* fileRunEvents(source, 'table', options)
  yield* rows
}

/** Throws UnreadableFile. */
async function readHeader(source: Source, options: ImportOptions, columns: Columns) {
  const delimiter = detectHeader(source)?.delimiter ?? ','
  for await (const row of readRows(source, delimiter, options)) {
    if ('kind' in row) throw new UnreadableFile(row.detail, row.line)
    const problem = columns.findProblem(row.cells, options.limits.members)
    if (problem !== undefined) throw new UnreadableFile(problem, row.line)
    return { delimiter, names: row.cells }
  }
  throw new UnreadableFile('The file is empty. Its first line must contain the column names.')
}

async function* csvEvents(
  source: Source,
  options: ImportOptions,
  delimiter: string,
  columns: Column[],
): AsyncGenerator<ImportEvent> {
  for await (const row of readDataRows(source, delimiter, columns.length, options)) {
    if ('kind' in row) yield row
    else yield* rowEvents(row, options, columns)
  }
}

function* rowEvents({ index: record, line, cells }: TableRow, options: ImportOptions, columns: Column[]) {
  const values: [Column, Json][] = []
  for (const [index, column] of columns.entries()) {
    let cell = cells[index] ?? ''
    if (/^'[=+\-@\t\r]/.test(cell)) {
      cell = cell.slice(1)
      yield repairNote(record, line, pointerStep(column.name), "The ' in front of a formula was removed.")
    }
    const value = parseCell(cell, column)
    if (column.role === 'score' && value?.isNull && cell.trim() !== '')
      yield repairNote(
        record,
        line,
        pointerStep(column.name),
        `'${cell.trim()}' is not a number and was read as not scored.`,
      )
    if (value) values.push([column, value])
  }
  const place = { index: record - 1, line }
  yield* scenarioEvents(buildScenario(record, values), place, options.limits)
}

async function* jsonEvents(
  source: Source,
  options: ImportOptions,
  columns: Columns,
): AsyncGenerator<ImportEvent> {
  const readOptions = toolFileOptions(options)
  let hasRows = false
  yield* objectEvents(readRecords(source, readOptions), function* (row, record) {
    hasRows = true
    const values = Array.from(row.members, ([name, value]) => [columns.get(name), value] as const)
    const outputNames = values.filter(([{ role }]) => role === 'output').map(([{ name }]) => name)
    if (outputNames.length > 1) {
      const detail = `Several members have the role output: ${quoteList(outputNames)}. Give the others another role with --extra NAME or --input NAME.`
      yield rejectionNote(record, '', detail)
    } else yield* scenarioEvents(buildScenario(record.index + 1, values), record, readOptions.limits)
  })
  if (hasRows && columns.unusedNames.length > 0) {
    const detail = `No record has a member ${quoteList(columns.unusedNames)}.`
    yield { kind: 'rejection', record: null, line: 1, pointer: '', detail }
  }
}

/** Converts a cell to a value. Only inputs and outputs can be empty strings. */
function parseCell(cell: string, { role }: Column): Json | undefined {
  if (role === 'input' || role === 'output') return Json.of(cell)
  const text = cell.trim()
  if (role === 'score') {
    if (text === '' || isNotFinite(text)) return Json.of(null)
    return parseNumber(text) ?? parseBoolean(text) ?? Json.of(cell)
  }
  if (cell === '') return undefined
  if (role === 'cost' || role === 'latency') return parseNumber(text) ?? Json.of(cell)
  if (role === 'is_pinned') return parseBoolean(text) ?? Json.of(cell)
  return Json.of(cell)
}

function parseBoolean(text: string): Json | undefined {
  return /^(true|false)$/i.test(text) ? new Json(text.toLowerCase()) : undefined
}

/** Values that do not fit the field of their name go to `extra`. */
function buildScenario(row: number, values: Iterable<readonly [Column, Json]>): ScenarioBuilder {
  const builder = new ScenarioBuilder(String(row), true)
  let [output, error]: [Json | undefined, ErrorParts | undefined] = [undefined, undefined]
  const measurements: { cost?: Json; latency?: Json } = {}
  for (const [{ role, name, key }, value] of values) {
    if (role === 'input') builder.addInput(key, value)
    else if (role === 'output') output = value
    else if (role === 'expected') {
      if (!value.isNull) builder.addCorrectAnswer(key, value)
    } else if (role === 'score') builder.addResult(key, { value })
    else if (role === 'id' && isUsableId(value)) {
      builder.id = value.plain
      builder.hasGeneratedId = false
    } else if ((role === 'cost' || role === 'latency') && Number.isFinite(value.number))
      measurements[role] = value
    else if (role === 'error' && parseError(value)) error = parseError(value)
    else if (role === 'is_pinned' && value.boolean !== undefined) builder.is_pinned = value.boolean
    else if (role === 'note' && value.string !== undefined) builder.note = value.string
    else if (value.text !== '""') builder.addExtra(name, value)
  }
  // An empty output together with an error counts as no output.
  const value = error && output && (output.isNull || output.string === '') ? undefined : output
  if (output || error || measurements.cost || measurements.latency)
    builder.addOutput({ value, error, ...measurements })
  return builder
}

function isUsableId(value: Json): boolean {
  return value.number !== undefined || (value.string ?? '') !== ''
}

function parseError(value: Json): ErrorParts | undefined {
  if (value.isNull || value.boolean === false || value.text === '[]' || value.text === '{}') return undefined
  const message = value.string ?? value.get('message')?.string ?? value.text
  if (message.trim() === '') return undefined
  const stacktrace = value.get('stacktrace')?.string
  return { message, stacktrace }
}
