// The joined rows as a table.
import type { ComparisonRows } from 'assay-client'
import { type KeyboardEvent, useMemo } from 'react'
import { useChangeSearch } from '../change-search.ts'
import { useReadings } from '../evaluation/readings.ts'
import { useChangePreference } from '../evaluation/view.ts'
import { useColumnShapes } from '../grid/column-shapes.ts'
import { Footer } from '../grid/footer.tsx'
import { useTableKeys } from '../grid/keys.ts'
import { layoutOf } from '../grid/layout.ts'
import { useOpenRow } from '../grid/open-row.ts'
import { useSeek } from '../grid/seek.ts'
import type { Settled } from '../grid/settled.ts'
import { Sheet } from '../grid/sheet.tsx'
import { useStable } from '../grid/stable.ts'
import { type Table, useTable } from '../grid/table.ts'
import { useTurn } from '../grid/turn.ts'
import { classWords, pairOf } from './classes.ts'
import { useColumns } from './columns.ts'
import { nameOf } from './compared.ts'
import { GridHeader } from './grid-header.tsx'
import { GridRow } from './grid-row.tsx'
import { shapeOf, sizesOf } from './layout.ts'
import { regressionsIn } from './next-regression.ts'
import { type JoinedRow, nameOfRow } from './opened-row.ts'
import { placeQuestion, type RowQuestion, windowQuestion } from './questions.ts'
import { directionOn, type Shown } from './shown.ts'
import { type OpenRow, rowWords } from './view.ts'

const HEAD_HEIGHT = 44

interface GridTableProps {
  shown: Shown
  settled: Settled<RowQuestion, ComparisonRows>
  /** Rows of another question are on their way. */
  isBusy: boolean
}

export function GridTable({ shown, settled, isBusy }: GridTableProps) {
  const { view, comparison } = shown
  const { question, first } = settled
  const on = first.on ?? undefined
  const higherIsBetter = directionOn(shown, on)
  const columns = useColumns(shown).chosen
  const table = useTable({
    question,
    total: first.total,
    ask: (index) => windowQuestion(question, index),
    density: view.density,
    headHeight: HEAD_HEIGHT,
  })
  const { total, rowAt } = table.windows
  const { sight, width } = table.scroll
  const { open, onKeyDown } = useActs(shown, question, table)
  useOpenRow(table, {
    row: keyOf(view.row),
    keyOf: (row: JoinedRow) => keyOf(nameOfRow(row)),
    question,
    place: placeQuestion(question, view.row ?? { id: '', side: 'base' }),
  })
  const shapes = useColumnShapes(columns, rowAt, shapeOf)
  const scenarios = Math.max(...(comparison?.evaluations ?? []).map((one) => one.scenario_count), total)
  const layout = useMemo(
    () => layoutOf(sizesOf(columns, shapes, on), { scenarios, width }),
    [columns, shapes, on, scenarios, width],
  )
  const names = useStable(view.evaluations.map((id) => nameOf(comparison, id)))
  const [base, candidate] = pairOf(shown)
  const readings = useReadings([{ name: on ?? '', higher_is_better: higherIsBetter }])
  const reading = readings[on ?? '']
  const ordered = useStable({ show: question.show, order: question.order, on, higherIsBetter })
  return (
    <>
      <Sheet
        table={table}
        layout={layout}
        columns={columns.length}
        isBusy={isBusy}
        header={<GridHeader ordered={ordered} columns={columns} lefts={layout.lefts} shapes={shapes} />}
        renderRow={(index, row, focused) =>
          reading && (
            <GridRow
              key={index}
              index={index}
              row={row}
              columns={columns}
              lefts={layout.lefts}
              shapes={shapes}
              on={on}
              names={names}
              reading={reading}
              focused={focused}
              isOpen={
                row !== undefined && view.row !== undefined && keyOf(nameOfRow(row)) === keyOf(view.row)
              }
            />
          )
        }
        onOpen={open}
        onKeyDown={onKeyDown}
      />
      <Footer
        sight={sight}
        total={total}
        about={
          <>
            {' '}
            <bdi>{classWords(question.show, on)}</bdi> (<bdi>{candidate}</bdi> vs <bdi>{base}</bdi>)
          </>
        }
        sought="regression"
      />
    </>
  )
}

/** Opens rows, by a click and by keys. */
function useActs(shown: Shown, question: RowQuestion, table: Table<JoinedRow>) {
  const change = useChangeSearch()
  const prefer = useChangePreference()
  const { rowAt, fetchRow } = table.windows
  const beginTurn = useTurn(keyOf(shown.view.row))
  const open = async (index: number) => {
    const isMyTurn = beginTurn()
    const row = rowAt(index) ?? (await fetchRow(index))
    const name = row && nameOfRow(row)
    if (!name || !isMyTurn()) return
    change(rowWords(name))
  }
  const seek = useSeek(table, regressionsIn(question))
  const onKeyDown: (event: KeyboardEvent) => void = useTableKeys(table, {
    open,
    seek,
    onDensity: (density) => prefer('density', density),
  })
  return { open, onKeyDown }
}

function keyOf(row: OpenRow | undefined): string | undefined {
  return row && `${row.side} ${row.id}`
}
