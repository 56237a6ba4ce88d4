// The row of a scenario as a line of a buffer. Rows are derived before the transaction, because other writes wait during it.
import type { Value } from '../dialect/dialect.ts'
import type { ScenarioColumns } from './derived-columns.ts'
import type { ScenarioRow } from './row.ts'

/** Between the parts of a line. In no JSON text: a string would escape it. */
const SEPARATOR = '\x1f'
const SEPARATOR_BYTE = 0x1f

const DIGEST_BYTES = 32

/** Instead of bytes: how many. All bytes of a row are one text in base64, because one text is decoded faster than several. */
type JsonValue = Exclude<Value, Uint8Array> | [count: number]

/** A list, because JSON lists are read faster than objects. */
type RowHead = [
  location: [index: number, line: number] | null,
  id: string,
  hasGeneratedId: boolean,
  measure: JsonValue[],
  repetition: Value[],
  answer: Value[],
  results: Value[][],
  inputs: JsonValue[][],
]

export function rowLine(row: ScenarioRow): string {
  const { location, names, body, extra, digest } = row
  const bytes = [digest]
  const toJsonValue = (value: Value): JsonValue => {
    if (!(value instanceof Uint8Array)) return value
    bytes.push(value)
    return [value.length]
  }
  const head: RowHead = [
    location && [location.index, location.line],
    row.id,
    row.hasGeneratedId,
    row.measure.map(toJsonValue),
    row.repetition,
    row.answer,
    row.results,
    row.inputs.map((values) => values.map(toJsonValue)),
  ]
  const encoded = Buffer.concat(bytes).toString('base64')
  return `${JSON.stringify(names)}${SEPARATOR}${JSON.stringify(head)}${SEPARATOR}${encoded}${SEPARATOR}${body}${SEPARATOR}${extra ?? ''}`
}

/** Most rows have the same names as the row before. */
let lastNames = { text: '', names: {} as ScenarioColumns }

/** Rows can share the object of their names. */
export function readRowLine(line: Buffer): ScenarioRow {
  const namesEnd = line.indexOf(SEPARATOR_BYTE)
  const headEnd = line.indexOf(SEPARATOR_BYTE, namesEnd + 1)
  const bytesEnd = line.indexOf(SEPARATOR_BYTE, headEnd + 1)
  const bodyEnd = line.indexOf(SEPARATOR_BYTE, bytesEnd + 1)
  const namesText = line.toString('utf8', 0, namesEnd)
  if (namesText !== lastNames.text) lastNames = { text: namesText, names: JSON.parse(namesText) }
  const head: RowHead = JSON.parse(line.toString('utf8', namesEnd + 1, headEnd))
  const [location, id, hasGeneratedId, measure, repetition, answer, results, inputs] = head
  const bytes = Buffer.from(line.toString('latin1', headEnd + 1, bytesEnd), 'base64')
  let start = restoreBytes(measure, bytes, DIGEST_BYTES)
  for (const values of inputs) start = restoreBytes(values, bytes, start)
  return {
    location: location && { index: location[0], line: location[1] },
    id,
    hasGeneratedId,
    digest: bytes.subarray(0, DIGEST_BYTES),
    measure: measure as Value[],
    repetition,
    answer,
    results,
    inputs: inputs as Value[][],
    names: lastNames.names,
    body: line.toString('utf8', bytesEnd + 1, bodyEnd),
    extra: bodyEnd + 1 === line.length ? null : line.toString('utf8', bodyEnd + 1),
  }
}

/** Replaces each number of bytes by those bytes. Returns the end of the last ones. */
function restoreBytes(values: (JsonValue | Value)[], bytes: Buffer, start: number): number {
  let end = start
  for (const [index, value] of values.entries()) {
    if (!Array.isArray(value)) continue
    values[index] = bytes.subarray(end, end + value[0])
    end += value[0]
  }
  return end
}
