// The keys of the table: rows, pages, cells, failures, pins, density.
import { useQueryClient } from '@tanstack/react-query'
import { AssayError, type EvaluationSummary } from 'assay-client'
import type { KeyboardEvent as ReactKeyboardEvent, RefObject } from 'react'
import { assay } from '../api.ts'
import { columnOfStop, HEADER, headerStops, type Roving } from '../grid/roving.ts'
import type { Sight } from '../grid/scroll.ts'
import { useTurn } from '../grid/turn.ts'
import { useMayWrite } from '../shell/key.ts'
import { toast } from '../shell/toasts.tsx'
import { type Shortcuts, useShortcuts } from '../shortcuts.ts'
import type { Row } from './cells.ts'
import { failureFilter, findFailure, isFailure } from './failures.ts'
import { handOver } from './handed-over.ts'
import type { Reading } from './readings.ts'
import type { Settled } from './settled.ts'
import type { Shown } from './shown.ts'
import { DENSITIES, useChangePreference } from './view.ts'

interface GridKeys {
  shown: Shown
  summary: EvaluationSummary | undefined
  readings: Record<string, Reading>
  settled: Settled
  grid: RefObject<HTMLElement | null>
  total: number
  sight: Sight
  rowAt: (index: number) => Row | undefined
  roving: Roving
  show: (index: number) => void
  open: (index: number) => void
}

/** What the table does with keys that are its own: those that other parts of the page need too act only inside of it. */
export function useGridKeys(table: GridKeys): (event: ReactKeyboardEvent) => void {
  const { shown, grid, total, sight, roving, show, open } = table
  const { place } = roving
  const prefer = useChangePreference()
  const pin = usePin(table)
  const seekFailure = useFailures(table)

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
  function writeNote(): void {
    const row = table.rowAt(place.row)
    if (!row) return
    handOver('note', row.id)
    open(place.row)
  }
  const page = Math.max(1, sight.last - sight.first)
  const density = DENSITIES[(DENSITIES.indexOf(shown.view.density) + 1) % DENSITIES.length] ?? 'compact'
  const keys: Shortcuts = {
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
    n: () => seekFailure(true, goTo),
    N: () => seekFailure(false, goTo),
    d: () => prefer('density', density),
    ...(pin && { p: pin, e: writeNote }),
  }
  useShortcuts('page', keys)

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

/** Undefined for a key that may not write. */
function usePin({ shown, rowAt, roving }: GridKeys): (() => Promise<void>) | undefined {
  const queries = useQueryClient()
  const mayWrite = useMayWrite()
  if (!mayWrite) return undefined
  return async () => {
    const row = rowAt(roving.place.row)
    if (!row) return
    try {
      await assay.markEvaluationScenario(shown.id, row.id, { is_pinned: !row.is_pinned })
      toast(row.is_pinned ? 'No longer pinned.' : 'Pinned.')
    } catch (error) {
      toast(error instanceof AssayError ? error.detail : 'It could not be pinned.')
    }
    await queries.invalidateQueries({ queryKey: ['evaluation', shown.id] })
  }
}

function useFailures({ shown, summary, settled, readings, rowAt, roving, sight }: GridKeys) {
  const beginTurn = useTurn(String(roving.place.row))
  return async (isForward: boolean, goTo: (index: number) => void) => {
    const isMyTurn = beginTurn()
    const at = Math.max(0, roving.place.row)
    const from = rowAt(at) ?? rowAt(sight.first)
    if (!from || !summary) return
    const failure = failureFilter(summary, shown.on)
    const rule = readings[shown.on ?? '']
    // Most are near, among the rows that are there.
    for (let index = at + (isForward ? 1 : -1); ; index += isForward ? 1 : -1) {
      const row = rowAt(index)
      if (!row) break
      if (isFailure(row, failure, rule)) return goTo(index)
    }
    try {
      const found = await findFailure(shown.id, settled.question, failure, { from: from.id, isForward })
      if (!isMyTurn()) return
      if (found) goTo(found.index)
      else toast(`No failure ${isForward ? 'after' : 'before'} this row in this view.`)
    } catch (error) {
      toast(error instanceof AssayError ? error.detail : 'The server cannot be reached.')
    }
  }
}
