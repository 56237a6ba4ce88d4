// What can be done with a column: sort, look at its distribution, say what is better, write it otherwise, hide, pin, copy.
import type { EvaluationSummary } from 'assay-client'
import { useChangeSearch } from '../change-search.ts'
import type { ColumnChoice } from '../grid/columns.ts'
import grid from '../grid/grid.module.css'
import { Histogram, HistogramTable } from '../parts/histogram.tsx'
import { Menu } from '../parts/menu.tsx'
import { useMayWrite } from '../shell/key.ts'
import styles from './column-menu.module.css'
import { copyValues } from './column-values.ts'
import type { Column } from './columns.ts'
import { EvaluatorSettings } from './evaluator-settings.tsx'
import { barsOf, usePickFilter } from './metric-bars.ts'
import { metricsOf } from './metrics.ts'
import { MOST_DECIMALS, type Reading, setDecimals } from './readings.ts'
import type { Shown } from './shown.ts'

interface ColumnMenuProps {
  column: Column
  shown: Shown
  summary: EvaluationSummary | undefined
  choice: ColumnChoice<Column>
  reading: Reading | undefined
}

export function ColumnMenu(props: ColumnMenuProps) {
  const { column } = props
  return (
    <Menu
      label={<span className="unseen">Column {column.name}</span>}
      title={`Column ${column.name}`}
      className={`plain ${grid.menuButton}`}
    >
      <Choices {...props} />
    </Menu>
  )
}

function Choices({ column, shown, summary, choice, reading }: ColumnMenuProps) {
  const { key, kind, name } = column
  const change = useChangeSearch()
  const mayWrite = useMayWrite()
  const sort = (order: string, label: string) => (
    <button
      type="button"
      className="plain"
      aria-pressed={shown.question.order === order}
      onClick={() => change({ order })}
    >
      {label}
    </button>
  )
  return (
    <div className={styles.columnMenu}>
      {column.isSortable && (
        <div className={styles.choices}>
          {sort(`${key}.asc`, 'Sort, lowest first')}
          {sort(`${key}.desc`, 'Sort, highest first')}
        </div>
      )}
      {kind === 'result' && shown.base !== undefined && (
        <div className={styles.choices}>
          {sort(`delta.${name}.asc`, 'Sort by Δ, lowest first')}
          {sort(`delta.${name}.desc`, 'Sort by Δ, highest first')}
        </div>
      )}
      {summary && <Distribution column={column} shown={shown} summary={summary} />}
      {kind === 'result' && mayWrite && summary && (
        <EvaluatorSettings evaluator={name} shown={shown} summary={summary} />
      )}
      {kind === 'result' && (
        <label className={styles.setting}>
          <span>Decimals</span>
          <input
            type="number"
            min={0}
            max={MOST_DECIMALS}
            value={reading?.decimals ?? 3}
            onChange={(event) => setDecimals(name, event.target.valueAsNumber || 0)}
          />
        </label>
      )}
      <div className={styles.choices}>
        <button
          type="button"
          className="plain"
          disabled={choice.chosen.length < 2}
          onClick={() => choice.choose(choice.chosen.map((one) => one.key).filter((one) => one !== key))}
        >
          Hide
        </button>
        <button type="button" className="plain" onClick={() => choice.pin(key, !column.isPinned)}>
          {column.isPinned ? 'Do not pin left' : 'Pin left'}
        </button>
        <button
          type="button"
          className="plain"
          onClick={() => copyValues(shown.id, shown.question, column, shown.view.output)}
        >
          Copy values
        </button>
      </div>
    </div>
  )
}

function Distribution({
  column,
  shown,
  summary,
}: Pick<ColumnMenuProps, 'column' | 'shown'> & { summary: EvaluationSummary }) {
  const pick = usePickFilter(shown)
  const metric = metricsOf(summary).find(({ filter }) => filter === column.key)
  const [first, last] = [metric?.bins[0], metric?.bins.at(-1)]
  if (!metric || !first || !last) return null
  const bars = barsOf(metric, pick)
  return (
    <div className={styles.distribution}>
      <Histogram {...bars} />
      <p className="soft">
        <span>{metric.format(first.from)}</span>
        <span>{metric.format(last.to)}</span>
      </p>
      <details>
        <summary>As a table</summary>
        <HistogramTable {...bars} />
      </details>
    </div>
  )
}
