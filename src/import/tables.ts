// Tables: CSV with a comma, tab or semicolon between cells, and JSON records of plain values. A column is what its
// name says, or what a flag says of it.
import { pointerStep } from '../json/problem.ts'
import { Json } from '../json/value.ts'
import type { Found } from '../schema/findings.ts'
import { Draft, type DraftError } from './draft.ts'
import { foreignLimits, runFindings, scenarioFindings, stemOf } from './foreign.ts'
import { type Importer, type ImportOptions, Unreadable } from './importer.ts'
import { objectOf, readRecords, repair } from './reading.ts'
import type { Source } from './source.ts'
import { type Column, Columns, fits, flatNames, quoted } from './table-columns.ts'
import { headerOf, readRows, type TableRow } from './table-rows.ts'

export const tables: Importer = {
  name: 'table',
  reads:
    'tables as CSV, TSV or JSON records, with columns such as input.NAME, output, expected and score.NAME',

  claims(source) {
    const columns = columnsSeen(source)
    return columns !== undefined && fits(columns)
  },

  async open(source, options) {
    const columns = new Columns(options.columns)
    const created_at = source.modified?.toISOString()
    if (source.opening)
      return { created_at, findings: () => told(source, options, jsonFindings(source, options, columns)) }
    const { delimiter, names } = await readHeader(source, options, columns)
    const rows = () =>
      csvFindings(
        source,
        options,
        delimiter,
        names.map((name) => columns.of(name)),
      )
    return { created_at, findings: () => told(source, options, rows()) }
  },
}

/** The columns that a file has, if it is a table at all, whatever they mean. */
export function columnsSeen(source: Source): string[] | undefined {
  if (source.opening) return flatNames(source.opening)
  const names = headerOf(source)?.names ?? []
  return names.length > 1 || (names.length === 1 && /\.[ct]sv$/i.test(source.name)) ? names : undefined
}

async function* told(
  source: Source,
  options: ImportOptions,
  rows: AsyncGenerator<Found>,
): AsyncGenerator<Found> {
  const name = stemOf(source.name)
  yield* runFindings(
    {
      id: options.evaluation ?? (await source.contentId()),
      name,
      source: 'table',
      created_at: source.modified?.toISOString(),
      variant: name,
      // A table says nothing of what ran, so that files of one variant are not told apart by their names.
      config_name: options.variant ?? name,
      parameters: Json.of({}),
      author: undefined,
    },
    options,
  )
  yield* rows
}

/** Throws Unreadable. */
async function readHeader(source: Source, options: ImportOptions, columns: Columns) {
  const delimiter = headerOf(source)?.delimiter ?? ','
  for await (const row of readRows(source, delimiter, options)) {
    if ('kind' in row) throw new Unreadable(row.detail, row.line)
    const problem = columns.problem(row.cells, options.limits.members)
    if (problem !== undefined) throw new Unreadable(problem, row.line)
    return { delimiter, names: row.cells }
  }
  throw new Unreadable('The file is empty: there is no line that names the columns.')
}

async function* csvFindings(
  source: Source,
  options: ImportOptions,
  delimiter: string,
  columns: Column[],
): AsyncGenerator<Found> {
  for await (const row of readRows(source, delimiter, options)) {
    if ('kind' in row) yield row
    // Spreadsheets end with rows that have nothing in them.
    else if (row.index > 0 && row.cells.some((cell) => cell !== '')) yield* rowFindings(row, options, columns)
  }
}

function* rowFindings({ index: record, line, cells }: TableRow, options: ImportOptions, columns: Column[]) {
  if (cells.length !== columns.length) {
    const detail = `The row has ${count(cells.length)} where the header has ${columns.length}.`
    yield { kind: 'refusal', record, line, pointer: '', detail } as const
    return
  }
  const values: [Column, Json][] = []
  for (const [index, column] of columns.entries()) {
    let cell = cells[index] ?? ''
    if (/^'[=+\-@\t\r]/.test(cell)) {
      cell = cell.slice(1)
      yield repair(record, line, pointerStep(column.name), "The ' that stood before a formula is taken off.")
    }
    const value = cellValue(cell, column)
    if (column.role === 'score' && value?.isNull && cell.trim() !== '')
      yield repair(
        record,
        line,
        pointerStep(column.name),
        `'${cell.trim()}' is no number and was read as not scored.`,
      )
    if (value) values.push([column, value])
  }
  const place = { index: record - 1, line }
  yield* scenarioFindings(draftOf(record, values), place, options.limits)
}

