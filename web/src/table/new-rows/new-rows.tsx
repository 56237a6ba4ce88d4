// Displays rows of a newer version as soon as that moves nothing that is being read. Otherwise a button announces them.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { pluralize } from '../../format/numbers.ts'
import { type RowSource, WINDOW_SIZE } from '../../queries/row-window.ts'
import { indexesBetween, type Range, windowsAround } from '../row-windows.ts'
import { type FollowedRows, ROW_HEIGHTS, type TableState } from '../table-state.ts'
import styles from './new-rows.module.css'

interface NewRowsProps<Row, Ref> {
  table: TableState<Row>
  source: RowSource<Row, Ref>
  followed: FollowedRows
}

export function NewRows<Row, Ref>(props: NewRowsProps<Row, Ref>) {
  const { table, followed } = props
  const { total } = table.windows
  const { waiting, isAtEnd, showWaiting, showAll } = useNewRows(props)
  // Also when the user scrolls to the end.
  const isAppended = followed.limit !== undefined && !waiting && isAtEnd
  useEffect(() => {
    if (isAppended) queueMicrotask(showAll)
  })
  const count = (waiting?.total ?? table.loadedTotal) - total
  const label = count > 0 ? `+${pluralize(count, 'row')}` : waiting && 'Rows changed'
  return (
    <>
      <span role="status" className="sr-only">
        {label && 'There are new rows.'}
      </span>
      {label && (
        <button
          type="button"
          className={styles.pill}
          data-tooltip="Show the new rows"
          // The focus stays in the table.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => (waiting ? void showWaiting() : showAll())}
        >
          {label}
        </button>
      )}
    </>
  )
}

/** Rows that would move what is visible. */
interface WaitingRows {
  version: string
  total: number
}

