// Decides from the values of a column whether it can have the role that its name suggests, which role values have by
// themselves, and how they are written. No other file decides about roles by values.
import type { NameMeaning } from './column-names.ts'
import type { ColumnChoice, Commas } from './columns.ts'
import type { ProviderSample } from './providers.ts'
import type { ColumnSample } from './sample.ts'

const MAX_LABEL_CHARACTERS = 40
const MAX_LABELS = 20

/** What a role depends on besides the column. */
interface Context {
  name: string
  isAfterOutput(): boolean
  /** Whether the values identify rows. */
  hasUniqueValues(): boolean
  provider?: ProviderSample | undefined
}

/** The role with its type, or undefined if the values do not fit the name. */
export function fitRole(
  { role, rank, unit, isWeak = false, isNumeric = false, needsPairs = false }: NameMeaning,
  sample: ColumnSample,
  { name, isAfterOutput, hasUniqueValues, provider }: Context,
): ColumnChoice | undefined {
  const { count, numberCount, booleanCount, nestedCount, costCount, latencyCount } = sample
  switch (role) {
    case 'id':
      return nestedCount === 0 && hasUniqueValues() ? { role } : undefined
    case 'repetition':
      return isCounter(sample) ? { role } : undefined
    case 'provider': {
      if (!provider) return count === 0 ? { role } : undefined
      if (!provider.isComplete) return undefined
      const hasSeveral = provider.values.length > 1
      return (hasSeveral ? provider.isPaired : !needsPairs) ? { role } : undefined
    }
    case 'error':
      return isFlag(sample) ? undefined : { role }
    case 'cost':
      if (numberCount + costCount < count) return undefined
      return unit === undefined || unit === 'usd' || unit === 'cents'
        ? { role, type: unit ?? 'usd' }
        : undefined
    case 'latency': {
      const type = unit ?? detectLatencyUnit(sample)
      const isMeasured = numberCount + latencyCount >= count
      return isMeasured && ['s', 'ms', 'us', 'min'].includes(type ?? '') ? { role, type } : undefined
    }
    case 'score':
      if (isNumeric && count === 0) return undefined
      return (isWeak ? isAfterOutput() && isScoreLike(sample, false) : isScoreLike(sample, !isNumeric))
        ? { role }
        : undefined
    case 'expected':
      // correct_answer can contain verdicts.
      return count > 0 && /^correct/i.test(name) && booleanCount === count ? undefined : { role }
    case 'output':
      // A result that is always pass or fail is a score.
      return rank >= 3 && isVerdictColumn(sample) ? undefined : { role }
    default:
      return { role }
  }
}

/** Whether the values are scores, although the name says nothing or something else. */
export function areScores(sample: ColumnSample, isAfterOutput: boolean): boolean {
  const { count, numberCount, ratingCount, scales } = sample
  const haveScale = ratingCount > 0 && ratingCount === count && scales.size === 1
  return (
    isVerdictColumn(sample) || (isAfterOutput && (haveScale || (numberCount === 0 && fitsVerdicts(sample))))
  )
}

/** Whether the values can be scores: numbers, true and false, or a few short labels. Long texts are never scores. */
function isScoreLike(sample: ColumnSample, allowsLabels: boolean): boolean {
  const {
    count,
    numberCount,
    ratingCount,
    errorCount,
    maxLength,
    distinctCount,
    nestedCount,
    hasLineBreaks,
  } = sample
  if (nestedCount > 0) return false
  if (numberCount + ratingCount + errorCount === count && errorCount < Math.max(count, 1)) return true
  if (fitsVerdicts(sample)) return true
  return allowsLabels && !hasLineBreaks && maxLength <= MAX_LABEL_CHARACTERS && distinctCount <= MAX_LABELS
}

/** Numbers, and words such as yes and no, are not messages. */
function isFlag({ count, numberCount, booleanCount, noErrorCount }: ColumnSample): boolean {
  return count > 0 && (numberCount === count || booleanCount === count || noErrorCount === count)
}

function isVerdictColumn({ count, verdictCount, errorCount }: ColumnSample): boolean {
  return verdictCount > 0 && verdictCount + errorCount === count
}

function isCounter({ count, integerCount, percentCount, commaCount, min }: ColumnSample): boolean {
  return count > 0 && integerCount === count && percentCount + commaCount === 0 && min >= 0
}

/** Whether all values are true and false, except those that say that the evaluator failed. */
function fitsVerdicts({ count, booleanCount, errorCount }: ColumnSample): boolean {
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
function detectLatencyUnit({ count, integerCount, min, max }: ColumnSample): string | undefined {
  if (count === 0 || max <= 100) return 's'
  return integerCount === count && min >= 20 ? 'ms' : undefined
}
