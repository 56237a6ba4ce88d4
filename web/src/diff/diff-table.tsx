// A diff of two texts as a table. Changes have a sign, a background color and marked words.
import { ArrowDown, ArrowUp } from 'lucide'
import { type ReactNode, useId, useRef, useState } from 'react'
import { pluralize } from '../format/numbers.ts'
import { Button } from '../ui/button.tsx'
import type { IconType } from '../ui/icon.tsx'
import { useHasTwoColumns } from '../ui/media.ts'
import { changeAttributes, StepButtons, useChangeSteps } from './change-steps.tsx'
import styles from './diff.module.css'
import { type DiffRow, diffRows, type Fold, type UnfoldedLines } from './diff-rows.ts'
import type { Line, TextDiff } from './differences.ts'

/** Number of rows shown until the user clicks "Show more". */
const INITIAL_ROWS = 1000

export interface DiffTableProps {
  diff: TextDiff
  names: [oldName: string, newName: string]
  /** Has no effect in narrow windows. */
  isSplit: boolean
  isWrapped: boolean
  /** Prose is easier to read in the font of the page. Code and JSON need a fixed width. */
  isProse?: boolean
  /** False on pages that step through several diffs. */
  hasStepButtons?: boolean
  /** Shown above the table, next to the step buttons. */
  children: ReactNode
}

export function DiffTable(props: DiffTableProps) {
  const { diff, names, isWrapped, isProse = false, hasStepButtons = true, children } = props
  const isSplit = useHasTwoColumns() && props.isSplit
  const [unfolded, setUnfolded] = useState<ReadonlyMap<number, UnfoldedLines>>(new Map())
  const [visibleCount, setVisibleCount] = useState(INITIAL_ROWS)
  const id = useId()
  const frame = useRef<HTMLDivElement>(null)
  const steps = useChangeSteps(frame, { isEnabled: hasStepButtons })
  const rows = diffRows(diff.blocks, isSplit, unfolded)
  const changes = diff.blocks.filter((block) => !('commonLines' in block)).length
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
          columns={isSplit ? 4 : 3}
          onUnfold={(lines) => unfold(row.block, lines)}
        />
      )
    }
    return <TableRow key={`${row.old?.number} ${row.new?.number}`} row={row} table={id} isSplit={isSplit} />
  }
  return (
    <>
      <div className={styles.summary}>
        {children}
        {hasStepButtons && changes > 1 && (
          <div className={styles.steps}>
            <StepButtons steps={steps}>{pluralize(changes, 'change')}</StepButtons>
          </div>
        )}
      </div>
      {/* Unwrapped lines scroll, so the element must be focusable. */}
      <div ref={frame} className={styles.frame} tabIndex={isWrapped ? -1 : 0}>
        <table
          className={[
            styles.table,
            isProse && styles.prose,
            isWrapped && styles.wrapped,
            isSplit && styles.split,
          ]
            .filter(Boolean)
            .join(' ')}
        >
          <colgroup>
            <col className={styles.gutter} />
            <col className={isSplit ? undefined : styles.gutter} />
            <col className={isSplit ? styles.gutter : undefined} />
            {isSplit && <col />}
          </colgroup>
          <thead>
            <tr>
              {isSplit ? (
                names.map((name, side) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: both names can be equal
                  <th key={side} colSpan={2} scope="col">
                    {name}
                  </th>
                ))
              ) : (
                <th colSpan={3} scope="col">
                  <span className={styles.removedCount}>− {names[0]}</span>{' '}
                  <span className={styles.addedCount}>+ {names[1]}</span>
                </th>
              )}
            </tr>
          </thead>
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

interface RowProps {
  row: Exclude<DiffRow, { kind: 'folded' }>
  /** Identifies the table, because a page can have several. */
  table: string
  isSplit: boolean
}

function TableRow({ row, table, isSplit }: RowProps) {
  const isChanged = row.kind === 'changed'
  const oldNumber = <Gutter number={row.old?.number} sign={isChanged && row.old ? '−' : ''} />
  const newNumber = <Gutter number={row.new?.number} sign={isChanged && row.new ? '+' : ''} />
  return (
    // Changed rows are targets of the step buttons.
    <tr {...(isChanged && changeAttributes(`${table} ${row.change}`))}>
      {isSplit ? (
        <>
          {oldNumber}
          <LineText line={row.old} kind={isChanged ? 'removed' : 'same'} />
          {newNumber}
          <LineText line={row.new} kind={isChanged ? 'added' : 'same'} />
        </>
      ) : (
        <>
          {oldNumber}
          {newNumber}
          <LineText line={row.old ?? row.new} kind={isChanged ? (row.old ? 'removed' : 'added') : 'same'} />
        </>
      )}
    </tr>
  )
}

function Gutter({ number, sign }: { number: number | undefined; sign: string }) {
  return (
    <td className={styles.numbers}>
      {number} <span>{sign}</span>
    </td>
  )
}

function LineText({ line, kind }: { line: Line | undefined; kind: 'same' | 'removed' | 'added' }) {
  if (!line) return <td className={styles.emptyCell} />
  if (kind === 'same') return <td>{line.pieces[0]?.text}</td>
  const Tag = kind === 'removed' ? 'del' : 'ins'
  return (
    <td className={styles[kind]}>
      <Tag>
        {line.pieces.map(({ text, isMarked }, index) =>
          isMarked ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: pieces never move
            <mark key={index}>{text}</mark>
          ) : (
            text
          ),
        )}
      </Tag>
    </td>
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