function useNewRows<Row, Ref>(props: NewRowsProps<Row, Ref>) {
  const { source, followed } = props
  const queryClient = useQueryClient()
  const [waiting, setWaiting] = useState<WaitingRows & { source: object }>()
  // What is displayed when a request has ended.
  const latest = useRef(props)
  useLayoutEffect(() => {
    latest.current = props
  })
  const isMounted = useRef(true)
  useEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
    }
  }, [])
  const isCurrent = () => isMounted.current && latest.current.source === source

  /** Loads the windows of a range and returns their rows by index. */
  async function loadRows(version: string, range: Range, total: number) {
    const indexes = windowsAround(range, total, WINDOW_SIZE)
    const windows = await Promise.all(
      indexes.map((index) => queryClient.fetchQuery(source.windowQuery(index, version))),
    )
    const rows = new Map(
      indexes.flatMap((index, order) =>
        (windows[order]?.rows ?? []).map((row, offset) => [index * WINDOW_SIZE + offset, row] as const),
      ),
    )
    return { rows, indexes, total: windows.at(-1)?.total ?? total }
  }

  /** Displays another version or more rows. The first visible row stays where it is, if `movedBy` is how far it moves. */
  function show(version: string | undefined, limit?: number, movedBy = 0, moveFocus?: () => void): void {
    const { table, followed: shown } = latest.current
    const offset = table.scroll.getOffset()
    flushSync(() => {
      shown.show(version, limit)
      moveFocus?.()
    })
    flushSync(() =>
      latest.current.table.scroll.setOffset(offset + movedBy * ROW_HEIGHTS[latest.current.table.density]),
    )
  }

  /** Displays a version if the visible rows stay where they are. */
  async function check(version: string): Promise<void> {
    const { windowQuery } = source
    const ownKey = windowQuery(0).queryKey.slice(0, 3)
    const isOld = (candidate: unknown) =>
      candidate !== version && candidate !== latest.current.followed.version
    queryClient.removeQueries({
      queryKey: ownKey,
      type: 'inactive',
      predicate: ({ queryKey }) => isOld(queryKey.at(-1)),
    })
    for (;;) {
      const { scroll, windows } = latest.current.table
      const { rows, indexes, total } = await loadRows(version, scroll.visibleRange, windows.total)
      // The user can have shown a newer version meanwhile.
      if (!isCurrent() || checkedVersion.current !== version) return
      const { table, followed: shown } = latest.current
      const { visibleRange } = table.scroll
      const needed = windowsAround(visibleRange, table.windows.total, WINDOW_SIZE)
      // The user has scrolled meanwhile.
      if (!needed.every((index) => indexes.includes(index))) continue
      const isMoved = indexesBetween(visibleRange.first, visibleRange.last).some((index) => {
        const [row, newRow] = [table.windows.rowAt(index), rows.get(index)]
        return row !== undefined && (newRow === undefined || keyOf(row) !== keyOf(newRow))
      })
      const shownTotal = table.windows.total
      if (isMoved) {
        setWaiting({ version, total, source })
        // Windows that are loaded from now on have the new total.
        if (shown.limit !== shownTotal) show(shown.version, shownTotal)
      } else {
        setWaiting(undefined)
        const isAtEnd = visibleRange.last >= shownTotal - 1
        show(version, isAtEnd || total <= shownTotal ? undefined : shownTotal)
      }
      return
    }
  }

  const checkedVersion = useRef(followed.version)
  const isChecking = useRef(false)
  const isShowing = useRef(false)
  /** One check at a time, so that a slow one is not repeated by each change. */
  async function checkLatest(): Promise<void> {
    if (isChecking.current) return
    isChecking.current = true
    try {
      for (;;) {
        const { latestVersion } = latest.current.followed
        if (!isCurrent() || isShowing.current) return
        if (latestVersion === undefined || latestVersion === checkedVersion.current) return
        checkedVersion.current = latestVersion
        await check(latestVersion)
      }
    } catch {
      // The button tries again.
      const { table, followed: shown } = latest.current
      const version = shown.latestVersion
      if (isCurrent() && version !== undefined) setWaiting({ version, total: table.windows.total, source })
    } finally {
      isChecking.current = false
    }
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: another query has rows of its own
  useEffect(() => {
    checkedVersion.current = latest.current.followed.version
  }, [source])
  // biome-ignore lint/correctness/useExhaustiveDependencies: only other versions must be checked
  useEffect(() => void checkLatest(), [followed.latestVersion, source])

  const keyOf = (row: Row) => JSON.stringify(source.refOf(row))

  /** How far the first of these displayed rows moves that a new version contains. */
  async function findShift(version: string, displayedIndexes: number[]): Promise<number> {
    const { windows } = latest.current.table
    const [first = 0] = displayedIndexes
    const shiftNear = async (guess: number) => {
      const { rows } = await loadRows(version, { first: guess, last: guess }, windows.total)
      const newIndexes = new Map([...rows].map(([index, row]) => [keyOf(row), index]))
      for (const index of displayedIndexes) {
        const row = windows.rowAt(index)
        const newIndex = row && newIndexes.get(keyOf(row))
        if (newIndex !== undefined) return newIndex - index
      }
      return undefined
    }
    const nearShift = await shiftNear(first)
    const row = windows.rowAt(first)
    const ref = row && source.refOf(row)
    if (nearShift !== undefined || ref === undefined) return nearShift ?? 0
    const { located, before } = await queryClient
      .fetchQuery({ ...source.positionQuery(ref), staleTime: 0 })
      // A deleted row has no position.
      .catch(() => ({ located: null, before: first }))
    const position = located ?? before ?? first
    // The position can be of a newer version than the rows.
    return (await shiftNear(position)) ?? position - first
  }

  async function showWaiting(): Promise<void> {
    if (!waiting || isShowing.current) return
    const { latestVersion: version = waiting.version } = latest.current.followed
    isShowing.current = true
    checkedVersion.current = version
    try {
      await showVersion(version, waiting.total)
    } catch {
      checkedVersion.current = undefined
    } finally {
      isShowing.current = false
      void checkLatest()
    }
  }

  /** The first visible row stays at its place, and the focus in its row. */
  async function showVersion(version: string, expectedTotal: number): Promise<void> {
    const { scroll, roving } = latest.current.table
    const { first, last } = scroll.visibleRange
    const focused = roving.position.row
    const hasFocus = roving.hasFocus() || document.activeElement?.className === styles.pill
    // At the top, the new first row is visible.
    const shift = scroll.getOffset() === 0 ? 0 : await findShift(version, indexesBetween(first, last))
    const newFocused = focused < 0 ? focused : focused + (await findShift(version, [focused]))
    const range = { first: first + shift, last: last + shift }
    const { total } = await loadRows(version, range, expectedTotal)
    if (!isCurrent()) return
    setWaiting(undefined)
    show(version, undefined, shift, () =>
      roving.moveCurrentRow(Math.min(newFocused, Math.max(0, total - 1)), hasFocus),
    )
  }

  const { table } = props
  return {
    waiting: waiting?.source === source ? waiting : undefined,
    isAtEnd: table.scroll.visibleRange.last >= table.windows.total - 1,
    showWaiting,
    showAll: () => show(latest.current.followed.version),
  }
}
