// The header of the table: the sort button, menu and statistics of each column.
import type { EvaluationSummary } from 'assay-client'
import { memo } from 'react'
import type { EvaluationState } from '../../../evaluation-state/page-state.ts'
import type { EvaluatorDisplay } from '../../../results/evaluator-display.ts'
import { useChangeSearchParams } from '../../../state/search-params.ts'
import type { ColumnChoice } from '../../../table/columns/column-choice.ts'
import type { ColumnLayout } from '../../../table/columns/column-layout.ts'
import type { ColumnShapes } from '../../../table/columns/column-shapes.ts'
import { columnOrder, nextOrder } from '../../../table/columns/sort-order.ts'
import { HeaderCell, HeaderRow } from '../../../table/header.tsx'
import styles from '../../../table/table.module.css'
import { stateChange } from '../filters/state-filter.ts'
import { ColumnMenu } from './column-menu.tsx'
import type { Column } from './columns.ts'
import { ChangeCounts, ColumnStatistic, MeasureChange } from './header-statistics.tsx'

interface TableHeaderProps {
  pageState: EvaluationState
  summary: EvaluationSummary | undefined
  choice: ColumnChoice<Column>
  layout: ColumnLayout
  shapes: ColumnShapes
  displays: Record<string, EvaluatorDisplay>
}

export const TableHeader = memo(function TableHeader(props: TableHeaderProps) {
  const { choice, layout, pageState } = props
  const changeParams = useChangeSearchParams()
  return (
    <HeaderRow
      stickyOffsets={layout.stickyOffsets}
      isUnsorted={pageState.query.order === undefined}
      onUnsort={() => changeParams({ order: undefined })}
    >
      {choice.chosenColumns.map((column, columnIndex) => (
        <ColumnHeader key={column.key} {...props} column={column} columnIndex={columnIndex + 1} />
      ))}
    </HeaderRow>
  )
})

interface ColumnHeaderProps extends TableHeaderProps {
  column: Column
  columnIndex: number
}

function ColumnHeader({
  column,
  columnIndex,
  layout,
  shapes,
  pageState,
  summary,
  choice,
  displays,
}: ColumnHeaderProps) {
  const changeParams = useChangeSearchParams()
  const { order } = pageState.query
  const { value, delta } = columnOrder(order, column)
  const evaluator =
    column.kind === 'result' ? summary?.evaluators.find(({ name }) => name === column.name) : undefined
  const sorted = value ?? delta
  /** Also removes the selected state, so that all counted rows are shown. */
  function filterBySide(side: string): void {
    const { query, activeEvaluator } = pageState
    const { filters } = query
    const withoutState = stateChange({
      filters,
      from: activeEvaluator,
      to: activeEvaluator,
      state: undefined,
    })
    changeParams({ ...withoutState, [`delta.${column.name}`]: side })
  }
  return (
    <HeaderCell
      name={column.name}
      columnIndex={columnIndex}
      stickyOffsets={layout.stickyOffsets}
      isNumeric={shapes.get(column.key)?.isNumber ?? false}
      sort={column.isSortable ? (value ?? (delta ? 'other' : 'none')) : undefined}
      onSort={() => changeParams({ order: nextOrder(order, column) })}
      arrow={sorted ? `${delta ? 'Δ' : ''}${sorted === 'ascending' ? '↑' : '↓'}` : ''}
    >
      <ColumnMenu
        column={column}
        pageState={pageState}
        summary={summary}
        choice={choice}
        display={displays[column.name]}
      />
      <span className={styles.aggregate}>
        {summary && (
          <ColumnStatistic
            column={column}
            summary={summary}
            decimals={displays[column.name]?.decimals ?? 3}
          />
        )}
      </span>
      <span className={styles.changes}>
        {evaluator && <ChangeCounts evaluator={evaluator} onPick={filterBySide} />}
        {summary && (column.kind === 'latency' || column.kind === 'cost') && (
          <MeasureChange kind={column.kind} summary={summary[column.kind]} />
        )}
      </span>
    </HeaderCell>
  )
}
