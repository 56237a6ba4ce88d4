// One measure of a card: its sparkline, the newest value, and the change against the baseline.
import type { Evaluation } from 'assay-client'
import type { GroupMeasure } from '../../../groups/groups.ts'
import { MeasureName } from '../../../groups/measure-parts.tsx'
import { Trend } from '../../../groups/trend.tsx'
import { formatDifference, formatMeasure, type Measure } from '../../../results/measures.ts'
import { Delta } from '../../../ui/delta.tsx'
import { Triangle } from '../../../ui/icon.tsx'
import styles from './card.module.css'

interface MeasureRowProps {
  measure: GroupMeasure
  /** The evaluators of the card. */
  others: readonly GroupMeasure[]
  /** Oldest first. */
  evaluations: readonly Evaluation[]
  /** Whether there is space for a change. */
  hasChanges: boolean
  /** The name of the baseline, if there is no heading with it. */
  baseline?: string
}

export function MeasureRow({ measure, others, evaluations, hasChanges, baseline }: MeasureRowProps) {
  const { unit, decimals, measureIn } = measure
  const newest = evaluations.at(-1)
  const latest = newest && measureIn(newest)
  return (
    <div className={styles.row}>
      <MeasureName measure={measure} others={others} />
      <Trend measure={measure} evaluations={evaluations} />
      <span className={styles.value}>{latest && formatMeasure(unit, latest.value, decimals)}</span>
      {hasChanges && (
        <span className={styles.change}>{latest?.change && <ChangeText measure={latest} />}</span>
      )}
      {baseline !== undefined && <Against baseline={baseline} />}
    </div>
  )
}

/** "tied" without an amount: it is not significant, and the table has it. */
function ChangeText({ measure: { unit, higherIsBetter, change } }: { measure: Measure }) {
  if (!change) return null
  const { direction, difference } = change
  if (direction === 'tied') return <span className="quiet">tied</span>
  if (difference === undefined) {
    return (
      <span className={`${direction} ${styles.word}`}>
        <Triangle direction={direction} />
        {direction}
      </span>
    )
  }
  return (
    <Delta
      difference={difference}
      higherIsBetter={higherIsBetter}
      direction={direction}
      format={(value) => formatDifference(unit, value)}
    />
  )
}

/** What changes are relative to: "vs r4". */
export function Against({ baseline }: { baseline: string }) {
  return (
    <span
      className={`ellipsis ${styles.against}`}
      data-tooltip={`Change against ${baseline}, over matched rows`}
    >
      vs {baseline}
    </span>
  )
}
