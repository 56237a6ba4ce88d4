// Parses the expiry time of a new key.
import { normalizeTime } from '../schema/times.ts'
import { parseDuration } from '../settings/setting-types.ts'
import { usageError } from '../settings/settings.ts'

/** Accepts an RFC 3339 time or a duration from now. Rejects times in the past. */
export function readExpiry(text: string, command: string): string {
  const isTime = /^\d{4}-\d\d-\d\d[Tt ]/.test(text)
  const expiry = isTime
    ? normalizeTime(text)
    : new Date(Date.now() + parseDuration('--expires', text)).toISOString()
  if (expiry === undefined) throw usageError(`--expires is '${text}', which is not a valid time.`, command)
  if (Date.parse(expiry) <= Date.now()) {
    throw usageError(`--expires is '${text}', which is in the past.`, command)
  }
  return expiry
}
