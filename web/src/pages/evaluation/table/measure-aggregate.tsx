// A statistic of all rows in a column header, and its paired change.
import { formatDifference, formatMeasure, type Measure } from '../../../results/measures.ts'
import { Delta } from '../../../ui/delta.tsx'

interface MeasureAggregateProps {
  measure: Measure
  /** The name of the statistic, if the column does not say it: "p50". */
  name?: string
}

export function MeasureAggregate({ measure, name }: MeasureAggregateProps) {
  const { value, unit, higherIsBetter, change } = measure
  const difference = change?.difference
  return (
    <>
      {name && <span>{name}</span>}
      <strong>
        {formatMeasure(unit, value)}
        {unit === 'percent' && ' %'}
      </strong>
      {change && (difference !== undefined || change.direction !== 'tied') && (
        <Delta
          difference={difference ?? 0}
          higherIsBetter={higherIsBetter}
          direction={change.direction}
          format={difference === undefined ? undefined : (amount) => formatDifference(unit, amount)}
        />
      )}
    </>
  )
}
