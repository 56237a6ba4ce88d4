// Reads the rows of a table from CSV or from JSON records.
import { UnreadableFile } from '../../errors.ts'
import type { JsonPreview } from '../../json/detect-shape.ts'
import type { JsonRecord, RecordLimits } from '../../json/records.ts'
import type { Json } from '../../json/value.ts'
import type { ImportEvent, RecordLocation } from '../../schema/import-events.ts'
import type { ColumnRole } from '../../schema/imports.ts'
import { quoteNames } from '../../schema/validation/truncate.ts'
import { detectHeader, readDataRows, readRows } from '../csv-rows.ts'
import type { ImportOptions } from '../importer.ts'
import { type Rejection, readObject, readRecords, rejectionNote } from '../read-records.ts'
import type { Source } from '../source.ts'
import { isConversation, isScoreGroup, meaningOf } from './column-names.ts'

/** The text of a CSV cell, or a JSON value. */
export type TableValue = string | Json

export interface TableRow extends RecordLocation {
  kind: 'row'
  /** The values by column name, in order. Missing columns are not listed. */
  values: Iterable<readonly [string, TableValue]>
  /** If rows of the table are repeated: the sample of this row, and which repetition it is. */
  repeat?: { sample: string; repetition: number }
}

/** A table whose rows can be read several times, one after the other, without collecting them. */
export interface TableReader {
  /** The column names, if the file declares them. Undefined if they occur only in the rows. */
  names: readonly string[] | undefined
  /** What was repaired in the header. */
  repairs?: readonly string[]
  /** Detects whether rows are repeated. If it is not called, rows have no `repeat`. */
  findRepeats?(): Promise<void>
  /** The rows, and notes about rows that cannot be read. Ends with a rejection if the rest of the file cannot be read. */
  rows(): AsyncGenerator<TableRow | ImportEvent>
}

/** Opens a CSV file or JSON records. Throws UnreadableFile. */
export async function openTable(source: Source, { limits }: ImportOptions): Promise<TableReader> {
  return source.jsonPreview ? recordsReader(() => readRecords(source, limits)) : openCsv(source, limits)
}

async function openCsv(source: Source, limits: RecordLimits): Promise<TableReader> {
  const delimiter = detectHeader(source)?.delimiter ?? ','
  for await (const row of readRows(source, delimiter, limits)) {
    if ('kind' in row) throw new UnreadableFile(row.detail, row.line)
    const isMarkdown = isMarkdownRow(row.cells, delimiter)
    const { names, repairs } = repairHeader(isMarkdown ? row.cells.slice(1, -1) : row.cells)
    const problem = findHeaderProblem(names, limits.members)
    if (problem !== undefined) throw new UnreadableFile(problem, row.line)
    const cellCount = row.cells.length
    return {
      names,
      repairs,
      rows: () => readCsv(source, delimiter, { names, cellCount, isMarkdown }, limits),
    }
  }
  throw new UnreadableFile('The file is empty. Its first line must contain the column names.')
}

/** Rows of Markdown tables begin and end with the delimiter. */
function isMarkdownRow(cells: readonly string[], delimiter: string): boolean {
  return delimiter === '|' && cells.length > 3 && cells[0]?.trim() === '' && cells.at(-1)?.trim() === ''
}

async function* readCsv(
  source: Source,
  delimiter: string,
  { names, cellCount, isMarkdown }: { names: readonly string[]; cellCount: number; isMarkdown: boolean },
  limits: RecordLimits,
): AsyncGenerator<TableRow | ImportEvent> {
  for await (const row of readDataRows(source, delimiter, cellCount, limits)) {
    if ('kind' in row) yield row
    else {
      const { index, line } = row
      const cells = isMarkdown ? row.cells.slice(1, -1).map((cell) => cell.trim()) : row.cells
      if (cells.length > names.length && cells.slice(names.length).some((cell) => cell !== '')) {
        const detail = 'The row has a value in a column without a name. Give the column a name.'
        yield rejectionNote({ index: index - 1, line }, '', detail)
        continue
      }
      const values = names.map((name, column) => [name, cells[column] ?? ''] as const)
      yield { kind: 'row', index: index - 1, line, values }
    }
  }
}

/** A table of JSON records. Their members are the columns. */
export function recordsReader(records: () => AsyncIterable<JsonRecord | Rejection>): TableReader {
  return {
    names: undefined,
    async *rows() {
      for await (const record of records()) {
        if ('kind' in record) yield record
        else {
          const object = yield* readObject(record)
          const { index, line } = record
          if (object) yield { kind: 'row', index, line, values: object.members }
        }
      }
    },
  }
}

