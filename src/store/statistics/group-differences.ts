// Paired differences of several groups. Each group has a longer confidence interval than it would have alone, so that all
// intervals together have a confidence of 95 %. Uses no database.
import { measureDifferences } from './measured-differences.ts'
import {
  canConclude,
  concludeDifferences,
  type PairedDifferenceStatistics,
  type PairedNumbers,
} from './paired-differences.ts'
import { roundStatistic } from './rounding.ts'

export interface GroupDifferenceStatistics extends PairedDifferenceStatistics {
  /** The confidence level of the conclusion. Null if nothing can be concluded. */
  confidence: number | null
  /** The part of the mean difference of all groups together that the group causes. Null if n is 0. */
  contribution: number | null
}

/** The probability that any of the intervals does not contain the true difference. */
const FAMILY_ERROR = 0.05

/** Divides the error by the number of conclusions: O. J. Dunn, Multiple Comparisons among Means, JASA 56 (1961), 52–64. */
export function summarizeGroupDifferences(groups: PairedNumbers[]): GroupDifferenceStatistics[] {
  const measuredGroups = groups.map(measureDifferences)
  const total = measuredGroups.reduce((sum, { summary }) => sum + summary.n, 0)
  const confidence = 1 - FAMILY_ERROR / measuredGroups.filter(canConclude).length
  return measuredGroups.map((measured) => ({
    ...measured.summary,
    ...concludeDifferences(measured, confidence),
    confidence: canConclude(measured) ? roundStatistic(confidence) : null,
    contribution: measured.unscale(measured.scaledDelta * (measured.summary.n / total)),
  }))
}
