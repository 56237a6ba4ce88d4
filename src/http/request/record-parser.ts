// Validates the records of an upload, and collects what is wrong with invalid ones.
import { Problem } from '../../errors.ts'
import { type ValidatedRecord, validateRecord } from '../../import/validate-record.ts'
import { JsonProblem } from '../../json/problem.ts'
import { type JsonRecord, type RecordLimits, RecordReader, type Shape } from '../../json/records.ts'
import type { RecordLocation } from '../../schema/import-events.ts'
import { checkResult, checkScenario, type ScenarioWrite } from '../../schema/scenarios.ts'
import { ContentErrors } from '../../schema/validation/content-errors.ts'
import type { ParsedValue } from '../../schema/validation/parsed-value.ts'
import type { ValidationError } from '../../schema/validation/validator.ts'

/** What a body contains. */
export type UploadRecords = { shape: Shape } & (
  | { records: 'scenarios'; evaluation_id: string }
  | { records: 'results' }
)

export interface ValidRecord<Value> {
  place: RecordLocation
  content: ParsedValue<Value>
}

/** In a scenario, a result is nested deeper than in an uploaded record, by its object and by the list. */
const RESULT_DEPTH = 2

interface RecordKind {
  noun: string
  limits: RecordLimits
  validate(record: JsonRecord): ValidatedRecord<unknown>
}

function recordKind(upload: UploadRecords, limits: RecordLimits): RecordKind {
  if (upload.records === 'results')
    return {
      noun: 'result',
      limits: { ...limits, depth: limits.depth - RESULT_DEPTH },
      validate: (record) => validateRecord(record, checkResult),
    }
  const { evaluation_id } = upload
  return {
    noun: 'scenario',
    limits,
    validate: (record) => checkEvaluationId(validateRecord(record, checkScenario), evaluation_id),
  }
}

export class RecordParser {
  readonly errors = new ContentErrors()
  readonly #shape: Shape
  readonly #kind: RecordKind
  readonly #reader: RecordReader

  constructor(upload: UploadRecords, limits: RecordLimits) {
    this.#shape = upload.shape
    this.#kind = recordKind(upload, limits)
    this.#reader = new RecordReader(upload.shape, this.#kind.limits)
  }

  /** Yields each record that the chunk completes; undefined if it is not to be stored. Overwrites the chunk. */
  push(chunk: Uint8Array): Generator<ValidRecord<unknown> | undefined> {
    return this.#validate(this.#reader.push(chunk))
  }

  end(): Generator<ValidRecord<unknown> | undefined> {
    return this.#validate(this.#reader.end())
  }

  /** Throws a Problem if the body cannot be read further. */
  *#validate(records: Iterable<JsonRecord>): Generator<ValidRecord<unknown> | undefined> {
    for (const record of convertJsonErrors(records)) {
      if (this.#shape === 'array' && !this.#reader.isArray) throw notAnArrayProblem(record, this.#kind.noun)
      const validated = this.#kind.validate(record)
      if (!validated.content) addErrors(this.errors, validated, `/${record.index}`)
      // After the first error nothing is stored; later errors are only counted.
      yield this.errors.count === 0 && validated.content ? validated : undefined
    }
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
