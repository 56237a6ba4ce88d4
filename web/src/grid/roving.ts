// Where the keyboard is in the table: one cell, or one button of the header, is the only stop of the Tab key.
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

export const HEADER = -1

export interface Place {
  /** Of the rows in the view; the header is -1. */
  row: number
  /** Of the cells of a row, or of the buttons in the header. */
  column: number
}

export interface Roving {
  place: Place
  /** Goes there, and takes the focus along. */
  go: (place: Place) => void
  /** Goes there, and leaves the focus where it is. */
  mark: (row: number) => void
  isFocused: () => boolean
  onFocus: (target: Element) => void
  onBlur: () => void
}

/** The buttons of the header. What is in the menus that they open is not of the table. */
export function headerStops(grid: Element | null): HTMLElement[] {
  return [
    ...(grid?.querySelectorAll<HTMLElement>('[data-stop], [role=columnheader] > [popovertarget]') ?? []),
  ]
}

/** Which column a button of the header belongs to. */
export function columnOfStop(stop: Element | undefined): number {
  return Number(stop?.closest('[aria-colindex]')?.getAttribute('aria-colindex') ?? 1) - 1
}

/** `question` is what the rows answer, the same object as long as they do. */
export function useRoving(grid: RefObject<HTMLElement | null>, question: object): Roving {
  const [at, setAt] = useState({ row: 0, column: 0, question })
  // A row that is gone with its question leaves its place to the first one.
  const row = at.question === question || at.row === HEADER ? at.row : 0
  const isWanted = useRef(false)
  const isHeld = useRef(false)
  useLayoutEffect(() => {
    const stops = headerStops(grid.current)
    for (const [index, stop] of stops.entries()) {
      stop.tabIndex = row === HEADER && index === at.column ? 0 : -1
    }
    // What had the focus and was taken away leaves it to nobody.
    const isLost = isHeld.current && document.activeElement === document.body
    if (!isWanted.current && !isLost) return
    isWanted.current = false
    const cell = row === HEADER ? stops[at.column] : cellAt(grid.current, { row, column: at.column })
    cell?.focus({ preventScroll: true })
    cell?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  })
  return {
    place: { row, column: at.column },
    go: (place) => {
      isWanted.current = true
      setAt({ ...place, question })
    },
    mark: (next) => setAt({ row: next, column: 0, question }),
    isFocused: () => isHeld.current,
    onFocus: (target) => {
      isHeld.current = true
      const stop = headerStops(grid.current).indexOf(target as HTMLElement)
      if (stop >= 0) setAt({ row: HEADER, column: stop, question })
    },
    onBlur: () => {
      isHeld.current = false
    },
  }
}

function cellAt(grid: Element | null, { row, column }: Place): HTMLElement | undefined {
  const cells = grid?.querySelector(`[data-index="${row}"]`)?.children
  return (cells?.[column] ?? cells?.[0]) as HTMLElement | undefined
}
