// A diff of two texts as a table. Changes have a sign, a background color and marked words.
import { type ReactNode, useId, useRef, useState } from 'react'
import { pluralize } from '../format/numbers.ts'
import { changeAttributes, StepButtons, useChangeSteps } from './change-steps.tsx'
import styles from './diff.module.css'
import { type DiffRow, diffRows, type Side, type UnfoldedLines } from './diff-rows.ts'
import type { TextDiff } from './differences.ts'
import { FoldedLines } from './folded-lines.tsx'

/** Rows shown before the user asks for more. */
const INITIAL_ROWS = 1000

interface DiffTableProps {
  diff: TextDiff
  names: [old: string, text: string]
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
  const steps = useChangeSteps(frame, { isOn: hasStepButtons })
  const rows = diffRows(diff.blocks, isSplit, unfolded)
  const changes = diff.blocks.filter((block) => !('same' in block)).length
  function unfold(block: number, { first, last }: UnfoldedLines) {
    const before = unfolded.get(block) ?? { first: 0, last: 0 }
    setUnfolded(new Map(unfolded).set(block, { first: before.first + first, last: before.last + last }))
    // The pressed button may disappear with its focus.
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) frame.current?.focus({ preventScroll: true })
    })
  }
  const row = (one: DiffRow): ReactNode => {
    if (one.kind === 'folded') {
      return (
        <FoldedLines
          key={`folded ${one.block}`}
          fold={one}
          columns={isSplit ? 4 : 3}
          onUnfold={(lines) => unfold(one.block, lines)}
        />
      )
    }
    const Row = isSplit ? SplitRow : UnifiedRow
    return <Row key={`${one.old?.number} ${one.new?.number}`} row={one} table={id} />
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
          <tbody>{rows.slice(0, visibleCount).map(row)}</tbody>
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

function SplitHeader({ names: [old, text] }: Pick<DiffTableProps, 'names'>) {
  return (
    <tr>
      <th colSpan={2} scope="col">
        {old}
      </th>
      <th colSpan={2} scope="col">
        {text}
      </th>
    </tr>
  )
}

function UnifiedHeader({ names: [old, text] }: Pick<DiffTableProps, 'names'>) {
  return (
    <tr>
      <th colSpan={3} scope="col">
        <span className={styles.removedCount}>− {old}</span>{' '}
        <span className={styles.addedCount}>+ {text}</span>
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
function changeStop({ row, table }: RowProps) {
  return row.kind === 'same' ? {} : changeAttributes(`${table} ${row.change}`)
}

function SplitRow(props: RowProps) {
  const { row } = props
  const isChanged = row.kind === 'changed'
  return (
    <tr {...changeStop(props)}>
      <Gutter number={row.old?.number} sign={isChanged && row.old ? '−' : ''} />
      <Text side={row.old} kind={isChanged ? 'removed' : 'same'} />
      <Gutter number={row.new?.number} sign={isChanged && row.new ? '+' : ''} />
      <Text side={row.new} kind={isChanged ? 'added' : 'same'} />
    </tr>
  )
}

function UnifiedRow(props: RowProps) {
  const { row } = props
  const kind = row.kind === 'same' ? 'same' : row.old ? 'removed' : 'added'
  return (
    <tr {...changeStop(props)}>
      <Gutter number={row.old?.number} sign={kind === 'removed' ? '−' : ''} />
      <Gutter number={row.new?.number} sign={kind === 'added' ? '+' : ''} />
      <Text side={row.old ?? row.new} kind={kind} />
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

function Text({ side, kind }: { side: Side | undefined; kind: 'same' | 'removed' | 'added' }) {
  if (!side) return <td className={styles.emptyCell} />
  if (kind === 'same') return <td>{side.pieces[0]?.text}</td>
  const Tag = kind === 'removed' ? 'del' : 'ins'
  return (
    <td className={styles[kind]}>
      <Tag>
        {side.pieces.map(({ text, isChanged }, index) =>
          isChanged ? (
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
