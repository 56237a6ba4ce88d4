// The table of evaluations: of many, those in sight are there. One stop for Tab; arrows, j and k go from row to row.
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { useShortcuts } from '../shortcuts.ts'
import { useInSight } from './in-sight.ts'
import type { Listed } from './listed.ts'
import { NoRows } from './no-rows.tsx'
import { Row } from './row.tsx'
import styles from './table.module.css'
import { TableHead } from './table-head.tsx'
import { comparedColumns, tracksOf } from './tracks.ts'
import type { ListView } from './view.ts'

const ROW_PX = 32
const HEAD_PX = 44
const BORDERS_PX = 2
/** So many rows above and below those in sight are there as well. */
const BESIDE = 8
/** So many rows before the end the next page is asked for. */
const NEAR = 20

export interface Selecting {
  selected: ReadonlySet<string>
  onSelect: (selected: ReadonlySet<string>) => void
}

export function Table({ listed, view, selected, onSelect }: { listed: Listed; view: ListView } & Selecting) {
  const { rows, shown, baselines, loadMore } = listed
  const navigate = useNavigate()
  const scroll = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState<string>()
  const found = rows.findIndex(({ id }) => id === active)
  const activeIndex = Math.max(0, found)
  const { first, last, bringIn, page } = useInSight(scroll, { rowPx: ROW_PX, headPx: HEAD_PX })
  useEffect(() => {
    if (last >= rows.length - NEAR) loadMore()
  }, [last, rows.length, loadMore])

  /** Set where the focus is to follow: it cannot before the row is there. */
  const isMoving = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: after the row has changed
  useEffect(() => {
    if (isMoving.current) rowElement(scroll.current)?.focus({ preventScroll: true })
    isMoving.current = false
  }, [active])

  function move(to: number) {
    const index = Math.max(0, Math.min(rows.length - 1, to))
    const row = rows[index]
    if (!row) return
    bringIn(index)
    if (row.id === active) rowElement(scroll.current)?.focus({ preventScroll: true })
    isMoving.current = row.id !== active
    setActive(row.id)
  }
  function open() {
    const row = rows[activeIndex]
    if (row) void navigate({ to: '/evaluations/$evaluationId', params: { evaluationId: row.id } })
  }
  function toggle(id: string | undefined) {
    if (id === undefined) return
    const next = new Set(selected)
    if (!next.delete(id)) next.add(id)
    onSelect(next)
  }
  const isBefore = found === -1
  const down = () => move(isBefore ? 0 : activeIndex + 1)
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
    const isOnHead = row.dataset.head !== undefined
    const acts: Record<string, () => void> = {
      ArrowDown: () => move(isOnHead ? 0 : activeIndex + 1),
      ArrowUp: () => (activeIndex === 0 ? headElement(scroll.current)?.focus() : move(activeIndex - 1)),
      PageDown: () => move(activeIndex + page()),
      PageUp: () => move(activeIndex - page()),
      Home: () => move(0),
      End: () => move(rows.length - 1),
      ArrowRight: () => stepInside(row, target, 1),
      ArrowLeft: () => stepInside(row, target, -1),
      ...(target === row && { Enter: open, ' ': () => toggle(rows[activeIndex]?.id) }),
    }
    const act = acts[event.key]
    if (!act) return
    event.preventDefault()
    act()
  }

  const compared = useMemo(() => comparedColumns(shown, rows, baselines), [shown, rows, baselines])
  const { tracks, leastPx } = tracksOf(shown, compared)
  return (
    <div ref={scroll} className={styles.scroll} style={{ minHeight: leastHeight(rows.length) }}>
      <table
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: ARIA has the grid for just this
        role="grid"
        aria-label="Evaluations"
        aria-rowcount={listed.hasMore ? -1 : rows.length + 1}
        aria-colcount={shown.length + 1}
        aria-multiselectable="true"
        aria-busy={listed.isOld}
        tabIndex={-1}
        className={styles.grid}
        style={{ '--columns': tracks, minWidth: leastPx } as object}
        onKeyDown={onKeyDown}
      >
        <TableHead listed={listed} view={view} selected={selected} onSelect={onSelect} />
        <tbody
          className={listed.isOld ? styles.oldRows : styles.rows}
          style={{ height: rows.length * ROW_PX }}
        >
          {indexesOf(first - BESIDE, Math.min(rows.length - 1, last + BESIDE), activeIndex).map((index) => {
            const evaluation = rows[index]
            if (!evaluation) return null
            return (
              <Row
                key={evaluation.id}
                evaluation={evaluation}
                columns={shown}
                compared={compared}
                baselines={baselines}
                isBaseline={listed.baselineIds.has(evaluation.id)}
                index={index}
                top={index * ROW_PX}
                isActive={index === activeIndex}
                isSelected={selected.has(evaluation.id)}
                onActivate={() => setActive(evaluation.id)}
                onToggle={() => toggle(evaluation.id)}
              />
            )
          })}
        </tbody>
      </table>
      {rows.length === 0 && !listed.hasMore && <NoRows view={view} />}
    </div>
  )
}

/** The row that has the focus stays there, wherever one scrolls. */
function indexesOf(first: number, last: number, active: number): number[] {
  const from = Math.max(0, first)
  const indexes = Array.from({ length: Math.max(0, last - from + 1) }, (_, index) => from + index)
  return indexes.includes(active) ? indexes : [...indexes, active]
}

/** Whatever else stands on the page, some rows are in sight. */
function leastHeight(rows: number): number {
  return HEAD_PX + ROW_PX * Math.min(10, Math.max(2, rows)) + BORDERS_PX
}

function rowElement(scroll: HTMLElement | null) {
  return scroll?.querySelector<HTMLElement>('tr[tabindex="0"]')
}

function headElement(scroll: HTMLElement | null) {
  return scroll?.querySelector<HTMLElement>('[data-head] button')
}

/** From the row to what can be pressed in it, and on to the next. */
function stepInside(row: HTMLElement, target: HTMLElement, by: 1 | -1): void {
  const stops = [...row.querySelectorAll<HTMLElement>('input, a, button')]
  if (row.tabIndex === 0) stops.unshift(row)
  stops[stops.indexOf(target) + by]?.focus()
}
