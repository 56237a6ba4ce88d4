// Validates the records of an upload, in any of their media types, and collects what is wrong with invalid ones.
import type { FastifyRequest } from 'fastify'
import { Problem } from '../../errors.ts'
import { type ValidatedRecord, validateRecord } from '../../import/validate-record.ts'
import { createRecordReader, type RecordReader } from '../../json/document.ts'
import { JsonProblem } from '../../json/problem.ts'
import type { RecordLimits, Shape } from '../../json/records.ts'
import type { RecordLocation } from '../../schema/import-events.ts'
import { checkResult, checkScenario } from '../../schema/scenarios.ts'
import { ContentErrors } from '../../schema/validation/content-errors.ts'
import type { ParsedValue } from '../../schema/validation/parsed-value.ts'
import type { ValidationError, Validator } from '../../schema/validation/validator.ts'
import { requireContentType } from './body.ts'

const RECORD_SHAPES = {
  'application/json': 'array',
  'application/x-ndjson': 'lines',
  'application/jsonl': 'lines',
} as const
const RECORD_MEDIA_TYPES = Object.keys(RECORD_SHAPES) as (keyof typeof RECORD_SHAPES)[]

/** Whether the body is an array of records, or one record per line. Throws unsupported-media-type. */
export function recordShape(request: FastifyRequest): Shape {
  return RECORD_SHAPES[requireContentType(request, RECORD_MEDIA_TYPES)]
}

/** What a body contains. */
export interface UploadRecords {
  noun: 'scenario' | 'result'
  shape: Shape
  evaluation_id: string
}

const CHECKS: Record<UploadRecords['noun'], Validator<object>> = {
  scenario: checkScenario,
  result: checkResult,
}

export interface ValidRecord<Value> {
  place: RecordLocation
  content: ParsedValue<Value>
}

/** In a scenario, a result is nested deeper than in an uploaded record, by its object and by the list. */
const RESULT_DEPTH = 2

export class RecordParser {
  /** Set if a record is invalid. */
  errors: ContentErrors | undefined
  readonly #upload: UploadRecords
  readonly #reader: RecordReader

  constructor(upload: UploadRecords, limits: RecordLimits) {
    const depth = upload.noun === 'result' ? limits.depth - RESULT_DEPTH : limits.depth
    this.#upload = upload
    this.#reader = createRecordReader(upload.shape, { ...limits, depth })
  }

  /**
   * Yields each record that the chunk completes, or the end of the body without a chunk; undefined if it is not to be stored.
   * Overwrites the chunk. Throws a Problem if the body cannot be read further.
   */
  *parse(chunk?: Uint8Array): Generator<ValidRecord<unknown> | undefined> {
    const { noun, evaluation_id } = this.#upload
    try {
      for (const record of chunk ? this.#reader.push(chunk) : this.#reader.end()) {
        const validated = validateRecord(record, CHECKS[noun])
        const content = validated.content ?? this.#addErrors(validated)
        const otherId = content && findOtherEvaluation(content.value, evaluation_id)
        if (otherId) this.#addErrors({ place: validated.place, errors: [otherId] })
        // After the first error nothing is stored; later errors are only counted.
        yield this.errors || !content ? undefined : { place: validated.place, content }
      }
    } catch (error) {
      if (!(error instanceof JsonProblem)) throw error
      // Other faults of an array belong to one of its records.
      throw ['syntax', 'size'].includes(error.fault) ? jsonProblem(error) : notAnArrayProblem(noun)
    }
  }

  #addErrors(record: ValidatedRecord<unknown>): undefined {
    this.errors ??= new ContentErrors()
    addErrors(this.errors, record, `/${record.place.index}`)
  }
}

/** The error of a scenario that names another evaluation than the path. */
export function findOtherEvaluation(
  { evaluation_id: id }: { evaluation_id?: string },
  pathId: string,
): ValidationError | undefined {
  if (id === undefined || id === pathId) return undefined
  const detail = `This scenario belongs to '${id}' but was sent to '${pathId}'. Omit evaluation_id, or send the scenario to '${id}'.`
  return { pointer: '/evaluation_id', detail }
}

function jsonProblem({ fault, message, line, offset }: JsonProblem): Problem {
  if (fault === 'size') return new Problem('content-too-large', message)
  const detail = `${message} Line ${line}, byte ${offset} of the body.`
  return new Problem('invalid-json', detail, {}, { members: { line, offset } })
}

function notAnArrayProblem(noun: string): Problem {
  const errors = new ContentErrors()
  const detail = `This must be an array of ${noun}s. To send one ${noun} per line, use application/x-ndjson.`
  errors.add([{ pointer: '', detail }], '', 1)
  return errors.toProblem()
}

/** Throws invalid-json if the record is not valid JSON. */
export function addErrors(errors: ContentErrors, record: ValidatedRecord<unknown>, prefix: string): void {
  if (record.problem) throw jsonProblem(record.problem)
  errors.add(record.errors ?? [], prefix, record.place.line)
}
