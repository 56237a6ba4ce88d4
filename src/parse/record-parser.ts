// Turns the records of an upload or a file into rows, and collects what is wrong with invalid ones. Runs on the main thread
// for small uploads, and on a parse thread for large ones.
import { Problem } from '../errors.ts'
import { type ScenarioFile, validateScenario } from '../import/assay/validate-scenario.ts'
import { type Rejection, rejectionOfRest, rejectionsOf } from '../import/read-records.ts'
import { type ValidatedRecord, validateRecord } from '../import/validate-record.ts'
import { JsonProblem } from '../json/problem.ts'
import {
  type JsonRecord,
  type RecordLimits,
  RecordReader,
  type RecordStart,
  type Shape,
} from '../json/records.ts'
import { checkResult, checkScenario, type ScenarioWrite } from '../schema/scenarios.ts'
import { ContentErrors, type ListedErrors } from '../schema/validation/content-errors.ts'
import type { ValidationError } from '../schema/validation/validator.ts'
import type { RowCodec } from '../store/buffer/row-buffer.ts'
import { RESULT_ROW_CODEC, type ResultRow, resultRow } from '../store/scenarios/result-rows.ts'
import { SCENARIO_ROW_CODEC, type ScenarioRow, scenarioRow } from '../store/scenarios/row.ts'

/** What a body contains. Plain data, which is sent to parse threads. */
export type RecordFormat = UploadFormat | ImportFormat

export type UploadFormat = { shape: Shape; limits: RecordLimits } & (
  | { records: 'scenarios'; evaluation_id: string }
  | { records: 'results' }
)

/** A file of scenarios to import. Invalid records are rejected one by one. */
export interface ImportFormat extends ScenarioFile {
  records: 'import'
  shape: Shape
  limits: RecordLimits
}

/** Parses a whole body, or a block of whole lines. */
export interface RecordParser<Row> {
  readonly codec: RowCodec<Row>
  /** Yields the row of each record that the chunk completes; undefined if it is invalid. Overwrites the chunk. */
  push(chunk: Uint8Array): Generator<Row | undefined>
  end(): Generator<Row | undefined>
  /** What was wrong since the last call. */
  takeErrors(): ParseErrors
}

export interface ParseErrors {
  errors: ListedErrors
  rejections: Rejection[]
  /** Whether the rest of the file cannot be read. */
  isBroken: boolean
}

/** `start`: where the block begins in the body. */
export function createParser(format: RecordFormat, start?: RecordStart): RecordParser<unknown> {
  return format.records === 'import' ? new ImportParser(format, start) : new UploadParser(format, start)
}

/** In a scenario, a result is nested deeper than in an uploaded record, by its object and by the list. */
const RESULT_DEPTH = 2

interface RecordKind<Row> {
  noun: string
  codec: RowCodec<Row>
  limits: RecordLimits
  /** The row of a valid record. */
  read(record: JsonRecord): ValidatedRecord<unknown> & { row?: Row }
}

function recordKind(format: UploadFormat): RecordKind<ScenarioRow> | RecordKind<ResultRow> {
  const { limits } = format
  if (format.records === 'results')
    return {
      noun: 'result',
      codec: RESULT_ROW_CODEC,
      limits: { ...limits, depth: limits.depth - RESULT_DEPTH },
      read(record) {
        const validated = validateRecord(record, checkResult)
        return validated.content ? { ...validated, row: resultRow(validated.content, record) } : validated
      },
    }
  const { evaluation_id } = format
  return {
    noun: 'scenario',
    codec: SCENARIO_ROW_CODEC,
    limits,
    read(record) {
      const validated = checkEvaluationId(validateRecord(record, checkScenario), evaluation_id)
      return validated.content
        ? { ...validated, row: scenarioRow(evaluation_id, validated.content, record) }
        : validated
    },
  }
}

export class UploadParser<Row> implements RecordParser<Row> {
  readonly codec: RowCodec<Row>
  readonly errors = new ContentErrors()
  readonly #shape: Shape
  readonly #kind: RecordKind<Row>
  readonly #reader: RecordReader

  constructor(format: UploadFormat, start?: RecordStart) {
    this.#shape = format.shape
    this.#kind = recordKind(format) as RecordKind<Row>
    this.codec = this.#kind.codec
    this.#reader = new RecordReader(format.shape, this.#kind.limits, start)
  }

  push(chunk: Uint8Array): Generator<Row | undefined> {
    return this.#readRows(this.#reader.push(chunk))
  }

  end(): Generator<Row | undefined> {
    return this.#readRows(this.#reader.end())
  }

  takeErrors(): ParseErrors {
    return { errors: this.errors.take(), rejections: [], isBroken: false }
  }

  /** Throws a Problem if the body cannot be read further. */
  *#readRows(records: Iterable<JsonRecord>): Generator<Row | undefined> {
    for (const record of convertJsonErrors(records)) {
      if (this.#shape === 'array' && !this.#reader.isArray) throw notAnArrayProblem(record, this.#kind.noun)
      const { row, ...validated } = this.#kind.read(record)
      if (row === undefined) addErrors(this.errors, validated, `/${record.index}`)
      // After the first error nothing is stored; later errors are only counted.
      yield this.errors.count === 0 ? row : undefined
    }
  }
}

class ImportParser implements RecordParser<ScenarioRow> {
  readonly codec = SCENARIO_ROW_CODEC
  readonly #format: ImportFormat
  readonly #reader: RecordReader
  #rejections: Rejection[] = []
  #isBroken = false

  constructor(format: ImportFormat, start?: RecordStart) {
    this.#format = format
    this.#reader = new RecordReader(format.shape, format.limits, start)
  }

  push(chunk: Uint8Array): Generator<ScenarioRow | undefined> {
    return this.#readRows(this.#reader.push(chunk))
  }

  end(): Generator<ScenarioRow | undefined> {
    return this.#readRows(this.#reader.end())
  }

  takeErrors(): ParseErrors {
    const rejections = this.#rejections
    this.#rejections = []
    return { errors: { count: 0, listed: [] }, rejections, isBroken: this.#isBroken }
  }

  *#readRows(records: Iterable<JsonRecord>): Generator<ScenarioRow | undefined> {
    if (this.#isBroken) return
    try {
      for (const record of records) yield this.#readRow(record)
    } catch (error) {
      this.#rejections.push(rejectionOfRest(error))
      this.#isBroken = true
    }
  }

  #readRow(record: JsonRecord): ScenarioRow | undefined {
    const { evaluation_id, hasHeader } = this.#format
    if (hasHeader && record.index === 0) return undefined
    const validated = validateScenario(record, this.#format)
    if (validated.content)
      return scenarioRow(evaluation_id, validated.content, record, validated.content.value.has_generated_id)
    this.#rejections.push(...rejectionsOf(validated))
    return undefined
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

export function findOtherEvaluation(evaluationId: string, pathId: string): ValidationError[] {
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
export function addErrors(errors: ContentErrors, record: ValidatedRecord<unknown>, prefix: string): void {
  if (record.problem) throw jsonProblem(record.problem)
  errors.add(record.errors ?? [], prefix, record.place.line)
}
