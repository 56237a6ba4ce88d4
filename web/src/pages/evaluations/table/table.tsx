// The virtualized table of evaluations. It is one tab stop; arrow keys, j and k move between rows.
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, memo, useEffect, useMemo, useRef, useState } from 'react'
import { useShortcuts } from '../../../state/shortcuts.ts'
import type { EvaluationList, RowSelection } from '../page-state.ts'
import type { ListParams } from '../search-params.ts'
import { columnsWithDelta, columnWidths } from './column-layout.ts'
import { Cell, type CellProps, type Column } from './columns.tsx'
import { NoMatchingEvaluations } from './no-rows.tsx'
import styles from './table.module.css'
import { TableHeader } from './table-header.tsx'
import { useVisibleRows } from './visible-rows.ts'

const ROW_PX = 32
const HEADER_PX = 44
const BORDERS_PX = 2
/** Rows rendered above and below the visible range. */
const OVERSCAN_ROWS = 8
/** The next page is loaded this many rows before the end. */
const LOAD_MORE_ROWS = 20

export function Table({
  list,
  params,
  selectedIds,
  onSelect,
}: { list: EvaluationList; params: ListParams } & RowSelection) {
  const { rows, visibleColumns, baselines, loadMore } = list
  const navigate = useNavigate()
  const scroll = useRef<HTMLDivElement>(null)
  const [activeId, setActiveId] = useState<string>()
  const activeRowIndex = rows.findIndex(({ id }) => id === activeId)
  const activeIndex = Math.max(0, activeRowIndex)
  const { first, last, scrollIntoView, rowsPerPage } = useVisibleRows(scroll, {
    rowPx: ROW_PX,
    headerPx: HEADER_PX,
  })
  useEffect(() => {
    if (last >= rows.length - LOAD_MORE_ROWS) loadMore()
  }, [last, rows.length, loadMore])

  /** Set if the focus must move to the active row after it has rendered. */
  const isFocusPending = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs after the active row has changed
  useEffect(() => {
    if (isFocusPending.current) rowElement(scroll.current)?.focus({ preventScroll: true })
    isFocusPending.current = false
  }, [activeId])

  function move(to: number) {
    const index = Math.max(0, Math.min(rows.length - 1, to))
    const row = rows[index]
    if (!row) return
    scrollIntoView(index)
    if (row.id === activeId) rowElement(scroll.current)?.focus({ preventScroll: true })
    isFocusPending.current = row.id !== activeId
    setActiveId(row.id)
  }
  function open() {
    const row = rows[activeIndex]
    if (row) void navigate({ to: '/evaluations/$evaluationId', params: { evaluationId: row.id } })
  }
  function toggle(id: string | undefined) {
    if (id === undefined) return
    const newIds = new Set(selectedIds)
    if (!newIds.delete(id)) newIds.add(id)
    onSelect(newIds)
  }
  const hasNoActiveRow = activeRowIndex === -1
  const down = () => move(hasNoActiveRow ? 0 : activeIndex + 1)
  const up = () => move(activeIndex - 1)
  useShortcuts('page', {
    j: down,
    k: up,
    ArrowDown: down,
    ArrowUp: up,
    o: open,
    x: () => toggle(rows[activeIndex]?.id),
  })

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    const target = event.target as HTMLElement
    const row = target.closest('tr')
    if (!row || event.altKey || event.metaKey) return
    const isInHeader = row.dataset.header !== undefined
    const actions: Record<string, () => void> = {
      ArrowDown: () => move(isInHeader ? 0 : activeIndex + 1),
      ArrowUp: () => (activeIndex === 0 ? headerElement(scroll.current)?.focus() : move(activeIndex - 1)),
      PageDown: () => move(activeIndex + rowsPerPage()),
      PageUp: () => move(activeIndex - rowsPerPage()),
      Home: () => move(0),
      End: () => move(rows.length - 1),
      ArrowRight: () => moveWithinRow(row, target, 1),
      ArrowLeft: () => moveWithinRow(row, target, -1),
      ...(target === row && { Enter: open, ' ': () => toggle(rows[activeIndex]?.id) }),
    }
    const action = actions[event.key]
    if (!action) return
    event.preventDefault()
    action()
  }

  const deltaColumns = useMemo(
    () => columnsWithDelta(visibleColumns, rows, baselines),
    [visibleColumns, rows, baselines],
  )
  const { tracks, minWidthPx } = columnWidths(visibleColumns, deltaColumns)
  return (
    <div ref={scroll} className={styles.scroll} style={{ minHeight: minHeight(rows.length) }}>
      <table
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the ARIA grid pattern requires it
        role="grid"
        aria-label="Evaluations"
        aria-rowcount={list.hasMore ? -1 : rows.length + 1}
        aria-colcount={visibleColumns.length + 1}
        aria-multiselectable="true"
        aria-busy={list.isStale}
        tabIndex={-1}
        className={styles.grid}
        style={{ '--columns': tracks, minWidth: minWidthPx } as object}
        onKeyDown={onKeyDown}
      >
        <TableHeader list={list} params={params} selectedIds={selectedIds} onSelect={onSelect} />
        <tbody
          className={list.isStale ? styles.staleRows : styles.rows}
          style={{ height: rows.length * ROW_PX }}
        >
          {indexesOf(first - OVERSCAN_ROWS, Math.min(rows.length - 1, last + OVERSCAN_ROWS), activeIndex).map(
            (index) => {
              const evaluation = rows[index]
              if (!evaluation) return null
              const { id, name } = evaluation
              const isSelected = selectedIds.has(id)
              const activate = () => setActiveId(id)
              return (
                <tr
                  key={id}
                  aria-rowindex={index + 2}
                  aria-selected={isSelected}
                  tabIndex={index === activeIndex ? 0 : -1}
                  className={styles.row}
                  style={{ transform: `translateY(${index * ROW_PX}px)` }}
                  onFocus={activate}
                  onClick={activate}
                >
                  <td className={styles.select}>
                    <input
                      type="checkbox"
                      aria-label={`Select ${name ?? id}`}
                      checked={isSelected}
                      tabIndex={-1}
                      onChange={() => toggle(id)}
                    />
                  </td>
                  <Cells
                    columns={visibleColumns}
                    deltaColumns={deltaColumns}
                    evaluation={evaluation}
                    baselines={baselines}
                    isBaseline={list.baselineIds.has(id)}
                  />
                </tr>
              )
            },
          )}
        </tbody>
      </table>
      {rows.length === 0 && !list.hasMore && <NoMatchingEvaluations params={params} />}
    </div>
  )
}

