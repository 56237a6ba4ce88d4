// Table of revisions, newest first: what changed and how each scored. Only the rows in the window are rendered.
import { Fragment, type ReactNode, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useListShortcuts } from '../../../navigation/list-shortcuts.ts'
import { UNIT_LABELS } from '../../../results/measures.ts'
import tableStyles from '../../../ui/table.module.css'
import { renderedRows, rowsWithin, useVisibleRange } from '../../../ui/visible-rows.ts'
import type { History } from '../history.ts'
import type { Selection } from '../selection.ts'
import { type Columns, columnsFor, WIDTHS, widthOf } from './columns.ts'
import { RevisionRow } from './revision-row.tsx'
import styles from './revision-table.module.css'

/** As in revision-table.module.css. */
const ROW_HEIGHT = 32

export function RevisionTable({ history, selection }: { history: History; selection: Selection }) {
  const { id, matches, metrics, metric } = history
  const frame = useRef<HTMLDivElement>(null)
  const table = useRef<HTMLTableElement>(null)
  const [focused, setFocused] = useState<number>()
  const { top, bottom, widthPx: width } = useVisibleRange(frame)
  const columns = useMemo(() => columnsFor(width, metrics, metric), [width, metrics, metric])
  const rows = renderedRows(rowsWithin(matches.length, ROW_HEIGHT, -top, bottom - top), focused)
  const isMoving = useRef(false)
  // The next row may not be rendered yet: render it first, then focus its link. A passive effect of an earlier render
  // could run after the key press and focus the previous row.
  useListShortcuts(table, (step) => {
    isMoving.current = true
    setFocused((old = -1) => Math.max(0, Math.min(matches.length - 1, old + step)))
  })
  useLayoutEffect(() => {
    if (!isMoving.current || focused === undefined) return
    isMoving.current = false
    table.current?.querySelector<HTMLElement>(`[aria-rowindex="${focused + 2}"] a`)?.focus()
  })
  return (
    <div ref={frame}>
      <table
        ref={table}
        aria-label="Revisions"
        aria-rowcount={matches.length + 1}
        className={`${tableStyles.table} ${styles.table}`}
      >
        <ColumnWidths columns={columns} width={width} />
        <thead>
          <tr>
            <th scope="col">
              <span className="sr-only">Selected</span>
            </th>
            <th scope="col">
              <span className="sr-only">Revision</span>
            </th>
            <th scope="col">What changed</th>
            {columns.hasMessage && <th scope="col">Message</th>}
            {columns.hasAuthor && <th scope="col">By</th>}
            {columns.hasDate && <th scope="col">Date</th>}
            {columns.metrics.map(({ name, unit, search }) => (
              <th
                key={`${search.on} ${search.figure}`}
                scope="col"
                className={tableStyles.numeric}
                data-tooltip={`${name}, ${UNIT_LABELS[unit]}`}
              >
                <span className={styles.metric}>
                  {name} <span className={tableStyles.unit}>{UNIT_LABELS[unit]}</span>
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody onBlur={() => setFocused(undefined)}>
          {rows.map((index, position) => {
            const entry = matches[index]
            if (!entry) return null
            const { revision } = entry.revision
            return (
              <Fragment key={revision}>
                <Gap rows={index - (rows[position - 1] ?? -1) - 1} />
                <RevisionRow
                  id={id}
                  index={index}
                  entry={entry}
                  columns={columns}
                  isSelected={selection.numbers.includes(revision)}
                  onToggle={selection.toggle}
                  onFocus={setFocused}
                />
              </Fragment>
            )
          })}
          <Gap rows={matches.length - 1 - (rows.at(-1) ?? -1)} />
        </tbody>
      </table>
    </div>
  )
}

/** The space of rows that are not rendered. */
function Gap({ rows }: { rows: number }): ReactNode {
  if (rows <= 0) return null
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: the row is empty and cannot have the focus
    <tr aria-hidden="true" className={styles.gap}>
      <td style={{ height: rows * ROW_HEIGHT }} />
    </tr>
  )
}

function ColumnWidths({ columns, width }: { columns: Columns; width: number }) {
  const { hasMessage, hasAuthor, hasDate, metrics } = columns
  const fixed = [
    WIDTHS.selection,
    WIDTHS.revision,
    hasAuthor ? WIDTHS.author : 0,
    hasDate ? WIDTHS.date : 0,
    ...metrics.map(widthOf),
  ]
  const rest = width - fixed.reduce((sum, item) => sum + item, 0)
  return (
    <colgroup>
      <col style={{ width: WIDTHS.selection }} />
      <col style={{ width: WIDTHS.revision }} />
      <col />
      {hasMessage && <col style={{ width: Math.max(WIDTHS.message, rest * 0.32) }} />}
      {hasAuthor && <col style={{ width: WIDTHS.author }} />}
      {hasDate && <col style={{ width: WIDTHS.date }} />}
      {metrics.map((metric) => (
        <col key={`${metric.search.on} ${metric.search.figure}`} style={{ width: widthOf(metric) }} />
      ))}
    </colgroup>
  )
}
