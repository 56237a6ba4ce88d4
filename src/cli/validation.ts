// Validates values of settings that several commands have.
import { UsageError } from '../errors.ts'
import { GROUP_KEY_PATTERN } from '../schema/analysis/breakdown-query.ts'
import { isId } from '../schema/ids.ts'
import { normalizeTime } from '../schema/times.ts'
import { parseDuration } from '../settings/setting-types.ts'
import type { Settings } from '../settings/settings.ts'

/** Ids, and the names of projects and keys, have the same rules. */
export function checkNames(
  settings: Settings,
  ...names: ('evaluation' | 'variant' | 'baseline' | 'project' | 'name')[]
): void {
  const invalidName = names.find((name) => settings[name] !== undefined && !isId(settings[name]))
  if (invalidName) throw new UsageError(`--${invalidName} must have 1 to 200 printable characters.`)
}

/** Throws UsageError if --by is not a grouping. */
export function checkGroupKey(by: string): void {
  if (!new RegExp(GROUP_KEY_PATTERN).test(by))
    throw new UsageError(`--by is '${by}', but must be input.NAME, result.EVALUATOR or error.`)
}

/** Accepts an RFC 3339 time, a date, which is midnight UTC, or a duration before now. */
export function readPastTime(name: string, text: string): string {
  const isTime = /^\d{4}-\d\d-\d\d([Tt ]|$)/.test(text)
  const time = isTime
    ? normalizeTime(text.length === 10 ? `${text}T00:00:00Z` : text)
    : new Date(Date.now() - parseDuration(`--${name}`, text)).toISOString()
  if (time === undefined) throw new UsageError(`--${name} is '${text}', which is not a valid time.`)
  return time
}

/** Accepts an RFC 3339 time or a duration from now. Rejects times in the past. */
export function readExpiry(text: string): string {
  const isTime = /^\d{4}-\d\d-\d\d[Tt ]/.test(text)
  const expiry = isTime
    ? normalizeTime(text)
    : new Date(Date.now() + parseDuration('--expires', text)).toISOString()
  if (expiry === undefined) throw new UsageError(`--expires is '${text}', which is not a valid time.`)
  if (Date.parse(expiry) <= Date.now()) {
    throw new UsageError(`--expires is '${text}', which is in the past.`)
  }
  return expiry
}
