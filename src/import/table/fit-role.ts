// Decides from the values of a column whether it can have the role that its name suggests, and which role values have by
// themselves. No other file decides about roles by values.
import type { NameMeaning } from './column-names.ts'
import type { ColumnChoice } from './columns.ts'
import { detectLatencyUnit, fitsVerdicts } from './detect-types.ts'
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
export function hasVerdicts(sample: ColumnSample, isAfterOutput: boolean): boolean {
  return isVerdictColumn(sample) || (isAfterOutput && sample.numberCount === 0 && fitsVerdicts(sample))
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
