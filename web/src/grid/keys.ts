// The keys of a table: rows, pages, cells, the next of what is sought, density.
import type { KeyboardEvent } from 'react'
import { type Shortcuts, useShortcuts } from '../shortcuts.ts'
import { type Density, nextDensity } from './density.ts'
import { columnOfStop, HEADER, headerStops } from './roving.ts'
import type { Table } from './table.ts'

interface Acts {
  open: (index: number) => void
  /** Goes to the next row of a kind, or the one before. */
  seek: (isForward: boolean, goTo: (index: number) => void) => void
  onDensity: (density: Density) => void
  /** Keys of the page's own. */
  others?: Shortcuts
}

/** What the table does with keys that are its own: those that other parts of the page need too act only inside of it. */
export function useTableKeys<Row>(table: Table<Row>, acts: Acts): (event: KeyboardEvent) => void {
  const { grid, roving, scroll } = table
  const { total } = table.windows
  const { sight, show } = scroll
  const { place } = roving
  const { open, seek, onDensity, others } = acts

  function goTo(row: number): void {
    const index = Math.max(0, Math.min(total - 1, row))
    const column = place.row === HEADER ? columnOfStop(headerStops(grid.current)[place.column]) : place.column
    roving.go({ row: index, column })
    show(index)
  }
  /** From outside of the table the first step is into it. */
  function step(by: number): void {
    const isInSight = place.row >= sight.first && place.row <= sight.last
    const isInside = roving.isFocused() && place.row !== HEADER
    goTo(isInside ? place.row + by : isInSight ? place.row : sight.first)
  }
  function toHeader(): void {
    const stops = headerStops(grid.current)
    roving.go({
      row: HEADER,
      column: Math.max(
        0,
        stops.findIndex((stop) => columnOfStop(stop) === place.column),
      ),
    })
  }
  const page = Math.max(1, sight.last - sight.first)
  useShortcuts('page', {
    j: () => step(1),
    k: () => step(-1),
    ArrowDown: () => step(1),
    ArrowUp: () => (roving.isFocused() && place.row <= 0 ? toHeader() : step(-1)),
    PageDown: () => goTo(Math.max(0, place.row) + page),
    PageUp: () => goTo(place.row - page),
    Home: () => goTo(0),
    End: () => goTo(total - 1),
    'Ctrl+Home': () => goTo(0),
    'Ctrl+End': () => goTo(total - 1),
    o: () => open(place.row),
    n: () => seek(true, goTo),
    N: () => seek(false, goTo),
    d: () => onDensity(nextDensity(table.density)),
    ...others,
  })

  return (event) => {
    if ((event.target as Element).closest('[popover]')) return
    const isCell = place.row !== HEADER
    if (event.key === 'Enter' && isCell) open(place.row)
    else if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') {
      const last = isCell
        ? Number(grid.current?.getAttribute('aria-colcount'))
        : headerStops(grid.current).length
      const column = place.column + (event.key === 'ArrowRight' ? 1 : -1)
      roving.go({ ...place, column: Math.max(0, Math.min(last - 1, column)) })
    } else return
    event.preventDefault()
  }
}
