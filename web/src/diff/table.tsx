// Two texts with what differs between them marked: by sign, by background, and by word.
import { type ReactNode, useId, useRef, useState } from 'react'
import { counted } from '../format/numbers.ts'
import styles from './diff.module.css'
import type { Differences } from './differences.ts'
import { Folded } from './folded.tsx'
import { type DiffRow, rowsOf, type Side, type Unfolded } from './rows.ts'
import { StepButtons, stopAt, useSteps } from './steps.tsx'

/** How many rows are shown before somebody asks for more. */
const SHOWN = 1000

interface DiffTableProps {
  found: Differences
  names: [old: string, text: string]
  isSplit: boolean
  isWrapped: boolean
  /** Not where a page leads through all that it shows. */
  hasSteps: boolean
  /** Stands in the line above, with the way from change to change. */
  children: ReactNode
}

export function DiffTable({ found, names, isSplit, isWrapped, hasSteps, children }: DiffTableProps) {
  const [unfolded, setUnfolded] = useState<ReadonlyMap<number, Unfolded>>(new Map())
  const [shown, setShown] = useState(SHOWN)
  const id = useId()
  const frame = useRef<HTMLDivElement>(null)
  const steps = useSteps(frame, { isOn: hasSteps })
  const rows = rowsOf(found.blocks, isSplit, unfolded)
  const changes = found.blocks.filter((block) => !('same' in block)).length
  function unfold(block: number, { first, last }: Unfolded) {
    const before = unfolded.get(block) ?? { first: 0, last: 0 }
    setUnfolded(new Map(unfolded).set(block, { first: before.first + first, last: before.last + last }))
    // Where nothing is left folded, the button is gone with its focus.
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) frame.current?.focus({ preventScroll: true })
    })
  }
  const row = (one: DiffRow): ReactNode => {
    if (one.kind === 'folded') {
      return (
        <Folded
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
      <div className={styles.sum}>
        {children}
        {hasSteps && changes > 1 && (
          <div className={styles.steps}>
            <StepButtons steps={steps}>{counted(changes, 'change')}</StepButtons>
          </div>
        )}
      </div>
      {/* Lines that are not wrapped scroll, from the keyboard too. */}
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
          <thead>{isSplit ? <SplitHead names={names} /> : <UnifiedHead names={names} />}</thead>
          <tbody>{rows.slice(0, shown).map(row)}</tbody>
        </table>
      </div>
      {rows.length > shown && (
        <button type="button" className={styles.more} onClick={() => setShown(shown + 5 * SHOWN)}>
          Show more of the other {counted(rows.length - shown, 'line')}
        </button>
      )}
    </>
  )
}

function SplitHead({ names: [old, text] }: Pick<DiffTableProps, 'names'>) {
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

function UnifiedHead({ names: [old, text] }: Pick<DiffTableProps, 'names'>) {
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
  /** Tells the changes of one table from those of others. */
  table: string
}

/** What steps lead to. */
function stop({ row, table }: RowProps) {
  return row.kind === 'same' ? {} : stopAt(`${table} ${row.change}`)
}

function SplitRow(props: RowProps) {
  const { row } = props
  const isChanged = row.kind === 'changed'
  return (
    <tr {...stop(props)}>
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
    <tr {...stop(props)}>
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
  if (!side) return <td className={styles.nothing} />
  if (kind === 'same') return <td>{side.pieces[0]?.text}</td>
  const Tag = kind === 'removed' ? 'del' : 'ins'
  return (
    <td className={styles[kind]}>
      <Tag>
        {side.pieces.map(({ text, isChanged }, index) =>
          isChanged ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: pieces never change their place
            <mark key={index}>{text}</mark>
          ) : (
            text
          ),
        )}
      </Tag>
    </td>
  )
}