interface CellsProps extends Omit<CellProps, 'column' | 'hasDelta'> {
  columns: Column[]
  /** The ids of columns that reserve space for a delta. */
  deltaColumns: ReadonlySet<string>
}

/** Memoized, because selecting and focusing a row does not change its cells. */
const Cells = memo(function Cells({ columns, deltaColumns, ...props }: CellsProps) {
  return columns.map((column) => (
    <Cell key={column.id} column={column} hasDelta={deltaColumns.has(column.id)} {...props} />
  ))
})

/** The active row is always rendered, so that it keeps the focus while scrolling. */
function indexesOf(first: number, last: number, activeIndex: number): number[] {
  const from = Math.max(0, first)
  const indexes = Array.from({ length: Math.max(0, last - from + 1) }, (_, index) => from + index)
  return indexes.includes(activeIndex) ? indexes : [...indexes, activeIndex]
}

/** Some rows stay visible even if the rest of the page is high. */
function minHeight(rows: number): number {
  return HEADER_PX + ROW_PX * Math.min(10, Math.max(2, rows)) + BORDERS_PX
}

function rowElement(scroll: HTMLElement | null) {
  return scroll?.querySelector<HTMLElement>('tr[tabindex="0"]')
}

function headerElement(scroll: HTMLElement | null) {
  return scroll?.querySelector<HTMLElement>('[data-header] button')
}

/** Moves the focus from the row to its controls, and between them. */
function moveWithinRow(row: HTMLElement, target: HTMLElement, by: 1 | -1): void {
  const stops = [...row.querySelectorAll<HTMLElement>('input, a, button')]
  if (row.tabIndex === 0) stops.unshift(row)
  stops[stops.indexOf(target) + by]?.focus()
}
