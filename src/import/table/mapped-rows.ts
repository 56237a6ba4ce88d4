// Tables of tools whose rows are changed before their columns get roles: nested values become columns, and ids are numbered.
import { type RecordLimits, scanRecord } from '../../json/records.ts'
import { Json } from '../../json/value.ts'
import type { ImportEvent } from '../../schema/import-events.ts'
import type { ImportOptions } from '../importer.ts'
import { readDocument, rejectionNote } from '../read-records.ts'
import type { Source } from '../source.ts'
import { Repetitions, UniqueIds } from '../tool-run.ts'
import { openTable, recordsReader, type TableReader, type TableRow, type TableValue } from './rows.ts'

export type Values = ReadonlyMap<string, TableValue>

/** The values of a row that replace those in the file, or why it is left out or rejected. */
export type RowMapper = (
  values: Values,
  limits: RecordLimits,
) => Iterable<readonly [string, TableValue]> | { omitted: string } | { rejected: string }

export interface RowMapping {
  /** Members of a JSON document whose elements are the records. Files without them are read as records or CSV. */
  documents?: readonly string[]
  /** Creates the function for one pass over the file. */
  createMapper(): RowMapper
  /** The columns that can contain ids; the first that a row has is used. Ids that repeat are numbered, because repetitions
   * of an example have the same id. */
  ids: readonly string[]
}

/** Opens a CSV file, JSON records, or a document that contains records. Throws UnreadableFile. */
export async function openMappedTable(
  source: Source,
  options: ImportOptions,
  { documents = [], createMapper, ids }: RowMapping,
): Promise<TableReader> {
  const { limits } = options
  const path = documents.find((name) => source.jsonPreview?.names.includes(name))
  const reader =
    path === undefined
      ? await openTable(source, options)
      : recordsReader(() => readDocument(source, { records: [path], dropped: [] }, limits))
  async function* mappedRows(): AsyncGenerator<MappedRow | ImportEvent> {
    const map = createMapper()
    for await (const row of reader.rows()) yield row.kind === 'row' ? mapRow(row, map, limits) : row
  }
  let isRepeated = false
  return {
    names: undefined,
    async findRepeats() {
      const counts = new UniqueIds()
      for await (const row of mappedRows()) {
        const id = row.kind === 'row' ? findId(row.values, ids) : undefined
        if (id === undefined || counts.countOccurrence(id.text) === 1) continue
        isRepeated = true
        return
      }
    },
    async *rows() {
      const repetitions = new Repetitions()
      for await (const row of mappedRows()) {
        const id = row.kind === 'row' ? findId(row.values, ids) : undefined
        if (row.kind === 'row' && id) {
          const next = repetitions.next(id.text)
          row.values.set(id.name, Json.of(next.id))
          if (isRepeated) row.repeat = { sample: id.text, repetition: next.repetition }
        }
        yield row
      }
    },
  }
}

interface MappedRow extends TableRow {
  values: Map<string, TableValue>
}

function mapRow(row: TableRow, map: RowMapper, limits: RecordLimits): MappedRow | ImportEvent {
  const mapped = map(new Map(row.values), limits)
  if ('omitted' in mapped)
    return { kind: 'omission', record: row.index + 1, line: row.line, pointer: '', detail: mapped.omitted }
  if ('rejected' in mapped) return rejectionNote(row, '', mapped.rejected)
  return { ...row, values: new Map(mapped) }
}

/** The first column that has an id. */
function findId(values: Values, names: readonly string[]): { name: string; text: string } | undefined {
  const name = names.find((candidate) => textOf(values.get(candidate)) !== '')
  return name === undefined ? undefined : { name, text: textOf(values.get(name)) }
}

/** A value as JSON. The text of a CSV cell is parsed if it is an object, an array or a number. */
export function jsonOf(value: TableValue | undefined, limits: RecordLimits): Json | undefined {
  if (value === undefined) return undefined
  if (typeof value !== 'string') return value.isNull ? undefined : value
  if (value === '') return undefined
  if (!/^\s*[[{]/.test(value)) return Json.of(value)
  const { scanned } = scanRecord(Buffer.from(value), { index: 0, line: 0, offset: 0 }, limits)
  return scanned ? new Json(scanned.text) : Json.of(value)
}

/** The text of a value. Empty if it is missing. */
export function textOf(value: TableValue | undefined): string {
  if (value === undefined) return ''
  return typeof value === 'string' ? value : value.isNull ? '' : value.plain
}

/** One column per member of an object, named `name.member`. Any other value is one column. */
export function* expand(name: string, value: Json | undefined): Generator<readonly [string, Json]> {
  if (value?.isObject) for (const [member, item] of value.members) yield [`${name}.${member}`, item]
  else if (value) yield [name, value]
}

/** Returns why a row cannot be imported together with the first one, or undefined. */
export function createRunCheck(member: string): (values: Values) => string | undefined {
  let firstRun: string | undefined
  return (values) => {
    const run = textOf(values.get(member))
    if (run === '') return undefined
    firstRun ??= run
    if (run === firstRun) return undefined
    return `This row belongs to another experiment: ${member} is '${run}', in the first row '${firstRun}'. Import each experiment from a file of its own.`
  }
}
