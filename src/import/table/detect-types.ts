// Detects how the values of a column are written: numbers, percentages, verdicts, units.
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
  if (percentCount > 0) return null
  if (booleanCount === count && (numberCount < count || isVerdict)) return 'bool'
  if (numberCount < count) return numberCount === 0 ? 'text' : null
  if (commaCount > 0 && !detectDecimalCommas(sample)) return null
  return unit === 'percent' && max > 1 ? 'percent' : 'number'
}

/** Whether all numbers are written with decimal commas. A comma that can separate thousands is no evidence. */
export function detectDecimalCommas(sample: ColumnSample): boolean {
  const { count, numberCount, commaCount, ambiguousCommaCount, pointCount } = sample
  return numberCount === count && commaCount > ambiguousCommaCount && pointCount === 0
}

/** The unit of a latency without one in its name: milliseconds are large integers. Undefined if it is not clear. */
export function detectLatencyUnit({ count, integerCount, min, max }: ColumnSample): string | undefined {
  if (count === 0 || max <= 100) return 's'
  return integerCount === count && min >= 20 ? 'ms' : undefined
}
