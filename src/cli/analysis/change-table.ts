// The table of the groups of a change, and the notes below it.
import type { GroupChange } from '../../schema/analysis/breakdowns.ts'
import { countOf, formatCount } from '../output/progress.ts'
import { changeCells, NO_VALUE } from '../output/statistics.ts'
import { formatShare, shareOf } from './explanation.ts'
import { formatLabel, type ReportStyle } from './group-labels.ts'
import { type ChangePart, formatMetric, type MetricChange } from './metric-changes.ts'

const MAX_ROWS = 20
const HEADINGS = ['rows', 'baseline', 'candidate', 'change', 'confidence interval', 'share', 'outcome']
/** The probability that an interval does not contain the true change, over all groups together. */
const ERROR_RATE = 0.05

/** The groups with the largest contributions, one row for all others, and one for all rows. */
export function changeTable(metric: MetricChange, style: ReportStyle): string[][] {
  const { unit, total, parts } = metric
  const [shown, hidden] = [parts.slice(0, MAX_ROWS), parts.slice(MAX_ROWS)]
  const row = (label: string, change: GroupChange) => {
    const { n, mean, delta, outcome } = change
    const candidateMean = mean === null || delta === null ? null : mean + delta
    return [
      label,
      formatCount(n),
      ...changeCells({ ...change, base_mean: mean, mean: candidateMean }, unit),
      shareCell(shareOf(change, total)),
      formatOutcome(outcome),
    ]
  }
  return [
    [formatMetric(metric, style), ...HEADINGS],
    ...shown.map(({ label, change }) => row(formatLabel(label, style), change)),
    ...(hidden.length === 0 ? [] : [hiddenRow(hidden, total)]),
    row('(all rows)', total),
  ]
}

function hiddenRow(parts: ChangePart[], total: GroupChange): string[] {
  const sum = (read: (part: ChangePart) => number) => parts.reduce((result, part) => result + read(part), 0)
  const label = `(${countOf(
    sum(({ groupCount }) => groupCount),
    'other group',
  )})`
  const contribution = sum(({ change }) => change.contribution ?? 0)
  const rows = formatCount(sum(({ change }) => change.n))
  return [label, rows, '', '', '', '', shareCell(shareOf({ ...total, contribution }, total)), '']
}

function formatOutcome(outcome: GroupChange['outcome']): string {
  return outcome === 'too-few' ? 'too few rows' : (outcome ?? NO_VALUE)
}

function shareCell(share: number | null): string {
  return share === null ? NO_VALUE : formatShare(share)
}

/** Empty if the intervals are those of one group. */
export function correctionNote({ parts }: MetricChange): string[] {
  const confidence = Math.max(0, ...parts.map(({ change }) => change.confidence ?? 0))
  const count = Math.round(ERROR_RATE / (1 - confidence))
  return count > 1
    ? [`The confidence intervals of groups are corrected for ${formatCount(count)} groups.`]
    : []
}
