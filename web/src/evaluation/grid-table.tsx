// The table itself: a header that stays, and of all rows those in sight.
import type { EvaluationSummary } from 'assay-client'
import { type CSSProperties, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useChangeSearch } from '../change-search.ts'
import type { Range } from '../grid/ranges.ts'
import { useRoving } from '../grid/roving.ts'
import { useScroll } from '../grid/scroll.ts'
import { useTurn } from '../grid/turn.ts'
import { useWindows } from '../grid/windows.ts'
import { Refused } from '../parts/refused.tsx'
import { useColumnShapes } from './column-shapes.ts'
import type { ColumnChoice } from './columns.ts'
import styles from './grid.module.css'
import { GridFooter } from './grid-footer.tsx'
import { GridHeader } from './grid-header.tsx'
import { useGridKeys } from './grid-keys.ts'
import { GridRow } from './grid-row.tsx'
import { layoutOf } from './layout.ts'
import { useOpenRow } from './open-row.ts'
import { useReadings } from './readings.ts'
import type { Settled } from './settled.ts'
import type { Shown } from './shown.ts'
import type { Density } from './view.ts'

const ROW_HEIGHTS: Record<Density, number> = { compact: 28, medium: 96, tall: 150 }
const HEAD_HEIGHT = 60

interface GridTableProps {
  shown: Shown
  /** Undefined until it is known. */
  summary: EvaluationSummary | undefined
  settled: Settled
  /** Rows of another question are on their way. */
  isBusy: boolean
  choice: ColumnChoice
}

export function GridTable({ shown, summary, settled, isBusy, choice }: GridTableProps) {
  const { id, view } = shown
  const columns = choice.chosen
  const grid = useRef<HTMLDivElement>(null)
  const [rested, setRested] = useState<Range>({ first: 0, last: 0 })
  const { total, rowAt, fetchRow, error } = useWindows(id, settled, rested)
  const scroll = useScroll(grid, {
    rows: total,
    rowHeight: ROW_HEIGHTS[view.density],
    headHeight: HEAD_HEIGHT,
    onRest: setRested,
  })
  const { sight, show, toTop } = scroll
  const roving = useRoving(grid, settled.question)
  const readings = useReadings(summary?.evaluators ?? shown.evaluation?.evaluators ?? [])
  const change = useChangeSearch()
  const beginTurn = useTurn(view.row)
  const open = async (index: number) => {
    const isMyTurn = beginTurn()
    const row = rowAt(index) ?? (await fetchRow(index))
    if (row && isMyTurn()) change({ row: row.id })
  }
  useOpenRow({ shown, settled, sight, rowAt, roving, show })
  const onKeyDown = useGridKeys({
    shown,
    summary,
    settled,
    readings,
    grid,
    total,
    sight,
    rowAt,
    roving,
    show,
    open,
  })

  // Another question begins at its first row.
  const before = useRef(settled.question)
  useLayoutEffect(() => {
    if (before.current !== settled.question) toTop()
    before.current = settled.question
  })

  const shapes = useColumnShapes(columns, rowAt)
  const scenarios = shown.evaluation?.scenario_count ?? total
  const layout = useMemo(
    () => layoutOf(columns, { scenarios, shapes, width: scroll.width }),
    [columns, scenarios, shapes, scroll.width],
  )
  const { place } = roving
  const indexes = rowsThere(sight, place.row, total)
  const isAbove = place.row >= 0 && place.row < sight.from
  return (
    <>
      <Refused error={error} />
      <div
        ref={grid}
        role="grid"
        aria-label="Rows"
        aria-rowcount={total + 1}
        aria-colcount={columns.length + 1}
        aria-busy={isBusy}
        className={[styles.scroller, styles[view.density], isBusy && styles.dimmed].filter(Boolean).join(' ')}
        style={{ '--columns': layout.template, scrollPaddingLeft: layout.stuckWidth } as CSSProperties}
        onFocus={(event) => roving.onFocus(event.target)}
        onBlur={roving.onBlur}
        onKeyDown={onKeyDown}
        onClick={(event) => {
          const place = placeOf(event.target as Element)
          if (!place || getSelection()?.isCollapsed === false) return
          roving.go(place)
          open(place.row)
        }}
      >
        <div className={styles.sheet} style={{ minWidth: layout.minWidth }}>
          <GridHeader
            shown={shown}
            summary={summary}
            choice={choice}
            layout={layout}
            shapes={shapes}
            readings={readings}
          />
          <div role="rowgroup" className={styles.body} style={{ height: scroll.bodyHeight }}>
            <div
              role="presentation"
              className={styles.rows}
              style={{ top: sight.top - (isAbove ? ROW_HEIGHTS[view.density] : 0) }}
            >
              {indexes.map((index) => {
                const row = rowAt(index)
                return (
                  <GridRow
                    key={index}
                    index={index}
                    row={row}
                    columns={columns}
                    lefts={layout.lefts}
                    shapes={shapes}
                    readings={readings}
                    output={view.output}
                    focused={index === place.row ? place.column : undefined}
                    isOpen={row !== undefined && row.id === view.row}
                  />
                )
              })}
            </div>
          </div>
        </div>
      </div>
      <GridFooter sight={sight} total={total} scenarios={scenarios} />
    </>
  )
}

/** Those in sight and, wherever it is, the one that has the focus. */
function rowsThere({ from, to }: { from: number; to: number }, focused: number, total: number): number[] {
  const rows = Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index)
  if (focused >= 0 && focused < from) return [focused, ...rows]
  return focused > to && focused < total ? [...rows, focused] : rows
}

function placeOf(target: Element): { row: number; column: number } | undefined {
  const cell = target.closest('[role=gridcell]')
  const row = cell?.closest<HTMLElement>('[data-index]')
  if (!cell || !row) return undefined
  return { row: Number(row.dataset.index), column: Number(cell.getAttribute('aria-colindex')) - 1 }
}
