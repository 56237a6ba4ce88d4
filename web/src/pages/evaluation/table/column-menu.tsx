// The menu of a column: sort, distribution, evaluator settings, decimals, hide, pin and copy.
import type { EvaluationSummary } from 'assay-client'
import { useCanWrite } from '../../../api/key.ts'
import type { EvaluationState } from '../../../evaluation-state/page-state.ts'
import { type EvaluatorDisplay, MAX_DECIMALS, setDecimals } from '../../../results/evaluator-display.ts'
import { useChangeSearchParams } from '../../../state/search-params.ts'
import type { ColumnChoice } from '../../../table/columns/column-choice.ts'
import grid from '../../../table/table.module.css'
import { Histogram, HistogramTable } from '../../../ui/histogram.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { histogramProps, useApplyFilter } from '../metrics/metric-bars.ts'
import { metricsOf } from '../metrics/metrics.ts'
import styles from './column-menu.module.css'
import type { Column } from './columns.ts'
import { copyColumn } from './copy-column.ts'
import { EvaluatorSettings } from './evaluator-settings.tsx'

interface ColumnMenuProps {
  column: Column
  pageState: EvaluationState
  summary: EvaluationSummary | undefined
  choice: ColumnChoice<Column>
  display: EvaluatorDisplay | undefined
}

export function ColumnMenu(props: ColumnMenuProps) {
  const { column } = props
  return (
    <Menu
      label={<span className="sr-only">Column {column.name}</span>}
      title={`Column ${column.name}`}
      className={`plain ${grid.menuButton}`}
    >
      <Choices {...props} />
    </Menu>
  )
}

function Choices({ column, pageState, summary, choice, display }: ColumnMenuProps) {
  const { key, kind, name } = column
  const changeParams = useChangeSearchParams()
  const mayWrite = useCanWrite()
  const sort = (order: string, label: string) => (
    <button
      type="button"
      className="plain"
      aria-pressed={pageState.query.order === order}
      onClick={() => changeParams({ order })}
    >
      {label}
    </button>
  )
  return (
    <div className={styles.columnMenu}>
      {column.isSortable && (
        <div className={styles.choices}>
          {sort(`${key}.asc`, 'Sort ascending')}
          {sort(`${key}.desc`, 'Sort descending')}
        </div>
      )}
      {kind === 'result' && pageState.baselineId !== undefined && (
        <div className={styles.choices}>
          {sort(`delta.${name}.asc`, 'Sort by Δ ascending')}
          {sort(`delta.${name}.desc`, 'Sort by Δ descending')}
        </div>
      )}
      {summary && <Distribution column={column} pageState={pageState} summary={summary} />}
      {kind === 'result' && mayWrite && summary && (
        <EvaluatorSettings evaluator={name} pageState={pageState} summary={summary} />
      )}
      {kind === 'result' && (
        <label className={styles.setting}>
          <span>Decimals</span>
          <input
            type="number"
            min={0}
            max={MAX_DECIMALS}
            value={display?.decimals ?? 3}
            onChange={(event) => setDecimals(name, event.target.valueAsNumber || 0)}
          />
        </label>
      )}
      <div className={styles.choices}>
        <button
          type="button"
          className="plain"
          disabled={choice.chosenColumns.length < 2}
          onClick={() =>
            choice.choose(choice.chosenColumns.map((column) => column.key).filter((other) => other !== key))
          }
        >
          Hide
        </button>
        <button type="button" className="plain" onClick={() => choice.pin(key, !column.isPinned)}>
          {column.isPinned ? 'Unpin' : 'Pin left'}
        </button>
        <button
          type="button"
          className="plain"
          onClick={() => copyColumn(pageState.id, pageState.query, column, pageState.params.output)}
        >
          Copy values
        </button>
      </div>
    </div>
  )
}

function Distribution({
  column,
  pageState,
  summary,
}: Pick<ColumnMenuProps, 'column' | 'pageState'> & { summary: EvaluationSummary }) {
  const applyFilter = useApplyFilter(pageState)
  const metric = metricsOf(summary).find(({ filter }) => filter === column.key)
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
