// The header of the table: of each column its name, which sorts, its menu, and what it says of all rows.
import type { EvaluationSummary } from 'assay-client'
import { memo } from 'react'
import { useChangeSearch } from '../change-search.ts'
import { stateChange } from './chosen-state.ts'
import { ColumnMenu } from './column-menu.tsx'
import type { ColumnShapes } from './column-shapes.ts'
import type { Column, ColumnChoice } from './columns.ts'
import styles from './grid.module.css'
import { stuckAt } from './grid-row.tsx'
import { ChangeCounts, ColumnFigure, MeasureChange } from './header-figures.tsx'
import type { Layout } from './layout.ts'
import { nextOrder, orderOf } from './ordering.ts'
import type { Reading } from './readings.ts'
import type { Shown } from './shown.ts'

interface GridHeaderProps {
  shown: Shown
  summary: EvaluationSummary | undefined
  choice: ColumnChoice
  layout: Layout
  shapes: ColumnShapes
  readings: Record<string, Reading>
}

export const GridHeader = memo(function GridHeader(props: GridHeaderProps) {
  const { choice, layout, shown } = props
  const change = useChangeSearch()
  return (
    <div role="rowgroup" className={styles.head}>
      {/* biome-ignore lint/a11y/useFocusableInteractive: its buttons are */}
      <div role="row" aria-rowindex={1} className={styles.row}>
        {/* biome-ignore lint/a11y/useFocusableInteractive: its button is */}
        <div
          role="columnheader"
          aria-colindex={1}
          className={`${stuckAt(0, layout.lefts)} ${styles.numbers}`}
        >
          <button
            type="button"
            data-stop=""
            className={`plain ${styles.name}`}
            title="In the order in which they were written"
            aria-label="Number: order as written"
            // One that is disabled could not take the focus of the keyboard.
            aria-disabled={shown.question.order === undefined}
            onClick={() => change({ order: undefined })}
          >
            #
          </button>
        </div>
        {choice.chosen.map((column, at) => (
          <HeaderCell key={column.key} {...props} column={column} at={at + 1} />
        ))}
      </div>
    </div>
  )
})

interface HeaderCellProps extends GridHeaderProps {
  column: Column
  at: number
}

function HeaderCell({ column, at, layout, shapes, shown, summary, choice, readings }: HeaderCellProps) {
  const change = useChangeSearch()
  const { order } = shown.question
  const { value, delta } = orderOf(order, column)
  const evaluator =
    column.kind === 'result' ? summary?.evaluators.find(({ name }) => name === column.name) : undefined
  const arrow = value ?? delta
  const left = layout.lefts[at]
  /** Whatever state is chosen, so that all rows that were counted show. */
  function pickSide(side: string): void {
    const { filters } = shown.question
    const stateless = stateChange({ filters, from: shown.on, to: shown.on, state: undefined })
    change({ ...stateless, [`delta.${column.name}`]: side })
  }
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: its buttons are
    <div
      role="columnheader"
      aria-colindex={at + 1}
      aria-sort={column.isSortable ? (value ?? (delta ? 'other' : 'none')) : undefined}
      className={[
        styles.columnHeader,
        left !== undefined && stuckAt(at, layout.lefts),
        shapes.get(column.key)?.isNumber && styles.figure,
      ]
        .filter(Boolean)
        .join(' ')}
      style={left === undefined ? undefined : { left }}
    >
      {column.isSortable ? (
        <button
          type="button"
          data-stop=""
          className={`plain ${styles.name}`}
          title={`${column.name}: sort`}
          onClick={() => change({ order: nextOrder(order, column) })}
        >
          {column.name}
        </button>
      ) : (
        <span className={styles.name} title={column.name}>
          {column.name}
        </span>
      )}
      {arrow && (
        <span aria-hidden="true" className={styles.arrow}>
          {delta && 'Δ'}
          {arrow === 'ascending' ? '↑' : '↓'}
        </span>
      )}
      <ColumnMenu
        column={column}
        shown={shown}
        summary={summary}
        choice={choice}
        reading={readings[column.name]}
      />
      <span className={styles.aggregate}>
        {summary && (
          <ColumnFigure column={column} summary={summary} decimals={readings[column.name]?.decimals ?? 3} />
        )}
      </span>
      <span className={styles.changes}>
        {evaluator && <ChangeCounts evaluator={evaluator} onPick={pickSide} />}
        {summary && (column.kind === 'latency' || column.kind === 'cost') && (
          <MeasureChange kind={column.kind} figures={summary[column.kind]} />
        )}
      </span>
    </div>
  )
}
