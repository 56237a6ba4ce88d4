// The row of a scenario as a line of a buffer. Rows are derived before the transaction, because other writes wait during it.
import type { Value } from '../dialect/dialect.ts'
import type { ScenarioRow } from './row.ts'

/** In no JSON text: a string would escape it. */
const SEPARATOR = '\x1f'
const SEPARATOR_BYTE = 0x1f

/** Bytes as a list of one text, in base64: ASCII is written and read faster. */
type JsonValue = Exclude<Value, Uint8Array> | [bytes: string]

/** The members that are objects or bytes in a row. */
type RowHead = Omit<ScenarioRow, 'body' | 'extra' | 'digest' | 'measure' | 'inputs'> & {
  digest: JsonValue
  measure: JsonValue[]
  inputs: JsonValue[][]
}

export function rowLine({ body, extra, ...row }: ScenarioRow): string {
  const head: RowHead = {
    ...row,
    digest: toJsonValue(row.digest),
    measure: row.measure.map(toJsonValue),
    inputs: row.inputs.map((values) => values.map(toJsonValue)),
  }
  return `${JSON.stringify(head)}${SEPARATOR}${body}${SEPARATOR}${extra ?? ''}`
}

export function readRowLine(line: Buffer): ScenarioRow {
  const headEnd = line.indexOf(SEPARATOR_BYTE)
  const bodyEnd = line.indexOf(SEPARATOR_BYTE, headEnd + 1)
  const head: RowHead = JSON.parse(line.toString('utf8', 0, headEnd))
  const extra = line.toString('utf8', bodyEnd + 1)
  return {
    ...head,
    digest: fromJsonValue(head.digest) as Uint8Array,
    measure: head.measure.map(fromJsonValue),
    inputs: head.inputs.map((values) => values.map(fromJsonValue)),
    body: line.toString('utf8', headEnd + 1, bodyEnd),
    extra: extra === '' ? null : extra,
  }
}

function toJsonValue(value: Value): JsonValue {
  return value instanceof Uint8Array ? [(value as Buffer).toString('base64')] : value
}

function fromJsonValue(value: JsonValue): Value {
  return Array.isArray(value) ? Buffer.from(value[0], 'base64') : value
}
