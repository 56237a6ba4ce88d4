// The cells of a group: rows, scores of both evaluations, the change with its interval, and the share of the whole change.
import type { GroupChange } from 'assay-client'
import { formatCount } from '../format/numbers.ts'
import { MIN_ROWS } from '../results/verdict-sentence.ts'
import { IntervalChart } from '../ui/charts/interval-chart.tsx'
import { Triangle } from '../ui/icon.tsx'
import styles from './breakdown.module.css'
import type { Group, Metric } from './groups.ts'
import { percent } from './sentence.ts'

/** What all groups of a table have in common. */
export interface Scale {
  /** The end of the scale of the intervals. */
  limit: number
  /** The share with the longest bar. Undefined if no group has a share. */
  largestShare: number | undefined
}

interface GroupCellsProps {
  metric: Metric
  group: Pick<Group, 'rows' | 'mean' | 'share'> & {
    change: Pick<GroupChange, 'n' | 'mean' | 'delta' | 'interval' | 'outcome'> | undefined
  }
  scale: Scale
}

export function GroupCells({ metric, group: { rows, mean, change, share }, scale }: GroupCellsProps) {
  const format = (value: number | null) =>
    value === null ? <span className="quiet">–</span> : metric.format(value)
  if (!change) {
    return (
      <>
        <td className={`${styles.number} muted`}>{formatCount(rows)}</td>
        <td className={styles.number}>{format(mean)}</td>
        <td className={styles.chart}>
          <svg aria-hidden="true" width="100%" height="6" className={styles.bar}>
            {mean !== null && (
              <rect width={`${Math.max(0, Math.min(100, metric.toPoints(mean)))}%`} height="6" rx="3" />
            )}
          </svg>
        </td>
      </>
    )
  }
  const { n, mean: baselineMean, delta, interval, outcome } = change
  const direction = outcome === 'better' || outcome === 'worse' ? outcome : 'tied'
  const points = (value: number) => (metric.higherIsBetter ? 1 : -1) * metric.toPoints(value)
  return (
    <>
      <td className={`${styles.number} muted`}>{formatCount(n)}</td>
      <td className={styles.number}>{format(baselineMean)}</td>
      <td className={styles.number}>
        {format(baselineMean === null || delta === null ? null : baselineMean + delta)}
      </td>
      <td
        className={`${styles.number} ${direction === 'tied' ? 'muted' : direction}`}
        data-tooltip={
          outcome === 'too-few'
            ? `At least ${MIN_ROWS} rows are needed`
            : interval?.map(metric.formatChange).join(' to ')
        }
      >
        {direction !== 'tied' && <Triangle direction={direction} />}{' '}
        {delta !== null && metric.formatChange(delta)}
        <span className="sr-only"> {outcome === 'too-few' ? 'too few rows' : direction}</span>
      </td>
      <td className={styles.chart}>
        <IntervalChart
          change={delta === null ? undefined : points(delta)}
          interval={(interval ?? []).map(points)}
          direction={direction}
          limit={scale.limit}
        />
      </td>
      {scale.largestShare !== undefined && (
        <td className={styles.share}>
          {share !== undefined && (
            <ShareBar share={share} largest={scale.largestShare} outcome={metric.total.change?.outcome} />
          )}
        </td>
      )}
    </>
  )
}

interface ShareBarProps {
  share: number
  largest: number
  outcome: GroupChange['outcome'] | undefined
}

/** A group that moved in the opposite direction has no bar. */
function ShareBar({ share, largest, outcome }: ShareBarProps) {
  return (
    <span className={styles.bar}>
      <svg aria-hidden="true" width="100%" height="6" className={styles[outcome ?? '']}>
        {share > 0 && <rect width={`${Math.max(6, (share / largest) * 100)}%`} height="6" rx="3" />}
      </svg>
      {percent(share)}
    </span>
  )
}
