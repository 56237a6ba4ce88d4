// One measure of a card: its sparkline, the newest value, and the change against the baseline.
import { Link } from '@tanstack/react-router'
import type { Evaluation } from 'assay-client'
import { formatDay } from '../../../format/times.ts'
import {
  formatChange,
  formatDifference,
  formatMeasure,
  formatWithUnit,
  type Measure,
  UNIT_LABELS,
} from '../../../results/measures.ts'
import { splitName } from '../../../table/columns/split-name.ts'
import { Sparkline } from '../../../ui/charts/sparkline.tsx'
import { Delta } from '../../../ui/delta.tsx'
import { Triangle } from '../../../ui/icon.tsx'
import { type GroupMeasure, shortName } from '../groups.ts'
import styles from './card.module.css'
import { baselineName } from './card-data.ts'

interface MeasureRowProps {
  measure: GroupMeasure
  /** The names of the other measures of the card. */
  otherNames: readonly string[]
  /** Oldest first. */
  evaluations: readonly Evaluation[]
  /** Whether there is space for a change. */
  hasChanges: boolean
}

export function MeasureRow({ measure, otherNames, evaluations, hasChanges }: MeasureRowProps) {
  const { name, unit, decimals, measureIn } = measure
  const [start, end] = splitName(name, otherNames)
  const values = evaluations.map((evaluation) => ({ evaluation, value: measureIn(evaluation) }))
  const points = values.flatMap(({ evaluation, value }, index) =>
    value ? [{ id: evaluation.id, index, value: value.value, direction: value.change?.direction }] : [],
  )
  const latest = values.at(-1)?.value
  return (
    <div className={styles.row}>
      <span className={styles.measureName} data-tooltip={`${name} ${UNIT_LABELS[unit]}`}>
        <span className="ellipsis">{start}</span>
        {end && <span>{end}</span>}
        <span className="quiet"> {UNIT_LABELS[unit]}</span>
      </span>
      <Sparkline
        label={`${name} of ${evaluations.length === 1 ? 'one evaluation' : 'each evaluation'}`}
        points={points}
        positions={evaluations.length}
        renderLink={({ id, index }, props) => {
          const point = values[index]
          if (!point?.value) return null
          const label = pointLabel(point.evaluation, point.value, decimals, evaluations)
          return (
            <Link
              key={id}
              to="/evaluations/$evaluationId"
              params={{ evaluationId: id }}
              preload={false}
              aria-label={`${name}: ${label}`}
              data-tooltip={label}
              {...props}
            />
          )
        }}
      />
      <span className={styles.value}>{latest && formatMeasure(unit, latest.value, decimals)}</span>
      {hasChanges && (
        <span className={styles.change}>{latest?.change && <ChangeText measure={latest} />}</span>
      )}
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

/** "r5, 30 Sep: 70.1 %, −22.3 against r4, worse". */
function pointLabel(
  evaluation: Evaluation,
  { unit, value, change }: Measure,
  decimals: number,
  evaluations: readonly Evaluation[],
): string {
  const day = formatDay(evaluation.created_at)
  const start = `${shortName(evaluation)}, ${day}: ${formatWithUnit(unit, value, decimals)}`
  if (!change) return start
  const { direction, difference } = change
  const amount = difference === undefined ? [] : [formatChange(unit, difference)]
  const against = `${amount.join('')} against ${baselineName(evaluation, evaluations)}`.trim()
  return difference === undefined ? `${start}, ${direction} ${against}` : `${start}, ${against}, ${direction}`
}
