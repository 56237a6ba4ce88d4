// Streams the records of a file, and creates the events for records that cannot be read.
import { UnreadableFile } from '../errors.ts'
import {
  createRecordReader,
  type DocumentPaths,
  DocumentReader,
  type DocumentRecord,
} from '../json/document.ts'
import { JsonProblem } from '../json/problem.ts'
import type { JsonRecord, RecordLimits, RecordStart } from '../json/records.ts'
import { Json } from '../json/value.ts'
import type { ImportEvent, ImportNote } from '../schema/import-events.ts'
import type { Source } from './source.ts'
import type { ValidatedRecord } from './validate-record.ts'

export type Rejection = { kind: 'rejection' } & ImportNote

/** The elements of an array, or one record per line. Ends with a rejection if the rest of the file cannot be read. */
export async function* readRecords(
  source: Source,
  limits: RecordLimits,
): AsyncGenerator<JsonRecord | Rejection> {
  if (/^\ufeff?\s*\{[ \t]*\r?\n/.test(source.head.toString('utf8', 0, 1000))) {
    yield { kind: 'rejection', record: null, line: 1, pointer: '', detail: MULTI_LINE_OBJECT }
    return
  }
  const reader = createRecordReader(source.jsonPreview?.shape ?? 'array', limits)
  yield* withRejections(async function* () {
    for await (const chunk of readChunks(source)) yield* reader.push(chunk)
    yield* reader.end()
  })
}

const MULTI_LINE_OBJECT =
  'An object spans several lines, but the file must have one record per line. Put it on one line, or into an array.'

/** The elements of the arrays in a document that `paths` lists as records. Ends like readRecords. */
export async function* readDocument(
  source: Source,
  paths: DocumentPaths,
  limits: RecordLimits,
): AsyncGenerator<DocumentRecord | Rejection> {
  const reader = new DocumentReader(paths, limits)
  yield* withRejections(async function* () {
    for await (const chunk of readChunks(source)) yield* reader.push(chunk)
    reader.end()
  })
}

/** Reads the document without its records. Throws UnreadableFile. */
export async function readRest(source: Source, paths: DocumentPaths, limits: RecordLimits): Promise<Json> {
  const reader = new DocumentReader({ ...paths, skipsRecords: true }, limits)
  try {
    // The generator yields nothing, but has to be run.
    for await (const chunk of readChunks(source)) for (const _ of reader.push(chunk));
    return Json.scanned(reader.end())
  } catch (error) {
    throw error instanceof JsonProblem ? new UnreadableFile(error.message, error.line) : error
  }
}

const BOM = Buffer.from('\ufeff')

async function* readChunks(source: Source): AsyncGenerator<Buffer> {
  let isFirst = true
  for await (const chunk of source.chunks()) {
    // JSON allows no byte order mark. It is replaced by spaces, so that all offsets stay the same.
    if (isFirst && chunk.subarray(0, BOM.length).equals(BOM)) chunk.fill(' ', 0, BOM.length)
    isFirst = false
    yield chunk
  }
}

async function* withRejections<Item>(read: () => AsyncGenerator<Item>): AsyncGenerator<Item | Rejection> {
  try {
    yield* read()
  } catch (error) {
    yield rejectionOfRest(error)
  }
}

/** For the error of a file whose rest cannot be read. Throws other errors. */
function rejectionOfRest(error: unknown): Rejection {
  if (!(error instanceof JsonProblem)) throw error
  return { kind: 'rejection', record: null, line: error.line, pointer: '', detail: error.message }
}

/** One rejection for each error of a record. */
export function* rejectionsOf({
  place,
  problem,
  errors = [],
}: ValidatedRecord<unknown>): Generator<Rejection> {
  const record = place.index + 1
  if (problem) yield { kind: 'rejection', record, line: problem.line, pointer: '', detail: problem.message }
  for (const { pointer, detail } of errors)
    yield { kind: 'rejection', record, line: place.line, pointer, detail }
}

/** Yields the notes about a record and returns its object, or undefined if it is rejected. */
export function* readObject(record: JsonRecord): Generator<ImportEvent, Json | undefined> {
  const { scanned, problem, index, line } = record
  if (!scanned) {
    const pointer = problem.fault === 'syntax' ? '' : problem.pointer
    yield { kind: 'rejection', record: index + 1, line: problem.line, pointer, detail: problem.message }
    return undefined
  }
  const row = Json.scanned(scanned)
  if (!row.isObject) {
    yield { kind: 'rejection', record: index + 1, line, pointer: '', detail: 'This must be an object.' }
    return undefined
  }
  if (scanned.repairs > 0) yield repairNote(index + 1, line, '', NAN_AS_NULL)
  return row
}

/** The events that `handle` yields for each object, and the rejections and repairs of records that are not valid objects. */
export async function* objectEvents<Item extends JsonRecord>(
  records: AsyncIterable<Item | Rejection>,
  handle: (row: Json, record: Item) => Iterable<ImportEvent>,
): AsyncGenerator<ImportEvent> {
  for await (const record of records) {
    if ('kind' in record) yield record
    else {
      const row = yield* readObject(record)
      if (row) yield* handle(row, record)
    }
  }
}

/** The valid objects, for a first pass over a file. What is wrong with the others is reported in the second pass. */
export async function* readObjects<Item extends JsonRecord>(
  records: AsyncIterable<Item | Rejection>,
): AsyncGenerator<{ row: Json; record: Item }> {
  for await (const record of records) {
    if ('kind' in record || !record.scanned) continue
    const row = Json.scanned(record.scanned)
    if (row.isObject) yield { row, record }
  }
}

const NAN_AS_NULL = 'NaN and Infinity are not valid JSON and were read as null.'

export function rejectionNote(
  { index, line }: Pick<RecordStart, 'index' | 'line'>,
  pointer: string,
  detail: string,
): ImportEvent {
  return { kind: 'rejection', record: index + 1, line, pointer, detail }
}

export function repairNote(
  record: number | null,
  line: number,
  pointer: string,
  detail: string,
): ImportEvent {
  return { kind: 'repair', record, line, pointer, detail }
}

/** A note about data of the whole file that is not kept. */
export function omissionNote(pointer: string, detail: string): ImportEvent {
  return { kind: 'omission', record: null, line: 1, pointer, detail }
}
