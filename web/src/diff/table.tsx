// Two texts with what differs between them marked: by sign, by background, and by word.
import { type ReactNode, useRef, useState } from 'react'
import { counted } from '../format/numbers.ts'
import { useShortcuts } from '../shortcuts.ts'
import styles from './diff.module.css'
import type { Differences } from './differences.ts'
import { type DiffRow, rowsOf, type Side } from './rows.ts'

/** How many rows are shown before somebody asks for more. */
const SHOWN = 1000

interface DiffTableProps {
  found: Differences
  names: [old: string, text: string]
  isSplit: boolean
  isWrapped: boolean
  /** Stands in the line above, with the way from change to change. */
  children: ReactNode
}

export function DiffTable({ found, names, isSplit, isWrapped, children }: DiffTableProps) {
  const [unfolded, setUnfolded] = useState<ReadonlySet<number>>(new Set())
  const [shown, setShown] = useState(SHOWN)
  const [current, setCurrent] = useState<number>()
  const table = useRef<HTMLTableElement>(null)
  const rows = rowsOf(found.blocks, isSplit, unfolded)
  const changes = found.blocks.filter((block) => !('same' in block)).length
  function go(step: 1 | -1) {
    const next = current === undefined ? (step > 0 ? 0 : changes - 1) : current + step
    const row = table.current?.querySelector(`[data-change="${next}"]`)
    if (!row) return
    setCurrent(next)
    row.scrollIntoView({ block: 'center' })
  }
  useShortcuts('panel', { ']': () => go(1), '[': () => go(-1) })
  const row = (one: DiffRow): ReactNode => {
    if (one.kind === 'folded') {
      return (
        <Folded
          key={`folded ${one.block}`}
          lines={one.lines}
          columns={isSplit ? 4 : 3}
          onUnfold={() => setUnfolded(new Set([...unfolded, one.block]))}
        />
      )
    }
    const Row = isSplit ? SplitRow : UnifiedRow
    return <Row key={`${one.old?.number} ${one.new?.number}`} row={one} current={current} />
  }
  return (
    <>
      <div className={styles.sum}>
        {children}
        {changes > 1 && (
          <p className={styles.steps}>
            {current === undefined ? counted(changes, 'change') : `change ${current + 1} of ${changes}`}{' '}
            <button type="button" title="Previous change ([)" onClick={() => go(-1)}>
              ↑<span className="unseen">Previous change</span>
            </button>{' '}
            <button type="button" title="Next change (])" onClick={() => go(1)}>
              ↓<span className="unseen">Next change</span>
            </button>
          </p>
        )}
      </div>
      {/* Lines that are not wrapped scroll, from the keyboard too. */}
      <div className={styles.frame} tabIndex={isWrapped ? undefined : 0}>
        <table
          ref={table}
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
  current: number | undefined
}

function changeOf({ row, current }: RowProps) {
  if (row.kind === 'same') return {}
  return {
    'data-change': row.isFirst ? row.change : undefined,
    'aria-current': row.change === current ? ('location' as const) : undefined,
  }
}

function SplitRow(props: RowProps) {
  const { row } = props
  const isChanged = row.kind === 'changed'
  return (
    <tr {...changeOf(props)}>
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
    <tr {...changeOf(props)}>
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

function Folded({ lines, columns, onUnfold }: { lines: number; columns: number; onUnfold: () => void }) {
  return (
    <tr className={styles.folded}>
      <td colSpan={columns}>
        <button type="button" className="plain" onClick={onUnfold}>
          ⋯ {counted(lines, 'unchanged line')} <span className={styles.show}>show</span>
        </button>
      </td>
    </tr>
  )
}
