// A diff of two texts as a table. Code has line numbers and signs, prose only marked words.
import { ArrowDown, ArrowUp } from 'lucide'
import { type ReactNode, useId, useRef, useState } from 'react'
import { formatCount, pluralize } from '../format/numbers.ts'
import { Button } from '../ui/button.tsx'
import { useWidth } from '../ui/charts/use-width.ts'
import type { IconType } from '../ui/icon.tsx'
import { useHasTwoColumns } from '../ui/media.ts'
import { StepButtons, useChangeSteps } from './change-steps.tsx'
import styles from './diff.module.css'
import { changesOf, type DiffLayout, isProseLayout, TableRow } from './diff-row.tsx'
import { type DiffRow, diffRows, type Fold, type UnfoldedLines } from './diff-rows.ts'
import type { TextDiff } from './differences.ts'
import prose from './prose.module.css'

/** Number of rows shown until the user clicks "Show more". */
const INITIAL_ROWS = 1000
/** Widths from which two columns fit, in pixels. */
const MIN_COLUMNS_WIDTH = { prose: 360, code: 560 }
/** A shorter diff of prose has no buttons to go to its changes, because all of them are visible. */
const LONG_PROSE = 1500

export interface DiffTableProps {
  diff: TextDiff
  names: [oldName: string, newName: string]
  /** Has no effect if two columns do not fit. */
  isSplit: boolean
  isWrapped: boolean
  /** Prose is easier to read in the font of the page. Code and JSON need a fixed width. */
  isProse?: boolean
  /** False on pages that step through several diffs. */
  hasStepButtons?: boolean
  /** Shown above the table, next to the names. */
  children: ReactNode
}

export function DiffTable(props: DiffTableProps) {
  const { diff, names, isWrapped, isProse = false, hasStepButtons = true, children } = props
  const [unfolded, setUnfolded] = useState<ReadonlyMap<number, UnfoldedLines>>(new Map())
  const [visibleCount, setVisibleCount] = useState(INITIAL_ROWS)
  const id = useId()
  const frame = useRef<HTMLDivElement>(null)
  const width = useWidth(frame)
  const hasTwoColumns = useHasTwoColumns() && width >= MIN_COLUMNS_WIDTH[isProse ? 'prose' : 'code']
  const isSplit = props.isSplit && hasTwoColumns
  const layout = layoutOf(isSplit, isProse, hasTwoColumns)
  const hasColumns = layout === 'columns' || layout === 'split'
  const steps = useChangeSteps(frame, { isEnabled: hasStepButtons })
  // The first rendering only measures the width.
  const rows = width === 0 ? [] : diffRows(diff.blocks, layout === 'stacked' ? 'unified' : layout, unfolded)
  const changes = countChanges(rows, layout, id)
  const isShortProse = isProseLayout(layout) && diff.length < LONG_PROSE
  function unfold(block: number, { first, last }: UnfoldedLines) {
    const unfoldedLines = unfolded.get(block) ?? { first: 0, last: 0 }
    setUnfolded(
      new Map(unfolded).set(block, { first: unfoldedLines.first + first, last: unfoldedLines.last + last }),
    )
    // If the clicked button is removed, the body has the focus.
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) frame.current?.focus({ preventScroll: true })
    })
  }
  const renderRow = (row: DiffRow): ReactNode => {
    if (row.kind === 'folded') {
      return (
        <FoldedLines
          key={`folded ${row.block}`}
          fold={row}
          columns={COLUMN_COUNTS[layout]}
          onUnfold={(lines) => unfold(row.block, lines)}
        />
      )
    }
    return (
      <TableRow key={`${row.old[0]?.number} ${row.new[0]?.number}`} row={row} table={id} layout={layout} />
    )
  }
  return (
    <>
      <div className={styles.bar} data-columns={hasColumns && isWrapped}>
        <div className={styles.barSide}>
          <SideName name={names[0]} sign="−" count={isProseLayout(layout) ? undefined : diff.removedCount} />
          <div className={styles.notes}>{children}</div>
        </div>
        <div className={styles.barSide}>
          <SideName name={names[1]} sign="+" count={isProseLayout(layout) ? undefined : diff.addedCount} />
          {hasStepButtons && changes > 1 && (!isShortProse || steps.position) && (
            <div className={styles.steps}>
              <StepButtons steps={steps}>{pluralize(changes, 'change')}</StepButtons>
            </div>
          )}
        </div>
      </div>
      {/* Unwrapped lines scroll, so the element must be focusable. */}
      <div
        ref={frame}
        className={layout === 'columns' ? prose.frame : styles.frame}
        data-layout={layout}
        tabIndex={isWrapped ? -1 : 0}
      >
        <table className={tableClass(layout, isProse, isWrapped)}>
          <caption className="sr-only">
            {hasColumns ? `${names[0]} on the left, ${names[1]} on the right` : `${names[0]} and ${names[1]}`}
          </caption>
          <Columns layout={layout} />
          <tbody>{rows.slice(0, visibleCount).map(renderRow)}</tbody>
        </table>
      </div>
      {rows.length > visibleCount && (
        <Button className={styles.more} onClick={() => setVisibleCount(visibleCount + 5 * INITIAL_ROWS)}>
          Show more ({pluralize(rows.length - visibleCount, 'line')} left)
        </Button>
      )}
    </>
  )
}

