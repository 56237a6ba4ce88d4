// What a table of many rows is made of: windows of rows, where it is scrolled to, and where the keyboard is.
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { type Density, ROW_HEIGHTS } from './density.ts'
import type { Range } from './ranges.ts'
import { type Roving, useRoving } from './roving.ts'
import { type Scroll, useScroll } from './scroll.ts'
import { type Ask, useWindows, type Window, type Windows } from './windows.ts'

export interface Table<Row> {
  grid: RefObject<HTMLDivElement | null>
  density: Density
  headHeight: number
  windows: Windows<Row>
  scroll: Scroll
  roving: Roving
}

interface TableOf<Row> {
  /** What rows answer, the same object as long as they do. */
  question: object
  /** How many rows there were in the first answer. */
  total: number
  ask: Ask<Window<Row>>
  density: Density
  headHeight: number
}

export function useTable<Row>({ question, total, ask, density, headHeight }: TableOf<Row>): Table<Row> {
  const grid = useRef<HTMLDivElement>(null)
  const [rested, setRested] = useState<Range>({ first: 0, last: 0 })
  const windows = useWindows(ask, total, rested)
  const scroll = useScroll(grid, {
    rows: windows.total,
    rowHeight: ROW_HEIGHTS[density],
    headHeight,
    onRest: setRested,
  })
  const roving = useRoving(grid, question)
  // Another question begins at its first row.
  const before = useRef(question)
  useLayoutEffect(() => {
    if (before.current !== question) scroll.toTop()
    before.current = question
  })
  return { grid, density, headHeight, windows, scroll, roving }
}
