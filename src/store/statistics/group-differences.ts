// Paired differences of several groups. Each group has a longer confidence interval than it would have alone, so that all
// intervals together have a confidence of 95 %. Uses no database.
import { proportionInterval, studentQuantile } from './beta-distribution.ts'
import {
  type MeasuredDifferences,
  measureDifferences,
  NO_INTERVAL,
  type PairedDifferenceStatistics,
  type PairedNumbers,
} from './paired-differences.ts'
import { roundStatistic } from './rounding.ts'

export interface GroupDifferenceStatistics extends PairedDifferenceStatistics {
  /** The confidence level of `interval`. Null without an interval. */
  confidence: number | null
  /** The part of the mean difference of all groups together that the group causes. Null if n is 0. */
  contribution: number | null
}

/** The probability that any of the intervals does not contain the true difference. */
const FAMILY_ERROR = 0.05

/** Divides the error by the number of intervals: O. J. Dunn, Multiple Comparisons among Means, JASA 56 (1961), 52–64. */
export function summarizeGroupDifferences(groups: PairedNumbers[]): GroupDifferenceStatistics[] {
  const measuredGroups = groups.map((numbers) => {
    const measured = measureDifferences(numbers)
    const { n, verdicts, clusterCount } = measured
    // Clusters of other groups do not matter.
    return { ...measured, isExact: clusterCount === n && verdicts === n }
  })
  const total = measuredGroups.reduce((sum, { n }) => sum + n, 0)
  const confidence = 1 - FAMILY_ERROR / measuredGroups.filter(hasInterval).length
  const studentQuantiles = new Map<number, number>()
  const quantileOf = (clusterCount: number) => {
    const quantile = studentQuantiles.get(clusterCount) ?? studentQuantile(confidence, clusterCount - 1)
    studentQuantiles.set(clusterCount, quantile)
    return quantile
  }
  return measuredGroups.map((group) => {
    const { clusterCount, hasVariance: _, contributionTo, intervalOf, isExact, ...measured } = group
    const statistics = { ...measured, contribution: contributionTo(total) }
    if (!hasInterval(group)) return { ...statistics, ...NO_INTERVAL, confidence: null }
    const interval = isExact ? exactInterval(group, confidence) : intervalOf(quantileOf(clusterCount))
    return { ...statistics, ...interval, confidence: roundStatistic(confidence) }
  })
}

/** Equal differences do not show that the difference is certain: a group can have two pairs. */
function hasInterval({
  clusterCount,
  hasVariance,
  isExact,
  delta,
}: MeasuredDifferences & { isExact: boolean }): boolean {
  return clusterCount > 1 && (isExact || hasVariance || delta === 0)
}

/**
 * The interval of independent verdicts: the difference is the share of pairs that change, times the balance of their
 * directions, and both have an exact interval. It excludes 0 exactly if McNemar's exact test rejects at the same confidence.
 */
function exactInterval(
  { n, higher, lower }: MeasuredDifferences,
  confidence: number,
): Pick<PairedDifferenceStatistics, 'interval' | 'side'> {
  const changed = higher + lower
  const share = proportionInterval(changed, n, confidence)
  const [lowest, highest] = proportionInterval(higher, changed, confidence).map(
    (proportion) => 2 * proportion - 1,
  ) as [number, number]
  const low = lowest * share[lowest < 0 ? 1 : 0]
  const high = highest * share[highest > 0 ? 1 : 0]
  return {
    interval: [roundStatistic(low) ?? low, roundStatistic(high) ?? high],
    side: low > 0 ? 1 : high < 0 ? -1 : 0,
  }
}