const COLUMN_COUNTS: Record<DiffLayout, number> = { columns: 2, stacked: 2, split: 4, unified: 3 }

function layoutOf(isSplit: boolean, isProse: boolean, hasTwoColumns: boolean): DiffLayout {
  if (isSplit) return isProse ? 'columns' : 'split'
  return isProse && !hasTwoColumns ? 'stacked' : 'unified'
}

function tableClass(layout: DiffLayout, isProse: boolean, isWrapped: boolean): string {
  const classes =
    layout === 'columns'
      ? [prose.table, isWrapped && prose.wrapped]
      : [styles.table, styles[layout], isProse && styles.prose, isWrapped && styles.wrapped]
  return classes.filter(Boolean).join(' ')
}

function countChanges(rows: DiffRow[], layout: DiffLayout, table: string): number {
  const names = rows.flatMap((row) => (row.kind === 'changed' ? changesOf({ row, table, layout }) : []))
  return new Set(names).size
}

interface SideNameProps {
  name: string
  sign: '−' | '+'
  /** The number of changed lines. Prose has none. */
  count: number | undefined
}

function SideName({ name, sign, count }: SideNameProps) {
  return (
    <p className={styles.name}>
      <bdi>{name}</bdi>{' '}
      <span className={sign === '−' ? styles.removedCount : styles.addedCount}>
        {sign}
        {count !== undefined && (
          <>
            {formatCount(count)}
            <span className="sr-only"> {count === 1 ? 'line' : 'lines'}</span>
          </>
        )}
      </span>
    </p>
  )
}

/** Columns without a gutter share the rest of the width. */
function Columns({ layout }: { layout: DiffLayout }) {
  return (
    <colgroup>
      {layout !== 'columns' && <col className={styles.gutter} />}
      {layout === 'unified' && <col className={styles.gutter} />}
      <col />
      {layout === 'split' && <col className={styles.gutter} />}
      {(layout === 'split' || layout === 'columns') && <col />}
    </colgroup>
  )
}

/** Lines that one click unfolds. */
const UNFOLD_STEP = 10

interface FoldedLinesProps {
  fold: Fold
  columns: number
  onUnfold: (lines: UnfoldedLines) => void
}

/** A row for folded unchanged lines, with buttons to show some or all of them. */
function FoldedLines({ fold, columns, onUnfold }: FoldedLinesProps) {
  const { lines, isAfterChange, isBeforeChange } = fold
  const step = (unfolded: UnfoldedLines, icon: IconType, place: string) =>
    lines > UNFOLD_STEP && (
      <Button variant="plain" size="small" icon={icon} onClick={() => onUnfold(unfolded)}>
        Show {UNFOLD_STEP}
        <span className="sr-only"> {place}</span>
      </Button>
    )
  return (
    <tr className={styles.folded}>
      <td colSpan={columns}>
        <span className={styles.foldedLine}>
          {pluralize(lines, 'unchanged line')}{' '}
          {isAfterChange && step({ first: UNFOLD_STEP, last: 0 }, ArrowDown, 'below the previous change')}
          {isBeforeChange && step({ first: 0, last: UNFOLD_STEP }, ArrowUp, 'above the next change')}
          <Button variant="plain" size="small" onClick={() => onUnfold({ first: lines, last: 0 })}>
            Show all
          </Button>
        </span>
      </td>
    </tr>
  )
}
