// The rows of an evaluation as a table.
import type { EvaluationSummary, Rows } from 'assay-client'
import { useMemo, useState } from 'react'
import { useChangeSearch } from '../change-search.ts'
import { count } from '../format/numbers.ts'
import { useColumnShapes } from '../grid/column-shapes.ts'
import type { ColumnChoice } from '../grid/columns.ts'
import { Footer } from '../grid/footer.tsx'
import { useOpenRow } from '../grid/open-row.ts'
import type { Settled } from '../grid/settled.ts'
import { Sheet } from '../grid/sheet.tsx'
import { useTable } from '../grid/table.ts'
import { useTurn } from '../grid/turn.ts'
import { shapeOf } from './column-shape.ts'
import type { Column } from './columns.ts'
import { GridHeader } from './grid-header.tsx'
import { useGridKeys } from './grid-keys.ts'
import { GridRow } from './grid-row.tsx'
import { takeOver } from './handed-over.ts'
import { layoutOf } from './layout.ts'
import { placeQuestion, type RowQuestion, windowQuestion } from './questions.ts'
import { useReadings } from './readings.ts'
import type { Shown } from './shown.ts'

const HEAD_HEIGHT = 60

interface GridTableProps {
  shown: Shown
  /** Undefined until it is known. */
  summary: EvaluationSummary | undefined
  settled: Settled<RowQuestion, Rows>
  /** Rows of another question are on their way. */
  isBusy: boolean
  choice: ColumnChoice<Column>
}

export function GridTable({ shown, summary, settled, isBusy, choice }: GridTableProps) {
  const { id, view } = shown
  const { question, first } = settled
  const columns = choice.chosen
  const table = useTable({
    question,
    total: first.total,
    ask: (index) => windowQuestion(id, question, index),
    density: view.density,
    headHeight: HEAD_HEIGHT,
  })
  const { total, rowAt, fetchRow } = table.windows
  const { sight, width } = table.scroll
  const readings = useReadings(summary?.evaluators ?? shown.evaluation?.evaluators ?? [])
  const change = useChangeSearch()
  const beginTurn = useTurn(view.row)
  const open = async (index: number) => {
    const isMyTurn = beginTurn()
    const row = rowAt(index) ?? (await fetchRow(index))
    if (row && isMyTurn()) change({ row: row.id })
  }
  // Whoever comes back from the page of a scenario goes on at its row.
  const [left, setLeft] = useState(() => takeOver('row'))
  const row = view.row ?? left
  useOpenRow(table, {
    row,
    keyOf: (one) => one.id,
    question,
    place: placeQuestion(id, question, row ?? ''),
    onFound: () => setLeft(undefined),
  })
  const onKeyDown = useGridKeys({ shown, summary, question, readings, table, open })
  const shapes = useColumnShapes(columns, rowAt, shapeOf)
  const scenarios = shown.evaluation?.scenario_count ?? total
  const layout = useMemo(
    () => layoutOf(columns, { scenarios, shapes, width }),
    [columns, scenarios, shapes, width],
  )
  return (
    <>
      <Sheet
        table={table}
        layout={layout}
        columns={columns.length}
        isBusy={isBusy}
        header={
          <GridHeader
            shown={shown}
            summary={summary}
            choice={choice}
            layout={layout}
            shapes={shapes}
            readings={readings}
          />
        }
        renderRow={(index, row, focused) => (
          <GridRow
            key={index}
            index={index}
            row={row}
            columns={columns}
            lefts={layout.lefts}
            shapes={shapes}
            readings={readings}
            output={view.output}
            focused={focused}
            isOpen={row !== undefined && row.id === view.row}
          />
        )}
        onOpen={open}
        onKeyDown={onKeyDown}
      />
      <Footer
        sight={sight}
        total={total}
        about={total < scenarios ? ` (filtered from ${count(scenarios)})` : ''}
        sought="failure"
      />
    </>
  )
}
