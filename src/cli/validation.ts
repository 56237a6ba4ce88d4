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

/** Scripts pass an empty argument if a variable is not set. */
export function checkEvaluations(ids: string[]): void {
  const duplicate = ids.find((id, index) => ids.indexOf(id) !== index)
  if (duplicate !== undefined) throw new UsageError(`The evaluation '${duplicate}' is listed twice.`)
  if (ids.includes('')) throw new UsageError('The id of an evaluation is empty.')
}

/** Whether the cells of CSV must not look like formulas. */
export function checkCsv(csv: string | undefined, format: string | undefined): boolean {
  if (csv !== undefined && csv !== 'excel') throw new UsageError(`--csv is '${csv}', which is not excel.`)
  if (csv !== undefined && format !== 'csv') throw new UsageError('--csv needs --format csv.')
  return csv !== undefined
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
