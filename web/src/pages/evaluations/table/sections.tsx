// The list in sections per variant or source. It is one tab stop; arrow keys, j and k move between rows of all sections.
import { useNavigate } from '@tanstack/react-router'
import {
  type KeyboardEvent,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { usePreference } from '../../../state/preferences.ts'
import { type PageSearch, useChangeSearchParams } from '../../../state/search-params.ts'
import { useShortcuts } from '../../../state/shortcuts.ts'
import { Button } from '../../../ui/button.tsx'
import { MessageBlock } from '../../../ui/messages/message-block.tsx'
import { rowsWithin, useVisibleRange } from '../../../ui/visible-rows.ts'
import type { EvaluationList, RowSelection, Section } from '../page-state.ts'
import type { ListParams } from '../search-params.ts'
import { nameWidthOf, visibleColumnsOf } from './column-layout.ts'
import { COLUMNS_PREFERENCE, type Column, readColumnChoices } from './columns.ts'
import { HEADER_PX, heightOf, ROW_PX, rowBelow, sectionTops, topOfRow } from './section-layout.ts'
import { SectionTable } from './section-table.tsx'
import styles from './table.module.css'

/** The next page is loaded this far before the end. */
const LOAD_MORE_PX = 640

export function Sections({
  list,
  params,
  selectedIds,
  onSelect,
}: { list: EvaluationList; params: ListParams } & RowSelection) {
  const { sections, rows, isShortened, isStale, loadMore } = list
  const navigate = useNavigate()
  const container = useRef<HTMLDivElement>(null)
  const [activeId, setActiveId] = useState<string>()
  const activeIndex = rows.findIndex(({ id }) => id === activeId)
  const tabStopId = rows[Math.max(0, activeIndex)]?.id
  const { top, bottom, widthPx } = useVisibleRange(container)
  const tops = useMemo(() => sectionTops(sections), [sections])
  const columns = useVisibleColumns(sections, widthPx)
  const nameWidthPx = nameWidthOf(columns, widthPx)
  const totalPx = heightOf(sections)
  useEffect(() => {
    // A page of older evaluations can be hidden completely. Scrolling would load all of them.
    if (!isShortened && bottom > totalPx - LOAD_MORE_PX) loadMore()
  }, [isShortened, bottom, totalPx, loadMore])
  useKeepPosition(container, sections, params, isStale)

  /** Set if the focus must move to the active row after it has rendered. */
  const isFocusPending = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs after the active row has changed
  useEffect(() => {
    if (isFocusPending.current) focusRow()
    isFocusPending.current = false
  }, [activeId])
  function focusRow() {
    const row = container.current?.querySelector<HTMLElement>('tr[tabindex="0"]')
    row?.focus({ preventScroll: true })
    row?.scrollIntoView({ block: 'nearest' })
  }

  function move(to: number) {
    const row = rows[Math.max(0, Math.min(rows.length - 1, to))]
    if (!row) return
    if (row.id === activeId) focusRow()
    isFocusPending.current = row.id !== activeId
    setActiveId(row.id)
  }
  function open() {
    if (tabStopId !== undefined) {
      void navigate({ to: '/evaluations/$evaluationId', params: { evaluationId: tabStopId } })
    }
  }
  const variantId = sections.find(({ rows }) => rows.some(({ id }) => id === tabStopId))?.variantId
  function openLeaderboard() {
    void navigate({ to: '/leaderboard', search: { variant_id: `eq.${variantId}` } })
  }
  const toggle = useCallback(
    (id: string | undefined) => {
      if (id === undefined) return
      const newIds = new Set(selectedIds)
      if (!newIds.delete(id)) newIds.add(id)
      onSelect(newIds)
    },
    [selectedIds, onSelect],
  )
  const down = () => move(activeIndex + 1)
  const up = () => move(Math.max(0, activeIndex) - 1)
  useShortcuts('page', {
    'j, ArrowDown': { label: 'Next evaluation', run: down },
    'k, ArrowUp': { label: 'Previous evaluation', run: up },
    o: { label: 'Open', run: open },
    x: { label: 'Select', run: () => toggle(tabStopId) },
    // With a selection, its bar has this key.
    ...(variantId && selectedIds.size === 0 && { l: { label: 'Rank the variant', run: openLeaderboard } }),
  })

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    const target = event.target as HTMLElement
    const row = target.closest('tr')
    const table = row?.closest('table')
    if (!row || !table || event.altKey || event.metaKey) return
    const isInHeader = row.dataset.header !== undefined
    const section = sections.find(({ id }) => id === table.dataset.section)
    const firstIndex = rows.findIndex(({ id }) => id === section?.rows[0]?.id)
    const index = Math.max(0, activeIndex)
    const pageRows = Math.max(1, Math.floor((innerHeight - 2 * HEADER_PX) / ROW_PX) - 1)
    const actions: Record<string, () => void> = {
      ArrowDown: () => move(isInHeader ? firstIndex : index + 1),
      ArrowUp: () => {
        if (isInHeader) move(firstIndex - 1)
        else if (index === firstIndex) table.querySelector<HTMLElement>('[data-header] button')?.focus()
        else move(index - 1)
      },
      PageDown: () => move(index + pageRows),
      PageUp: () => move(index - pageRows),
      Home: () => move(0),
      End: () => move(rows.length - 1),
      ArrowRight: () => moveWithinRow(row, target, 1),
      ArrowLeft: () => moveWithinRow(row, target, -1),
      ...(target === row && { Enter: open, ' ': () => toggle(rows[index]?.id) }),
    }
    const action = actions[event.key]
    if (!action) return
    event.preventDefault()
    action()
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys move between the rows of the grids inside
    <div ref={container} className={styles.sections} onKeyDown={onKeyDown}>
      {sections.map((section, index) => (
        <SectionTable
          key={section.id}
          section={section}
          columns={columns[index] ?? section.columns}
          order={params.order}
          {...rowsWithin(section.rows.length, ROW_PX, (tops[index] ?? 0) + HEADER_PX - top, bottom - top)}
          widthPx={widthPx}
          nameWidthPx={nameWidthPx}
          activeId={section.rows.some(({ id }) => id === tabStopId) ? tabStopId : undefined}
          onActivate={setActiveId}
          onToggle={toggle}
          hasMore={list.hasMore}
          isStale={list.isStale}
          baselineIds={list.baselineIds}
          selectedIds={selectedIds}
          onSelect={onSelect}
        />
      ))}
      {isShortened && list.hasMore && (
        <Button className={styles.older} onClick={loadMore}>
          Load older evaluations
        </Button>
      )}
      {rows.length === 0 && !list.hasMore && <NoMatchingEvaluations params={params} />}
    </div>
  )
}

