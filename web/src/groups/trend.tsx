// The values of a measure over the evaluations of a group, as a small line whose points are links.
import { Link } from '@tanstack/react-router'
import type { Evaluation } from 'assay-client'
import { formatDay } from '../format/times.ts'
import { formatChange, formatWithUnit, type Measure } from '../results/measures.ts'
import { Sparkline } from '../ui/charts/sparkline.tsx'
import { type GroupMeasure, shortName } from './groups.ts'
import { baselineName } from './series.ts'

interface TrendProps {
  measure: GroupMeasure
  /** Oldest first. */
  evaluations: readonly Evaluation[]
}

export function Trend({ measure: { name, decimals, measureIn }, evaluations }: TrendProps) {
  const values = evaluations.map((evaluation) => ({ evaluation, value: measureIn(evaluation) }))
  const points = values.flatMap(({ evaluation, value }, index) =>
    value ? [{ id: evaluation.id, index, value: value.value, direction: value.change?.direction }] : [],
  )
  return (
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
