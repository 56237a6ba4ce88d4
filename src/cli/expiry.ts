// When a key that a command makes ends.
import { normaliseTime } from '../schema/times.ts'
import { readDuration } from '../setting-kinds.ts'
import { wrongUse } from '../settings.ts'

/** RFC 3339, or a span from now. A key that is over before it begins is a mistake. */
export function readExpiry(text: string, command: string): string {
  const looksLikeTime = /^\d{4}-\d\d-\d\d[Tt ]/.test(text)
  const expiry = looksLikeTime
    ? normaliseTime(text)
    : new Date(Date.now() + readDuration('--expires', text)).toISOString()
  if (expiry === undefined)
    throw wrongUse(`--expires is '${text}', which is no time of the calendar.`, command)
  if (Date.parse(expiry) <= Date.now()) {
    throw wrongUse(`--expires is '${text}', which has passed.`, command)
  }
  return expiry
}
