// A diff of two texts as a table. Changes have a sign, a background color and marked words.
import { type ReactNode, useId, useRef, useState } from 'react'
import { pluralize } from '../format/numbers.ts'
import { changeAttributes, StepButtons, useChangeSteps } from './change-steps.tsx'
import styles from './diff.module.css'
import { type DiffRow, diffRows, type UnfoldedLines } from './diff-rows.ts'
import type { Line, TextDiff } from './differences.ts'
import { FoldedLines } from './folded-lines.tsx'

/** Number of rows shown until the user clicks "Show more". */
const INITIAL_ROWS = 1000

interface DiffTableProps {
  diff: TextDiff
  names: [oldName: string, newName: string]
  isSplit: boolean
  isWrapped: boolean
  /** False on pages that step through several diffs. */
  hasStepButtons: boolean
  /** Shown above the table, next to the step buttons. */
  children: ReactNode
}

export function DiffTable({ diff, names, isSplit, isWrapped, hasStepButtons, children }: DiffTableProps) {
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
    const Row = isSplit ? SplitRow : UnifiedRow
    return <Row key={`${row.old?.number} ${row.new?.number}`} row={row} table={id} />
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
          className={`${styles.table} ${isWrapped ? styles.wrapped : ''} ${isSplit ? styles.split : ''}`}
        >
          <colgroup>
            <col className={styles.gutter} />
            <col className={isSplit ? undefined : styles.gutter} />
            <col className={isSplit ? styles.gutter : undefined} />
            {isSplit && <col />}
          </colgroup>
          <thead>{isSplit ? <SplitHeader names={names} /> : <UnifiedHeader names={names} />}</thead>
          <tbody>{rows.slice(0, visibleCount).map(renderRow)}</tbody>
        </table>
      </div>
      {rows.length > visibleCount && (
        <button
          type="button"
          className={styles.more}
          onClick={() => setVisibleCount(visibleCount + 5 * INITIAL_ROWS)}
        >
          Show more ({pluralize(rows.length - visibleCount, 'line')} left)
        </button>
      )}
    </>
  )
}

function SplitHeader({ names: [oldName, newName] }: Pick<DiffTableProps, 'names'>) {
  return (
    <tr>
      <th colSpan={2} scope="col">
        {oldName}
      </th>
      <th colSpan={2} scope="col">
        {newName}
      </th>
    </tr>
  )
}

function UnifiedHeader({ names: [oldName, newName] }: Pick<DiffTableProps, 'names'>) {
  return (
    <tr>
      <th colSpan={3} scope="col">
        <span className={styles.removedCount}>− {oldName}</span>{' '}
        <span className={styles.addedCount}>+ {newName}</span>
      </th>
    </tr>
  )
}

interface RowProps {
  row: Exclude<DiffRow, { kind: 'folded' }>
  /** Identifies the table, because a page can have several. */
  table: string
}

/** Marks changed rows as targets of the step buttons. */
function stepAttributes({ row, table }: RowProps) {
  return row.kind === 'same' ? {} : changeAttributes(`${table} ${row.change}`)
}

function SplitRow(props: RowProps) {
  const { row } = props
  const isChanged = row.kind === 'changed'
  return (
    <tr {...stepAttributes(props)}>
      <Gutter number={row.old?.number} sign={isChanged && row.old ? '−' : ''} />
      <LineText line={row.old} kind={isChanged ? 'removed' : 'same'} />
      <Gutter number={row.new?.number} sign={isChanged && row.new ? '+' : ''} />
      <LineText line={row.new} kind={isChanged ? 'added' : 'same'} />
    </tr>
  )
}

function UnifiedRow(props: RowProps) {
  const { row } = props
  const kind = row.kind === 'same' ? 'same' : row.old ? 'removed' : 'added'
  return (
    <tr {...stepAttributes(props)}>
      <Gutter number={row.old?.number} sign={kind === 'removed' ? '−' : ''} />
      <Gutter number={row.new?.number} sign={kind === 'added' ? '+' : ''} />
      <LineText line={row.old ?? row.new} kind={kind} />
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
