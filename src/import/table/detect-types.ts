// Detects how the values of a column are written: numbers, percentages, verdicts, units.
import type { Commas } from './columns.ts'
import type { ColumnSample } from './sample.ts'

/** Whether all values are true and false, except those that say that the evaluator failed. */
export function fitsVerdicts({ count, booleanCount, errorCount }: ColumnSample): boolean {
  return booleanCount > 0 && booleanCount + errorCount === count
}

/** The type of a score column. Null if its values have no common type. */
export function detectScoreType(
  sample: ColumnSample,
  unit: string | undefined,
  isVerdict = false,
): string | null {
  const { numberCount, percentCount, ratingCount, scales, commaCount, max } = sample
  const count = sample.count - sample.errorCount
  if (count === 0) return sample.count === 0 ? null : 'text'
  if (percentCount === count) return 'percent'
  if (percentCount > 0 && !hasMixedPercentages(sample)) return null
  if (fitsVerdicts(sample) && (numberCount < count || isVerdict)) return 'bool'
  // Ratings of different scales cannot be compared.
  if (ratingCount > 0 && ratingCount + numberCount === count) return scales.size === 1 ? 'rating' : 'text'
  if (numberCount < count) return numberCount === 0 ? 'text' : null
  if (commaCount > 0 && detectCommas(sample) === null) return null
  return unit === 'percent' && max > 1 ? 'percent' : 'number'
}

/** What commas separate in the numbers of a column. `1,500` alone is no evidence, but `1,500` and `2.5` are. */
export function detectCommas(sample: ColumnSample): Commas | null {
  const { count, numberCount, errorCount, commaCount, ambiguousCommaCount, groupedCount, pointCount } = sample
  if (numberCount + errorCount < count || commaCount === 0) return null
  const decimalCount = commaCount - ambiguousCommaCount - groupedCount
  if (decimalCount === 0) return groupedCount > 0 || pointCount > 0 ? 'thousands' : null
  return groupedCount === 0 && pointCount === 0 ? 'decimal' : null
}

/** Whether some numbers have a percent sign, and the others are from 0 to 1. */
export function hasMixedPercentages(sample: ColumnSample): boolean {
  const { count, numberCount, percentCount, errorCount, min, maxPlain } = sample
  const isNumeric = numberCount + errorCount === count
  return percentCount > 0 && percentCount < numberCount && isNumeric && min >= 0 && maxPlain <= 1
}

/** The unit of a latency without one in its name: milliseconds are large integers. Undefined if it is not clear. */
export function detectLatencyUnit({ count, integerCount, min, max }: ColumnSample): string | undefined {
  if (count === 0 || max <= 100) return 's'
  return integerCount === count && min >= 20 ? 'ms' : undefined
}
