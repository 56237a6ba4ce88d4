// Detects how the values of a column are written: numbers, percentages, verdicts, units.
import type { Commas } from './columns.ts'
import type { ColumnSample } from './sample.ts'

const MAX_LABEL_CHARACTERS = 40
const MAX_LABELS = 20

/** Whether the values can be scores: numbers, true and false, or a few short labels. Long texts are never scores. */
export function isScoreLike(sample: ColumnSample, allowsLabels: boolean): boolean {
  const { count, numberCount, booleanCount, maxLength, distinctCount, nestedCount, hasLineBreaks } = sample
  if (nestedCount > 0 || hasLineBreaks) return false
  if (count === 0 || numberCount === count || booleanCount === count) return true
  return allowsLabels && maxLength <= MAX_LABEL_CHARACTERS && distinctCount <= MAX_LABELS
}

/** The type of a score column. Null if its values have no common type. */
export function detectScoreType(
  sample: ColumnSample,
  unit: string | undefined,
  isVerdict = false,
): string | null {
  const { count, numberCount, percentCount, booleanCount, commaCount, max } = sample
  if (count === 0) return null
  if (percentCount === count) return 'percent'
  if (percentCount > 0 && !hasMixedPercentages(sample)) return null
  if (booleanCount === count && (numberCount < count || isVerdict)) return 'bool'
  if (numberCount < count) return numberCount === 0 ? 'text' : null
  if (commaCount > 0 && detectCommas(sample) === null) return null
  return unit === 'percent' && max > 1 ? 'percent' : 'number'
}

/** What commas separate in the numbers of a column. `1,500` alone is no evidence, but `1,500` and `2.5` are. */
export function detectCommas(sample: ColumnSample): Commas | null {
  const { count, numberCount, commaCount, ambiguousCommaCount, groupedCount, pointCount } = sample
  if (numberCount < count || commaCount === 0) return null
  const decimalCount = commaCount - ambiguousCommaCount - groupedCount
  if (decimalCount === 0) return groupedCount > 0 || pointCount > 0 ? 'thousands' : null
  return groupedCount === 0 && pointCount === 0 ? 'decimal' : null
}

/** Whether some numbers have a percent sign, and the others are from 0 to 1. */
export function hasMixedPercentages(sample: ColumnSample): boolean {
  const { count, numberCount, percentCount, min, maxPlain } = sample
  return percentCount > 0 && percentCount < count && numberCount === count && min >= 0 && maxPlain <= 1
}

/** The unit of a latency without one in its name: milliseconds are large integers. Undefined if it is not clear. */
export function detectLatencyUnit({ count, integerCount, min, max }: ColumnSample): string | undefined {
  if (count === 0 || max <= 100) return 's'
  return integerCount === count && min >= 20 ? 'ms' : undefined
}
