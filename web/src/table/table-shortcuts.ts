// Keyboard shortcuts of the table: rows, pages, cells, next match, density.
import type { KeyboardEvent } from 'react'
import type { RowSource } from '../queries/row-window.ts'
import { nextDensity, useChangePreference } from '../state/row-params.ts'
import { useShortcuts } from '../state/shortcuts.ts'
import { type MatchSearch, useNextMatch } from './next-match.ts'
import { columnOfStop, HEADER, headerStops } from './roving-focus.ts'
import type { TableState } from './table-state.ts'

/** Shortcuts of the page that act on the current row. */
export type RowShortcuts<Row> = Record<
  string,
  { label: string; run: (row: Row, open: () => void, columnIndex: number) => void }
>

interface TableActions<Row, Ref> {
  source: RowSource<Row, Ref>
  match: MatchSearch<Row, Ref> | undefined
  open: (index: number) => void
  rowShortcuts?: RowShortcuts<Row> | undefined
}

/** Returns a handler for keys that act only inside the table, because other parts of the page use them too. */
export function useTableShortcuts<Row, Ref>(
  table: TableState<Row>,
  { source, match, open, rowShortcuts = {} }: TableActions<Row, Ref>,
): (event: KeyboardEvent) => void {
  const { grid, roving, scroll, windows } = table
  const { total } = windows
  const { visibleRange, scrollToRow } = scroll
  const { position } = roving
  const goToNextMatch = useNextMatch(table, source)
  const prefer = useChangePreference()

  function goTo(row: number): void {
    const index = Math.max(0, Math.min(total - 1, row))
    const column =
      position.row === HEADER ? columnOfStop(headerStops(grid.current)[position.column]) : position.column
    roving.focusCell({ row: index, column })
    scrollToRow(index)
  }
  /** If the focus is outside the table, the first step enters it. */
  function step(by: number): void {
    const isVisible = position.row >= visibleRange.first && position.row <= visibleRange.last
    const isInside = roving.hasFocus() && position.row !== HEADER
    goTo(isInside ? position.row + by : isVisible ? position.row : visibleRange.first)
  }
  function focusHeader(): void {
    const stops = headerStops(grid.current)
    roving.focusCell({
      row: HEADER,
      column: Math.max(
        0,
        stops.findIndex((stop) => columnOfStop(stop) === position.column),
      ),
    })
  }
  function onCurrentRow(act: RowShortcuts<Row>[string]['run']): void {
    const row = windows.rowAt(position.row)
    // The first column has the row numbers.
    if (row) act(row, () => open(position.row), position.column - 1)
  }
  const pageSize = Math.max(1, visibleRange.last - visibleRange.first)
  useShortcuts('page', {
    j: { label: 'Next row', run: () => step(1) },
    k: { label: 'Previous row', run: () => step(-1) },
    ArrowDown: () => step(1),
    ArrowUp: () => (roving.hasFocus() && position.row <= 0 ? focusHeader() : step(-1)),
    PageDown: { label: 'Page down', run: () => goTo(Math.max(0, position.row) + pageSize) },
    PageUp: { label: 'Page up', run: () => goTo(position.row - pageSize) },
    Home: { label: 'First row', run: () => goTo(0) },
    End: { label: 'Last row', run: () => goTo(total - 1) },
    'Ctrl+Home': () => goTo(0),
    'Ctrl+End': () => goTo(total - 1),
    o: { label: 'Open row', run: () => open(position.row) },
    ...(match && {
      n: { label: `Next ${match.noun}`, run: () => goToNextMatch(match, 1, goTo) },
      N: { label: `Previous ${match.noun}`, run: () => goToNextMatch(match, -1, goTo) },
    }),
    d: { label: 'Change row height', run: () => prefer('density', nextDensity(table.density)) },
    ...Object.fromEntries(
      Object.entries(rowShortcuts).map(([key, { label, run }]) => [
        key,
        { label, run: () => onCurrentRow(run) },
      ]),
    ),
  })

  return (event) => {
    if ((event.target as Element).closest('[popover]')) return
    const isCell = position.row !== HEADER
    if (event.key === 'Enter' && isCell) open(position.row)
    else if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') {
      const lastIndex = isCell
        ? Number(grid.current?.getAttribute('aria-colcount'))
        : headerStops(grid.current).length
      const column = position.column + (event.key === 'ArrowRight' ? 1 : -1)
      roving.focusCell({ ...position, column: Math.max(0, Math.min(lastIndex - 1, column)) })
    } else return
    event.preventDefault()
  }
}
