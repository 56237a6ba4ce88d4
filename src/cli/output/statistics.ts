// Formats means and changes for reports, with their units.
import { countOf } from './progress.ts'

/** Formats a name from user data, such as an evaluation id. */
export type FormatName = (name: string) => string

export interface Unit {
  factor: number
  prefix: string
  suffix: string
  changeSuffix: string
}

export const PLAIN: Unit = { factor: 1, prefix: '', suffix: '', changeSuffix: '' }
export const RATE: Unit = { factor: 100, prefix: '', suffix: ' %', changeSuffix: ' pp' }
export const DOLLARS: Unit = { factor: 1, prefix: '$', suffix: '', changeSuffix: '' }
export const SECONDS: Unit = { factor: 1, prefix: '', suffix: ' s', changeSuffix: ' s' }

/** Cell text of a missing value. */
export const NO_VALUE = '-'

/** The mean of a baseline and of a candidate, and their difference. */
export interface MeanChange {
  base_mean: number | null
  mean: number | null
  delta: number | null
  interval: number[] | null
}

/** Cells of a table: baseline, candidate, change and confidence interval. */
export function changeCells({ base_mean, mean, delta, interval }: MeanChange, unit: Unit): string[] {
  const digits = fractionDigits([base_mean, mean, delta], unit)
  const [low = null, high = null] = interval ?? []
  return [
    formatMean(base_mean, unit, digits),
    formatMean(mean, unit, digits),
    formatChange(delta, unit, digits, unit.changeSuffix),
    interval
      ? `${formatChange(low, unit, digits)} to ${formatChange(high, unit, digits, unit.changeSuffix)}`
      : NO_VALUE,
  ]
}

/** Decimal places: one for rates, otherwise four significant digits of the largest value. */
export function fractionDigits(values: (number | null)[], unit: Unit): number {
  if (unit === RATE) return 1
  const largest = Math.max(...values.map((value) => Math.abs(value ?? 0)))
  return largest === 0 ? 3 : Math.min(12, Math.max(0, 3 - Math.floor(Math.log10(largest))))
}

export function formatMean(value: number | null, unit: Unit, digits: number): string {
  if (value === null) return NO_VALUE
  const text = `${unit.prefix}${formatUnsigned(value * unit.factor, digits)}${unit.suffix}`
  return value < 0 && !isZero(text) ? `-${text}` : text
}

export function formatChange(value: number | null, unit: Unit, digits: number, suffix = ''): string {
  if (value === null) return NO_VALUE
  const text = `${unit.prefix}${formatUnsigned(value * unit.factor, digits)}${suffix}`
  if (isZero(text)) return text
  return value < 0 ? `-${text}` : `+${text}`
}

/** Uses exponential notation for very large and very small values. */
export function formatUnsigned(value: number, digits: number): string {
  const size = Math.abs(value)
  return size >= 1e9 || (size > 0 && digits === 12) ? size.toPrecision(4) : size.toFixed(digits)
}

/** Whether all digits of a formatted number are zero. */
export function isZero(text: string): boolean {
  return !/[1-9]/.test(text)
}

/** For example `a, b and c`. Lists at most `limit` names and the number of others. */
export function joinNames(names: string[], limit = 10): string {
  const otherCount = names.length - limit
  if (otherCount > 0) return `${names.slice(0, limit).join(', ')} and ${countOf(otherCount, 'other')}`
  const lastName = names.at(-1) ?? ''
  return names.length < 2 ? lastName : `${names.slice(0, -1).join(', ')} and ${lastName}`
}