function useVisibleColumns(sections: readonly Section[], widthPx: number): Column[][] {
  const choices = usePreference(COLUMNS_PREFERENCE)
  return useMemo(() => {
    const sectionColumns = sections.map(({ columns }) => columns)
    return visibleColumnsOf(sectionColumns, readColumnChoices(choices), widthPx)
  }, [sections, choices, widthPx])
}

/** Moves the focus from the row to its controls, and between them. */
function moveWithinRow(row: HTMLElement, target: HTMLElement, by: 1 | -1): void {
  const stops = [...row.querySelectorAll<HTMLElement>('input, a, button')]
  if (row.tabIndex === 0) stops.unshift(row)
  stops[stops.indexOf(target) + by]?.focus()
}

/** Keeps the visible rows in place when a loaded page or a new result adds rows above them, or moves their section. */
function useKeepPosition(
  container: RefObject<HTMLElement | null>,
  sections: readonly Section[],
  params: ListParams,
  isStale: boolean,
): void {
  const latest = useRef({ sections, params, isStale })
  useLayoutEffect(() => {
    const previous = latest.current
    latest.current = { sections, params, isStale }
    const y = -(container.current?.getBoundingClientRect().top ?? 0)
    // After a filter or another order, the old position means nothing.
    if (y <= 0 || previous.params !== params || previous.isStale) return
    const anchor = rowBelow(previous.sections, y)
    const top = topOfRow(sections, anchor?.id)
    if (anchor && top !== undefined) scrollBy(0, top - anchor.top)
  }, [container, sections, params, isStale])
}

/** Empty state of the list: the active filters, and a button to remove each. */
function NoMatchingEvaluations({ params: { filters, evaluator } }: { params: ListParams }) {
  const changeParams = useChangeSearchParams<'/'>()
  const removals: [label: string, removal: PageSearch<'/'>][] = filters.map(
    ({ param, noun, value, format = String }) => [`${noun} ${format(value)}`, { [param]: undefined }],
  )
  if (evaluator !== undefined) removals.push([`evaluator ${evaluator}`, { evaluator: undefined }])
  return (
    <MessageBlock
      title="No evaluation matches"
      actions={removals.map(([label, removal]) => (
        <Button key={label} onClick={() => changeParams(removal)}>
          Remove filter: {label}
        </Button>
      ))}
    >
      <p>No evaluation matches {removals.map(([label]) => label).join(' and ')}.</p>
    </MessageBlock>
  )
}
