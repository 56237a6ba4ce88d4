// The header of the table: of each column its name, which sorts, its menu, and what it says of all rows.
import type { EvaluationSummary } from 'assay-client'
import { memo } from 'react'
import { useChangeSearch } from '../change-search.ts'
import type { ColumnShapes } from '../grid/column-shapes.ts'
import type { ColumnChoice } from '../grid/columns.ts'
import styles from '../grid/grid.module.css'
import { HeaderCell, HeaderRow } from '../grid/header.tsx'
import type { Layout } from '../grid/layout.ts'
import { stateChange } from './chosen-state.ts'
import { ColumnMenu } from './column-menu.tsx'
import type { Column } from './columns.ts'
import { ChangeCounts, ColumnFigure, MeasureChange } from './header-figures.tsx'
import { nextOrder, orderOf } from './ordering.ts'
import type { Reading } from './readings.ts'
import type { Shown } from './shown.ts'

interface GridHeaderProps {
  shown: Shown
  summary: EvaluationSummary | undefined
  choice: ColumnChoice<Column>
  layout: Layout
  shapes: ColumnShapes
  readings: Record<string, Reading>
}

export const GridHeader = memo(function GridHeader(props: GridHeaderProps) {
  const { choice, layout, shown } = props
  const change = useChangeSearch()
  return (
    <HeaderRow
      lefts={layout.lefts}
      isUnsorted={shown.question.order === undefined}
      onUnsort={() => change({ order: undefined })}
    >
      {choice.chosen.map((column, at) => (
        <ColumnHeader key={column.key} {...props} column={column} at={at + 1} />
      ))}
    </HeaderRow>
  )
})

interface ColumnHeaderProps extends GridHeaderProps {
  column: Column
  at: number
}

function ColumnHeader({ column, at, layout, shapes, shown, summary, choice, readings }: ColumnHeaderProps) {
  const change = useChangeSearch()
  const { order } = shown.question
  const { value, delta } = orderOf(order, column)
  const evaluator =
    column.kind === 'result' ? summary?.evaluators.find(({ name }) => name === column.name) : undefined
  const sorted = value ?? delta
  /** Whatever state is chosen, so that all rows that were counted show. */
  function pickSide(side: string): void {
    const { filters } = shown.question
    const stateless = stateChange({ filters, from: shown.on, to: shown.on, state: undefined })
    change({ ...stateless, [`delta.${column.name}`]: side })
  }
  return (
    <HeaderCell
      name={column.name}
      at={at}
      lefts={layout.lefts}
      isFigure={shapes.get(column.key)?.isNumber ?? false}
      sort={column.isSortable ? (value ?? (delta ? 'other' : 'none')) : undefined}
      onSort={() => change({ order: nextOrder(order, column) })}
      arrow={sorted ? `${delta ? 'Δ' : ''}${sorted === 'ascending' ? '↑' : '↓'}` : ''}
    >
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
    </HeaderCell>
  )
}