/** pandas writes its index as a first column without a name, and gives it this name when it reads the file. */
const INDEX_NAME = 'Unnamed: 0'

/** Names the index of pandas, and removes spaces around names and columns after a delimiter at the end of the line. */
function repairHeader(cells: readonly string[]): { names: string[]; repairs: string[] } {
  const trimmed = cells.map((cell) => cell.trim())
  const names = trimmed.slice(0, trimmed.findLastIndex((name) => name !== '') + 1)
  const repairs = []
  if (trimmed.some((name, index) => name !== cells[index]))
    repairs.push('Spaces around column names were removed.')
  if (names.length > 0 && names.length < cells.length)
    repairs.push('Columns without a name at the end of the header were ignored.')
  if (names[0] === '' && !names.includes(INDEX_NAME)) {
    names[0] = INDEX_NAME
    repairs.push(`The first column has no name, like the index of pandas. It was named '${INDEX_NAME}'.`)
  }
  return { names, repairs }
}

/** The problem with the header of a table, or undefined. */
function findHeaderProblem(names: readonly string[], limit: number): string | undefined {
  if (names.length > limit) return `The table has ${names.length} columns, more than the limit of ${limit}.`
  const unnamedColumns = names.flatMap((name, index) => (name === '' ? [index + 1] : []))
  if (unnamedColumns.length > 0)
    return `The header has ${names.length} columns, but no name for ${unnamedColumns.length === 1 ? 'column' : 'columns'} ${unnamedColumns.join(', ')}. Give every column a name, or delete it.`
  const seenNames = new Set<string>()
  const duplicates = new Set(names.filter((name) => seenNames.size === seenNames.add(name).size))
  return duplicates.size > 0 ? `Duplicate column names: ${quoteNames([...duplicates])}.` : undefined
}

function headerNames(source: Source): string[] {
  const { names = [], delimiter = ',' } = detectHeader(source) ?? {}
  return repairHeader(isMarkdownRow(names, delimiter) ? names.slice(1, -1) : names).names
}

/** The column names of a CSV file, or the nested names of the first JSON record. Empty for other files. */
export function previewNames(source: Source): string[] {
  return source.jsonPreview ? [...source.jsonPreview.paths] : headerNames(source)
}

/** The column names of a file, judged by its first bytes. Undefined if it is not a table. */
export function previewColumns(source: Source): string[] | undefined {
  if (source.jsonPreview) return flatNames(source.jsonPreview)
  const names = headerNames(source)
  return names.length > 1 || (names.length === 1 && /\.[ct]sv$/i.test(source.name)) ? names : undefined
}

/** Chat messages have these members, and chat completions the last one. */
const MESSAGE_MEMBERS = [['role', 'content'], ['from', 'value'], ['choices.message']]

/** The member names of records. Undefined if nested values can have a meaning that is not known. */
function flatNames({ paths }: JsonPreview): string[] | undefined {
  if (paths.size === 0) return undefined
  // A name can contain a dot. The path of a nested value begins with another existing path.
  const parentOf = (path: string) => {
    for (let dot = path.indexOf('.'); dot !== -1; dot = path.indexOf('.', dot + 1))
      if (paths.has(path.slice(0, dot))) return path.slice(0, dot)
    return undefined
  }
  const names = [...paths].filter((path) => parentOf(path) === undefined)
  const nested = new Set([...paths].flatMap((path) => parentOf(path) ?? []))
  const isChat = (name: string) =>
    MESSAGE_MEMBERS.some((members) => members.every((member) => paths.has(`${name}.${member}`)))
  const hasRole = (name: string, ...roles: ColumnRole[]) =>
    roles.includes(meaningOf(name)?.role ?? 'is_pinned')
  // Inputs and outputs with members of their own are those of other formats.
  const isUnclear = (name: string) =>
    nested.has(name) &&
    !isChat(name) &&
    !isScoreGroup(name) &&
    hasRole(name, 'input', 'output', 'expected', 'id')
  if (names.some(isUnclear)) return undefined
  // The last message of a conversation is the output if no other member is.
  const hasConversation = names.some((name) => isChat(name) && isConversation(name))
  if (hasConversation && !names.some((name) => hasRole(name, 'output'))) names.push('output')
  const hasInput = names.some((name) => hasRole(name, 'input') || isConversation(name))
  const isKnown = hasInput && names.some((name) => hasRole(name, 'output'))
  return nested.size === 0 || isKnown ? names : undefined
}
