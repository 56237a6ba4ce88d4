// Parses RFC 3339 timestamps and normalizes them to one format.
import { Type } from './schema-builders.ts'
import { defineFormat } from './validation/formats.ts'

const RFC_3339 =
  /^(\d{4}-\d\d-\d\d)[Tt ]((?:[01]\d|2[0-3]):[0-5]\d):([0-5]\d|60)(\.\d+)?([Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/

/** Returns UTC with milliseconds, as 2026-11-15T09:15:00.123Z. Undefined if the text is not an RFC 3339 timestamp. */
export function normalizeTime(text: string): string | undefined {
  const [, day = '', minute, second, fraction = '', offset = ''] = RFC_3339.exec(text) ?? []
  if (second === undefined || !isDay(day)) return undefined
  // Date does not support leap seconds. They are read as the first second of the next minute.
  const leapMs = second === '60' ? 1000 : 0
  const time = Date.parse(`${day}T${minute}:${leapMs > 0 ? '59' : second}${fraction}${offset.toUpperCase()}`)
  const utcTime = Number.isNaN(time) ? '' : new Date(time + leapMs).toISOString()
  // The offset can move a time beyond the year 9999.
  return /^\d{4}-/.test(utcTime) ? utcTime : undefined
}

defineFormat(
  'timestamp',
  (text) => normalizeTime(text) !== undefined,
  'This must be an RFC 3339 timestamp, such as 2026-11-15T09:15:00.123Z.',
)

/** A timestamp in a request. */
export const timestampSchema = (description: string) => Type.String({ format: 'timestamp', description })

/** Date.parse reads 30 February as 2 March. */
function isDay(day: string): boolean {
  const time = Date.parse(day)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day)
}
