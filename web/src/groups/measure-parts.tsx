// The name of a measure with its unit, and the change of its newest value.
import type { Evaluation } from 'assay-client'
import { splitName } from '../format/split-name.ts'
import { formatDifference, UNIT_LABELS } from '../results/measures.ts'
import { Delta } from '../ui/delta.tsx'
import type { GroupMeasure } from './groups.ts'
import styles from './measure-parts.module.css'

interface MeasureNameProps {
  measure: GroupMeasure
  /** The measures that the name must be distinguished from. */
  others: readonly GroupMeasure[]
}

export function MeasureName({ measure: { name, unit }, others }: MeasureNameProps) {
  const [start, end] = splitName(
    name,
    others.map((other) => other.name),
  )
  return (
    <span className={`muted ${styles.name}`} data-tooltip={`${name} ${UNIT_LABELS[unit]}`}>
      <span className="ellipsis">{start}</span>
      {end && <span>{end}</span>}
      <span className="quiet"> {UNIT_LABELS[unit]}</span>
    </span>
  )
}

/** Nothing if the evaluation has no change against a baseline. */
export function MeasureChange({ measure, evaluation }: { measure: GroupMeasure; evaluation: Evaluation }) {
  const { unit, decimals } = measure
  const { change, higherIsBetter = true } = measure.measureIn(evaluation) ?? {}
  if (change?.difference === undefined) return null
  const { base } = evaluation.scores ?? {}
  return (
    <Delta
      difference={change.difference}
      higherIsBetter={higherIsBetter}
      direction={change.direction}
      format={(amount) => formatDifference(unit, amount, unit === 'score' ? decimals : undefined)}
      baselineName={base?.name ?? base?.id}
    />
  )
}
