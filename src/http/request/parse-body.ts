// Parses and validates request bodies: one JSON document, or a stream of records that is buffered until it is complete.
import type { FastifyRequest } from 'fastify'
import { validateRecord } from '../../import/validate-record.ts'
import { JsonProblem } from '../../json/problem.ts'
import type { JsonRecord } from '../../json/records.ts'
import { type ScanLimits, scan } from '../../json/scan.ts'
import { type ParseOptions, parsePieces } from '../../parse/parse-pieces.ts'
import { addErrors, findOtherEvaluation, type UploadFormat, UploadParser } from '../../parse/record-parser.ts'
import { checkScenario, type ScenarioWrite } from '../../schema/scenarios.ts'
import { ContentErrors } from '../../schema/validation/content-errors.ts'
import type { ParsedValue } from '../../schema/validation/parsed-value.ts'
import type { ValidationError, Validator } from '../../schema/validation/validator.ts'
import { releaseChunk } from '../../serialize/release-chunk.ts'
import { recordLimits, type Settings } from '../../settings/settings.ts'
import { RowBuffer, type RowCodec } from '../../store/buffer/row-buffer.ts'
import { RESULT_ROW_CODEC, type ResultRow } from '../../store/scenarios/result-rows.ts'
import { SCENARIO_ROW_CODEC, type ScenarioRow, scenarioTexts } from '../../store/scenarios/row.ts'
import { temporaryFolder } from '../../store/store.ts'
import { checkContentLength, readBody, readWholeBody, requireContentType } from './body.ts'
import type { Upload, Uploads } from './uploads.ts'

/** After this time, other requests get a turn. */
const MAX_BLOCKING_MS = 10

const RECORD_SHAPES = {
  'application/json': 'array',
  'application/x-ndjson': 'lines',
  'application/jsonl': 'lines',
} as const
const RECORD_MEDIA_TYPES = Object.keys(RECORD_SHAPES) as (keyof typeof RECORD_SHAPES)[]

/** Reads a body that is one JSON object. Throws invalid-json or invalid-content. */
export async function readDocument<Value>(
  request: FastifyRequest,
  settings: Settings,
  check: Validator<Value>,
): Promise<ParsedValue<Value>> {
  requireContentType(request, ['application/json'])
  const bytes = await readWholeBody(request, settings)
  const record = validateRecord(scanDocument(bytes, recordLimits(settings)), check)
  if (record.content) return record.content
  const errors = new ContentErrors()
  addErrors(errors, record, '')
  throw errors.toProblem()
}

function scanDocument(bytes: Buffer, limits: ScanLimits): JsonRecord {
  const start = { index: 0, line: 1, offset: 0 }
  try {
    return { ...start, scanned: scan(bytes, limits) }
  } catch (error) {
    if (!(error instanceof JsonProblem)) throw error
    const { fault, message, offset, line, pointer } = error
    return { ...start, problem: new JsonProblem(fault, message, offset, line + 1, pointer) }
  }
}

/** Reads a body that is one scenario, whose ids must be those of the path if it has them. */
export async function readScenario(
  request: FastifyRequest,
  settings: Settings,
  path: { evaluation_id: string; scenario_id: string },
): Promise<{ body: string; extra: string | null }> {
  const check: Validator<ScenarioWrite> = (content) => {
    const errors = checkScenario(content)
    return errors.length > 0 ? errors : findOtherIds(content.value as ScenarioWrite, path)
  }
  const { value, memberTexts } = await readDocument(request, settings, check)
  const idText = JSON.stringify(path.scenario_id)
  return scenarioTexts(path.evaluation_id, {
    value: { ...value, id: path.scenario_id },
    memberTexts: new Map(memberTexts).set('id', idText),
  })
}

function findOtherIds(
  { id, evaluation_id }: ScenarioWrite,
  path: { evaluation_id: string; scenario_id: string },
): ValidationError[] {
  const errors = evaluation_id === undefined ? [] : findOtherEvaluation(evaluation_id, path.evaluation_id)
  if (id == null || id === path.scenario_id) return errors
  const detail = `The id of this scenario is '${id}', but it was sent to '${path.scenario_id}'. Omit id: a scenario keeps its id.`
  return [{ pointer: '/id', detail }, ...errors]
}

export interface UploadContext {
  settings: Settings
  uploads: Uploads
}

/** Estimated bytes of buffered rows per byte of JSON: the body and what is derived from it. */
const BUFFERED_BYTES_PER_BYTE = 2.25

/** Reads the scenarios of a body as rows. The caller must close the buffer; an invalid body closes it here. */
export function readScenarios(
  request: FastifyRequest,
  context: UploadContext,
  evaluation_id: string,
): Promise<RowBuffer<ScenarioRow>> {
  return readRecords(request, context, { records: 'scenarios', evaluation_id }, SCENARIO_ROW_CODEC)
}

/** Reads the results of a body as rows, like `readScenarios`. */
export function readResults(request: FastifyRequest, context: UploadContext): Promise<RowBuffer<ResultRow>> {
  return readRecords(request, context, { records: 'results' }, RESULT_ROW_CODEC)
}

async function readRecords<Row>(
  request: FastifyRequest,
  { settings, uploads }: UploadContext,
  records: { records: 'scenarios'; evaluation_id: string } | { records: 'results' },
  codec: RowCodec<Row>,
): Promise<RowBuffer<Row>> {
  const shape = RECORD_SHAPES[requireContentType(request, RECORD_MEDIA_TYPES)]
  const format: UploadFormat = { ...records, shape, limits: recordLimits(settings) }
  checkContentLength(request, settings)
  const upload = await uploads.admit(request, BUFFERED_BYTES_PER_BYTE)
  const rows = new RowBuffer(temporaryFolder(settings), codec, upload)
  const abort = new AbortController()
  try {
    const { isLarge, chunks } = await upload.peek(readBody(request, settings, abort.signal))
    if (isLarge)
      await parseOnThreads(chunks, format, rows, {
        ...upload.parseOptions,
        onError: (error) => abort.abort(error),
      })
    else await parseInTurns(chunks, new UploadParser<Row>(format), rows, upload)
    return rows
  } catch (error) {
    await rows.close()
    throw error
  } finally {
    upload.finish()
  }
}

async function parseOnThreads<Row>(
  chunks: AsyncIterable<Buffer>,
  format: UploadFormat,
  rows: RowBuffer<Row>,
  options: ParseOptions,
): Promise<void> {
  const errors = new ContentErrors()
  for await (const piece of parsePieces(chunks, format, options)) {
    errors.addListed(piece.errors)
    for (const { bytes } of piece.frames) {
      if (errors.count === 0) await rows.addFrame(bytes)
      releaseChunk(bytes)
    }
  }
  if (errors.count > 0) throw errors.toProblem()
}

/** Parses a small body on this thread. */
async function parseInTurns<Row>(
  chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
  parser: UploadParser<Row>,
  rows: RowBuffer<Row>,
  upload: Upload,
): Promise<void> {
  let lastYield = performance.now()
  async function addRows(parsedRows: Iterable<Row | undefined>): Promise<void> {
    for (const row of parsedRows) {
      if (row !== undefined) await rows.add(row)
      if (performance.now() - lastYield <= MAX_BLOCKING_MS) continue
      await upload.yieldTurn()
      lastYield = performance.now()
    }
  }
  for await (const chunk of chunks) {
    await upload.beginTurn(chunk.length)
    await addRows(parser.push(chunk))
    upload.endTurn()
    releaseChunk(chunk)
  }
  await addRows(parser.end())
  if (parser.errors.count > 0) throw parser.errors.toProblem()
}
