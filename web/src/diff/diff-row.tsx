// One row of a diff: a line of both texts side by side, or of one of them.
import { Fragment, type ReactNode } from 'react'
import { changeAttributes } from './change-steps.tsx'
import styles from './diff.module.css'
import type { DiffRow } from './diff-rows.ts'
import type { Line } from './differences.ts'
import prose from './prose.module.css'
import type { Piece } from './words.ts'

/** `columns` is prose side by side, `stacked` is prose in one narrow column. The others have line numbers. */
export type DiffLayout = 'columns' | 'stacked' | 'split' | 'unified'

type LineRow = Exclude<DiffRow, { kind: 'folded' }>
type Kind = 'same' | 'removed' | 'added'

interface RowProps {
  row: LineRow
  /** Identifies the table, because a page can have several. */
  table: string
  layout: DiffLayout
}

export function TableRow({ row, table, layout }: RowProps) {
  const isChanged = row.kind === 'changed'
  const isTarget = isChanged && !(isProseLayout(layout) && row.hasMarks)
  return (
    <tr {...(isTarget && changeAttributes(changeName(row, table)))}>
      {layout === 'columns' || layout === 'split' ? (
        <>
          <Side
            lines={row.old}
            kind={isChanged ? 'removed' : 'same'}
            row={row}
            table={table}
            layout={layout}
          />
          <Side lines={row.new} kind={isChanged ? 'added' : 'same'} row={row} table={table} layout={layout} />
        </>
      ) : (
        <UnifiedLine row={row} table={table} layout={layout} />
      )}
    </tr>
  )
}

/** In prose, each marked passage is a target of the step buttons. In code, it is the row. */
export function isProseLayout(layout: DiffLayout): boolean {
  return layout === 'columns' || layout === 'stacked'
}

/** The changes that the step buttons stop at in a row. */
export function changesOf({ row, table, layout }: RowProps): string[] {
  if (row.kind === 'same') return []
  if (!row.hasMarks || !isProseLayout(layout)) return [changeName(row, table)]
  const pieces = [...row.old, ...row.new].flatMap((line) => line.pieces)
  return pieces.flatMap(({ change }) => (change === undefined ? [] : [changeName(row, table, change)]))
}

function changeName(row: LineRow, table: string, passage?: number): string {
  return [table, row.kind === 'changed' && row.change, passage].join(' ')
}

interface SideProps extends RowProps {
  lines: Line[]
  kind: Kind
}

function Side({ lines, kind, row, table, layout }: SideProps) {
  const [line] = lines
  if (layout === 'split') {
    return (
      <>
        <Gutter number={line?.number} sign={line ? SIGNS[kind] : ''} />
        {line ? <LineText line={line} kind={kind} /> : <td className={styles.emptyCell} />}
      </>
    )
  }
  const Tag = kind === 'removed' ? 'del' : 'ins'
  const isWhole = row.kind === 'changed' && !row.hasMarks
  return (
    <td>
      {lines.map(({ number, pieces }) => (
        <p key={number} dir="auto">
          {isWhole && pieces[0]?.text ? (
            <Tag className={prose.whole}>{pieces[0].text}</Tag>
          ) : (
            markedText(pieces, (passage, change) => (
              <Tag className={prose.mark} {...changeAttributes(changeName(row, table, change))}>
                {passage}
              </Tag>
            ))
          )}
        </p>
      ))}
    </td>
  )
}

function UnifiedLine({ row, table, layout }: RowProps) {
  const [[oldLine], [newLine]] = [row.old, row.new]
  const line = oldLine ?? newLine
  const kind: Kind = row.kind === 'same' ? 'same' : oldLine ? 'removed' : 'added'
  if (layout === 'stacked') {
    return (
      <>
        <Gutter sign={SIGNS[kind]} />
        {line && <LineText line={line} kind={kind} changeOf={(change) => changeName(row, table, change)} />}
      </>
    )
  }
  return (
    <>
      <Gutter number={oldLine?.number} sign={kind === 'removed' ? SIGNS[kind] : ''} />
      <Gutter number={newLine?.number} sign={kind === 'added' ? SIGNS[kind] : ''} />
      {line && <LineText line={line} kind={kind} />}
    </>
  )
}

const SIGNS = { same: '', removed: '−', added: '+' }

function Gutter({ number, sign }: { number?: number | undefined; sign: string }) {
  return (
    <td className={styles.numbers}>
      {number} <span>{sign}</span>
    </td>
  )
}

interface LineTextProps {
  line: Line
  kind: Kind
  /** The name of the change of a marked passage, in prose. */
  changeOf?: (change: number) => string
}

function LineText({ line, kind, changeOf }: LineTextProps) {
  // Prose has the direction of its language, code is left to right.
  const direction = changeOf && 'auto'
  if (kind === 'same') return <td dir={direction}>{line.pieces[0]?.text}</td>
  const Tag = kind === 'removed' ? 'del' : 'ins'
  return (
    <td className={styles[kind]} dir={direction}>
      <Tag>
        {markedText(line.pieces, (text, change) => (
          <mark {...(changeOf && changeAttributes(changeOf(change)))}>{text}</mark>
        ))}
      </Tag>
    </td>
  )
}

export function markedText(pieces: Piece[], mark: (text: string, change: number) => ReactNode): ReactNode {
  return pieces.map(({ text, change }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces never move
    <Fragment key={index}>{change === undefined ? text : mark(text, change)}</Fragment>
  ))
}