function count(cells: number): string {
  return cells === 1 ? '1 cell' : `${cells} cells`
}

async function* jsonFindings(
  source: Source,
  options: ImportOptions,
  columns: Columns,
): AsyncGenerator<Found> {
  const limits = foreignLimits(options.limits)
  let hasRows = false
  for await (const record of readRecords(source, { ...options, limits })) {
    if ('kind' in record) {
      yield record
      continue
    }
    const row = yield* objectOf(record)
    if (!row) continue
    hasRows = true
    const values = Array.from(row.members, ([name, value]) => [columns.of(name), value] as const)
    const outputs = values.filter(([{ role }]) => role === 'output').map(([{ name }]) => name)
    if (outputs.length > 1) {
      const detail = `More than one member is the output: ${quoted(outputs)}. --extra NAME or --input NAME says what the others are.`
      yield { kind: 'refusal', record: record.index + 1, line: record.line, pointer: '', detail }
    } else yield* scenarioFindings(draftOf(record.index + 1, values), record, limits)
  }
  if (hasRows && columns.unseen.length > 0) {
    const detail = `No record has a member ${quoted(columns.unseen)}.`
    yield { kind: 'refusal', record: null, line: 1, pointer: '', detail }
  }
}

/** A cell as the value it stands for. An empty one is a value of what was put in and came out only. */
function cellValue(cell: string, { role }: Column): Json | undefined {
  if (role === 'input' || role === 'output') return Json.of(cell)
  const text = cell.trim()
  if (role === 'score') {
    if (text === '' || /^[+-]?(nan|inf|infinity)$/i.test(text)) return Json.of(null)
    return numberOf(text) ?? booleanOf(text) ?? Json.of(cell)
  }
  if (cell === '') return undefined
  if (role === 'cost' || role === 'latency') return numberOf(text) ?? Json.of(cell)
  if (role === 'is_pinned') return booleanOf(text) ?? Json.of(cell)
  return Json.of(cell)
}

/** As it is written where JSON writes numbers so. */
function numberOf(text: string): Json | undefined {
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) || !Number.isFinite(Number(text))) return undefined
  return /^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i.test(text) ? new Json(text) : Json.of(Number(text))
}

function booleanOf(text: string): Json | undefined {
  return /^(true|false)$/i.test(text) ? new Json(text.toLowerCase()) : undefined
}

/** What has the name of a field and cannot be its value is kept beside the scenario. */
function draftOf(row: number, values: Iterable<readonly [Column, Json]>): Draft {
  const draft = new Draft(String(row))
  let [output, error]: [Json | undefined, DraftError | undefined] = [undefined, undefined]
  const measured: { cost?: Json; latency?: Json } = {}
  for (const [{ role, name, key }, value] of values) {
    if (role === 'input') draft.input(key, value)
    else if (role === 'output') output = value
    else if (role === 'expected') {
      if (!value.isNull) draft.answer(key, value)
    } else if (role === 'score') draft.result(key, { value })
    else if (role === 'id' && isId(value)) draft.id = value.plain
    else if ((role === 'cost' || role === 'latency') && Number.isFinite(value.number)) measured[role] = value
    else if (role === 'error' && errorOf(value)) error = errorOf(value)
    else if (role === 'is_pinned' && value.boolean !== undefined) draft.is_pinned = value.boolean
    else if (role === 'note' && value.string !== undefined) draft.note = value.string
    else if (value.text !== '""') draft.extra(name, value)
  }
  // Next to an error an empty output is none.
  const value = error && output && (output.isNull || output.string === '') ? undefined : output
  if (output || error || measured.cost || measured.latency) draft.output({ value, error, ...measured })
  return draft
}

function isId(value: Json): boolean {
  return value.number !== undefined || (value.string ?? '') !== ''
}

function errorOf(value: Json): DraftError | undefined {
  if (value.isNull || value.boolean === false || value.text === '[]' || value.text === '{}') return undefined
  const message = value.string ?? value.get('message')?.string ?? value.text
  if (message.trim() === '') return undefined
  const stacktrace = value.get('stacktrace')?.string
  return { message, stacktrace }
}
