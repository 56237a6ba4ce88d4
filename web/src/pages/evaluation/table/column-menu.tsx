// The menu of a column: sort, distribution, settings of its kind, hide, pin and copy.
import { useChangeSearchParams } from '../../../state/search-params.ts'
import type { ColumnChoice } from '../../../table/columns/column-choice.ts'
import type { Column } from '../../../table/columns/column-type.ts'
import { Histogram, HistogramTable } from '../../../ui/histogram.tsx'
import { histogramProps, useApplyFilter } from '../metrics/metric-bars.ts'
import { metricsOf } from '../metrics/metrics.ts'
import styles from './column-menu.module.css'
import { COLUMN_TYPES, type Kind } from './column-types.tsx'
import type { EvaluationContext } from './context.ts'
import { copyColumn } from './copy-column.ts'

interface ColumnMenuProps {
  column: Column<Kind>
  choice: ColumnChoice<Kind>
  context: EvaluationContext
}

export function ColumnMenu({ column, choice, context }: ColumnMenuProps) {
  const { key, isPinned } = column
  const { sort, menu, value } = COLUMN_TYPES[column.kind]
  const changeParams = useChangeSearchParams()
  const otherKeys = choice.chosenColumns.map((chosen) => chosen.key).filter((other) => other !== key)
  return (
    <div className={styles.columnMenu}>
      {sort(column, context).map((name) => (
        <div key={name} className={styles.choices}>
          {['asc', 'desc'].map((direction) => (
            <button
              key={direction}
              type="button"
              className="plain"
              aria-pressed={context.query.order === `${name}.${direction}`}
              onClick={() => changeParams({ order: `${name}.${direction}` })}
            >
              Sort {name.startsWith('delta.') && 'by Δ '}
              {direction}ending
            </button>
          ))}
        </div>
      ))}
      <Distribution column={column} context={context} />
      {menu?.(column, context)}
      <div className={styles.choices}>
        <button
          type="button"
          className="plain"
          disabled={otherKeys.length === 0}
          onClick={() => choice.choose(otherKeys)}
        >
          Hide
        </button>
        <button type="button" className="plain" onClick={() => choice.pin(key, !isPinned)}>
          {isPinned ? 'Unpin' : 'Pin left'}
        </button>
        <button
          type="button"
          className="plain"
          onClick={() => copyColumn(column.name, context, (row) => value(row, column, context))}
        >
          Copy values
        </button>
      </div>
    </div>
  )
}

function Distribution({ column, context }: Pick<ColumnMenuProps, 'column' | 'context'>) {
  const applyFilter = useApplyFilter(context)
  const metrics = context.summary ? metricsOf(context.summary) : []
  const metric = metrics.find(({ filter }) => filter === column.key)
  const [firstBin, lastBin] = [metric?.bins[0], metric?.bins.at(-1)]
  if (!metric || !firstBin || !lastBin) return null
  const bars = histogramProps(metric, applyFilter)
  return (
    <div className={styles.distribution}>
      <Histogram {...bars} />
      <p className="muted">
        <span>{metric.format(firstBin.from)}</span>
        <span>{metric.format(lastBin.to)}</span>
      </p>
      <details>
        <summary>As a table</summary>
        <HistogramTable {...bars} />
      </details>
    </div>
  )
}
