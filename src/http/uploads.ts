// Written bodies, judged: one document, or a stream of scenarios that is set aside until all of it is good.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import { Problem } from '../errors.ts'
import { type Judged, judgeRecord } from '../import/records.ts'
import { JsonProblem } from '../json/problem.ts'
import { type JsonRecord, RecordReader } from '../json/records.ts'
import { type ScanLimits, scan } from '../json/scan.ts'
import { release } from '../rendition/chunk.ts'
import type { Checker } from '../schema/check.ts'
import { clipped } from '../schema/clipped.ts'
import { checkScenario, type ScenarioWrite } from '../schema/scenarios.ts'
import type { Written } from '../schema/written.ts'
import { recordLimits, type Settings } from '../settings.ts'
import { SCENARIO_PACKING, type ScenarioRow, scenarioRow } from '../store/scenario-rows.ts'
import { Spool } from '../store/spool.ts'
import { scratchFolder } from '../store/store.ts'
import { bodyType, readBody, readWholeBody } from './body.ts'

/** So long other requests may wait for this one, a single record aside. */
const TURN_MS = 10

type Seen = (chunk: Uint8Array) => void

const SHAPES = { 'application/json': 'array', 'application/x-ndjson': 'lines' } as const
const SCENARIO_TYPES = Object.keys(SHAPES) as (keyof typeof SHAPES)[]

/** A body that is one object. */
export async function readDocument<Value>(
  request: FastifyRequest,
  settings: Settings,
  check: Checker<Value>,
  seen: Seen,
): Promise<Written<Value>> {
  bodyType(request, ['application/json'])
  const bytes = await readWholeBody(request, settings)
  seen(bytes)
  const judged = judgeRecord(scanDocument(bytes, recordLimits(settings)), check)
  if (judged.written) return judged.written
  const found = new ContentErrors()
  found.add(judged, '')
  throw found.problem()
}

function scanDocument(bytes: Buffer, limits: ScanLimits): JsonRecord {
  const place = { index: 0, line: 1, offset: 0 }
  try {
    return { ...place, scanned: scan(bytes, limits) }
  } catch (error) {
    if (!(error instanceof JsonProblem)) throw error
    const { fault, message, offset, line, pointer } = error
    return { ...place, problem: new JsonProblem(fault, message, offset, line + 1, pointer) }
  }
}

/** The scenarios of a body, as rows. The caller closes the spool; it is closed here when the body is no good. */
export async function readScenarios(
  request: FastifyRequest,
  settings: Settings,
  evaluation_id: string,
  seen: Seen,
): Promise<Spool<ScenarioRow>> {
  const shape = SHAPES[bodyType(request, SCENARIO_TYPES)]
  const rows = new Spool(scratchFolder(settings), SCENARIO_PACKING)
  const reader = new RecordReader(shape, recordLimits(settings))
  const found = new ContentErrors()

  let turn = performance.now()
  async function take(records: Iterable<JsonRecord>): Promise<void> {
    for (const record of asProblems(records)) {
      if (performance.now() - turn > TURN_MS) {
        await nextTurn()
        turn = performance.now()
      }
      if (shape === 'array' && !reader.isArray) throw notAnArray(record)
      const { written, ...refused } = ofEvaluation(judgeRecord(record, checkScenario), evaluation_id)
      if (!written) found.add(refused as Judged<never>, `/${record.index}`)
      // With one error nothing will be stored; the rest is only counted.
      else if (found.count === 0) await rows.add(scenarioRow(evaluation_id, written, record))
    }
  }

  try {
    for await (const chunk of readBody(request, settings)) {
      seen(chunk)
      await take(reader.push(chunk))
      release(chunk)
    }
    await take(reader.end())
    if (found.count > 0) throw found.problem()
    return rows
  } catch (error) {
    await rows.close()
    throw error
  }
}

function ofEvaluation(judged: Judged<ScenarioWrite>, id: string): Judged<ScenarioWrite> {
  const named = judged.written?.value.evaluation_id
  if (named === undefined || named === id) return judged
  const detail = `This scenario is of '${named}', and was sent to '${id}'. Leave evaluation_id out, or send it there.`
  return { place: judged.place, errors: [{ pointer: '/evaluation_id', detail }] }
}

/** What spoils a whole body is told at once. */
function* asProblems(records: Iterable<JsonRecord>): Generator<JsonRecord> {
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

function notAnArray(record: JsonRecord): Problem {
  if (record.problem?.fault === 'syntax') return jsonProblem(record.problem)
  const found = new ContentErrors()
  const detail = 'This must be an array of scenarios. For one a line send application/x-ndjson.'
  found.add({ place: record, errors: [{ pointer: '', detail }] }, '')
  return found.problem()
}

const LISTED = 100

/** What does not fit in a body: the first of it in words, all of it counted. */
class ContentErrors {
  count = 0
  readonly #first: { pointer: string; line: number; detail: string }[] = []

  /** Throws at what is no JSON at all. */
  add({ place, problem, errors = [] }: Judged<unknown>, prefix: string): void {
    if (problem) throw jsonProblem(problem)
    this.count += errors.length
    for (const { pointer, detail } of errors) {
      if (this.#first.length === LISTED) return
      this.#first.push({ pointer: clipped(prefix + pointer), line: place.line, detail: clipped(detail) })
    }
  }

  problem(): Problem {
    const [first] = this.#first
    const where = first?.pointer === '' ? '' : ` (at ${first?.pointer}, line ${first?.line})`
    const more = this.count === 1 ? '' : ` There are ${this.count} such errors.`
    const detail = `${first?.detail}${where}${more} Nothing was stored.`
    return new Problem(
      'invalid-content',
      detail,
      {},
      { members: { errors: this.#first, error_count: this.count } },
    )
  }
}
