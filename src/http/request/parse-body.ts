// Parses and validates request bodies: one JSON document, or a stream of records that is buffered until it is complete.
import type { FastifyRequest } from 'fastify'
import { Problem } from '../../errors.ts'
import { type ValidatedRecord, validateRecord } from '../../import/validate-record.ts'
import { JsonProblem } from '../../json/problem.ts'
import { type JsonRecord, type RecordLimits, RecordReader } from '../../json/records.ts'
import { type ScanLimits, scan } from '../../json/scan.ts'
import { checkResult, checkScenario, type ScenarioWrite } from '../../schema/scenarios.ts'
import { ContentErrors } from '../../schema/validation/content-errors.ts'
import type { ParsedValue } from '../../schema/validation/parsed-value.ts'
import type { ValidationError, Validator } from '../../schema/validation/validator.ts'
import { releaseChunk } from '../../serialize/release-chunk.ts'
import { recordLimits, type Settings } from '../../settings/settings.ts'
import { RowBuffer, type RowCodec } from '../../store/buffer/row-buffer.ts'
import { RESULT_ROW_CODEC, type ResultRow, resultRow } from '../../store/scenarios/result-rows.ts'
import {
  SCENARIO_ROW_CODEC,
  type ScenarioRow,
  scenarioRow,
  scenarioTexts,
} from '../../store/scenarios/row.ts'
import { temporaryFolder } from '../../store/store.ts'
import { checkContentLength, readBody, readWholeBody, requireContentType } from './body.ts'
import type { Uploads } from './uploads.ts'

/** After this time, other requests get a turn. A single large record can block for longer. */
const MAX_BLOCKING_MS = 10

const RECORD_FORMATS = {
  'application/json': 'array',
  'application/x-ndjson': 'lines',
  'application/jsonl': 'lines',
} as const
const RECORD_MEDIA_TYPES = Object.keys(RECORD_FORMATS) as (keyof typeof RECORD_FORMATS)[]

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
  const { settings } = context
  return readRecords(request, context, {
    noun: 'scenario',
    codec: SCENARIO_ROW_CODEC,
    limits: recordLimits(settings),
    validate: (record) => checkEvaluationId(validateRecord(record, checkScenario), evaluation_id),
    toRow: (content, record) => scenarioRow(evaluation_id, content, record),
  })
}

/** In a scenario, a result is nested deeper than in an uploaded record, by its object and by the list. */
const RESULT_DEPTH = 2

/** Reads the results of a body as rows, like `readScenarios`. */
export function readResults(request: FastifyRequest, context: UploadContext): Promise<RowBuffer<ResultRow>> {
  const limits = recordLimits(context.settings)
  return readRecords(request, context, {
    noun: 'result',
    codec: RESULT_ROW_CODEC,
    limits: { ...limits, depth: limits.depth - RESULT_DEPTH },
    validate: (record) => validateRecord(record, checkResult),
    toRow: resultRow,
  })
}

interface RecordParser<Value, Row> {
  noun: string
  codec: RowCodec<Row>
  limits: RecordLimits
  validate(record: JsonRecord): ValidatedRecord<Value>
  toRow(content: ParsedValue<Value>, record: JsonRecord): Row
}

async function readRecords<Value, Row>(
  request: FastifyRequest,
  { settings, uploads }: UploadContext,
  { noun, codec, limits, validate, toRow }: RecordParser<Value, Row>,
): Promise<RowBuffer<Row>> {
  const format = RECORD_FORMATS[requireContentType(request, RECORD_MEDIA_TYPES)]
  checkContentLength(request, settings)
  const upload = await uploads.admit(request, BUFFERED_BYTES_PER_BYTE)
  const rows = new RowBuffer(temporaryFolder(settings), codec, upload)
  const reader = new RecordReader(format, limits)
  const errors = new ContentErrors()

  let lastYield = performance.now()
  async function addRecords(records: Iterable<JsonRecord>): Promise<void> {
    for (const record of convertJsonErrors(records)) {
      if (performance.now() - lastYield > MAX_BLOCKING_MS) {
        await upload.yieldTurn()
        lastYield = performance.now()
      }
      if (format === 'array' && !reader.isArray) throw notAnArrayProblem(record, noun)
      const validated = validate(record)
      if (!validated.content) addErrors(errors, validated, `/${record.index}`)
      // After the first error nothing is stored; later errors are only counted.
      else if (errors.count === 0) await rows.add(toRow(validated.content, record))
    }
  }

  try {
    for await (const chunk of readBody(request, settings)) {
      await upload.beginTurn(chunk.length)
      await addRecords(reader.push(chunk))
      upload.endTurn()
      releaseChunk(chunk)
    }
    await addRecords(reader.end())
    if (errors.count > 0) throw errors.toProblem()
    return rows
  } catch (error) {
    await rows.close()
    throw error
  } finally {
    upload.finish()
  }
}

function checkEvaluationId(
  record: ValidatedRecord<ScenarioWrite>,
  id: string,
): ValidatedRecord<ScenarioWrite> {
  const evaluationId = record.content?.value.evaluation_id
  const errors = evaluationId === undefined ? [] : findOtherEvaluation(evaluationId, id)
  return errors.length === 0 ? record : { place: record.place, errors }
}

function findOtherEvaluation(evaluationId: string, pathId: string): ValidationError[] {
  if (evaluationId === pathId) return []
  const detail = `This scenario belongs to '${evaluationId}' but was sent to '${pathId}'. Omit evaluation_id, or send the scenario to '${evaluationId}'.`
  return [{ pointer: '/evaluation_id', detail }]
}

/** Converts a JSON error that ends the whole body to a problem. */
function* convertJsonErrors(records: Iterable<JsonRecord>): Generator<JsonRecord> {
  try {
    yield* records
  } catch (error) {
    throw error instanceof JsonProblem ? jsonProblem(error) : error
  }
}

function jsonProblem({ fault, message, line, offset }: JsonProblem): Problem {
  if (fault === 'size') return new Problem('content-too-large', message)
  const detail = `${message} Line ${line}, byte ${offset} of the body.`
  return new Problem('invalid-json', detail, {}, { members: { line, offset } })
}

function notAnArrayProblem(record: JsonRecord, noun: string): Problem {
  if (record.problem?.fault === 'syntax') return jsonProblem(record.problem)
  const errors = new ContentErrors()
  const detail = `This must be an array of ${noun}s. To send one ${noun} per line, use application/x-ndjson.`
  errors.add([{ pointer: '', detail }], '', record.line)
  return errors.toProblem()
}

/** Throws invalid-json if the record is not valid JSON. */
function addErrors(errors: ContentErrors, record: ValidatedRecord<unknown>, prefix: string): void {
  if (record.problem) throw jsonProblem(record.problem)
  errors.add(record.errors ?? [], prefix, record.place.line)
}
