// Roving focus: one cell, or one button of the header, is the only tab stop of the table.
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

export const HEADER = -1

export interface CellPosition {
  /** The index of the row; the header is -1. */
  row: number
  /** The index of the cell, or of the button in the header. */
  column: number
}

/** The buttons of the header, without those in the menus they open. */
export function headerStops(grid: Element | null): HTMLElement[] {
  return [
    ...(grid?.querySelectorAll<HTMLElement>('[data-stop], [role=columnheader] > [popovertarget]') ?? []),
  ]
}

/** The column of a button in the header. */
export function columnOfStop(stop: Element | undefined): number {
  return Number(stop?.closest('[aria-colindex]')?.getAttribute('aria-colindex') ?? 1) - 1
}

/** `query` is that of the rows, compared by identity. */
export function useRovingFocus(grid: RefObject<HTMLElement | null>, query: object) {
  const [current, setCurrent] = useState({ row: 0, column: 0, query })
  // With another query the first row becomes current.
  const row = current.query === query || current.row === HEADER ? current.row : 0
  const isFocusRequested = useRef<boolean | 'in place'>(false)
  const hadFocus = useRef(false)
  useLayoutEffect(() => {
    const stops = headerStops(grid.current)
    for (const [index, stop] of stops.entries()) {
      stop.tabIndex = row === HEADER && index === current.column ? 0 : -1
    }
    // Removing the focused element moves the focus to the body.
    const isLost = hadFocus.current && document.activeElement === document.body
    const request = isFocusRequested.current
    if (!request && !isLost) return
    isFocusRequested.current = false
    const cell =
      row === HEADER ? stops[current.column] : cellAt(grid.current, { row, column: current.column })
    cell?.focus({ preventScroll: true })
    if (request !== 'in place') cell?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  })
  return {
    position: { row, column: current.column },
    /** Makes the cell current and focuses it. */
    focusCell: (position: CellPosition) => {
      isFocusRequested.current = true
      setCurrent({ ...position, query })
    },
    /** Makes the row current without moving the focus. */
    setCurrentRow: (next: number) => setCurrent({ row: next, column: 0, query }),
    /** The current row has another index now. Does not scroll. */
    moveCurrentRow: (next: number, isFocused = hadFocus.current) => {
      if (isFocused) isFocusRequested.current = 'in place'
      setCurrent({ row: next, column: current.column, query })
    },
    hasFocus: () => hadFocus.current,
    onFocus: (target: Element) => {
      hadFocus.current = true
      const stop = headerStops(grid.current).indexOf(target as HTMLElement)
      if (stop >= 0) setCurrent({ row: HEADER, column: stop, query })
    },
    onBlur: () => {
      hadFocus.current = false
    },
  }
}

function cellAt(grid: Element | null, { row, column }: CellPosition): HTMLElement | undefined {
  const cells = grid?.querySelector(`[data-index="${row}"]`)
  // A row does not render all of its cells.
  return (cells?.querySelector<HTMLElement>(`[aria-colindex="${column + 1}"]`) ?? cells?.children[0]) as
    | HTMLElement
    | undefined
}
