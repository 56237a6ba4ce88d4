// One row of the table: a flat list of cells, drawn again only when what it shows has changed.
import { memo } from 'react'
import { dollars, score, seconds } from '../format/numbers.ts'
import type { ColumnShapes } from '../grid/column-shapes.ts'
import styles from '../grid/grid.module.css'
import { type Content, RowCells } from '../grid/row.tsx'
import { Delta } from '../parts/delta.tsx'
import { cellText, deltaOf, figureOf, judgementOf, PLAIN_RULE, type Row } from './cells.ts'
import type { Column } from './columns.ts'
import type { Reading } from './readings.ts'

interface GridRowProps {
  /** Of the rows in the view. */
  index: number
  /** Undefined while it is not there. */
  row: Row | undefined
  columns: Column[]
  /** Where the columns that stay begin. */
  lefts: number[]
  shapes: ColumnShapes
  readings: Record<string, Reading>
  output: number
  /** The cell where the keyboard is; undefined where it is in another row. */
  focused: number | undefined
  isOpen: boolean
}

export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { index, row, columns, lefts, focused, isOpen } = props
  return (
    <RowCells
      index={index}
      number={
        <>
          {row?.note && (
            <span title={row.note}>
              ✎<span className="unseen"> note</span>
            </span>
          )}
          {row?.is_pinned && (
            <span title="Pinned">
              ⚑<span className="unseen"> pinned</span>
            </span>
          )}
          {row ? row.position + 1 : index + 1}
        </>
      }
      columns={columns}
      contents={row && columns.map((column) => contentOf(row, column, props))}
      lefts={lefts}
      focused={focused}
      isOpen={isOpen}
    />
  )
})

function contentOf(row: Row, column: Column, { readings, output, shapes }: GridRowProps): Content {
  if (column.kind === 'result') return resultContent(row, column.name, readings[column.name])
  if (column.kind === 'latency' || column.kind === 'cost') {
    const figure = figureOf(row, column.kind)
    if (figure === undefined) return [styles.figure, '–']
    return [styles.figure, column.kind === 'cost' ? dollars(figure) : seconds(figure)]
  }
  const found = cellText(row, column, output)
  if (!found) return [styles.nothing, '–']
  return found.isError
    ? [styles.error, `⚠ ${found.text}`, found.text]
    : [shapes.get(column.key)?.isNumber ? styles.figure : undefined, found.text]
}

const PLAIN_READING: Reading = { ...PLAIN_RULE, decimals: 3 }

function resultContent(row: Row, evaluator: string, reading = PLAIN_READING): Content {
  const { state, value } = judgementOf(row, evaluator, reading)
  if (state === 'unscored') return [styles.nothing, '– not run']
  if (state === 'error') return [styles.error, '⚠ error', String(value)]
  if (state === 'labelled') return [undefined, value]
  const delta = deltaOf(row, evaluator)
  const number = typeof value === 'number' ? score(value, reading.decimals) : undefined
  const change = delta !== undefined && <Change delta={delta} reading={reading} isVerdict={!number} />
  if (state === 'scored') {
    const content = (
      <>
        <span className={styles.amount}>{number}</span>
        {change}
      </>
    )
    return [undefined, content]
  }
  const [className, mark] = state === 'pass' ? [styles.pass, '✓'] : [styles.fail, '✗']
  const content = (
    <>
      {mark} {number ?? state}
      {change}
    </>
  )
  return [className, content]
}

/** Of a verdict there is no more to say than that it has changed. */
function Change({ delta, reading, isVerdict }: { delta: number; reading: Reading; isVerdict: boolean }) {
  const { higherIsBetter, decimals } = reading
  return (
    <>
      {' '}
      <Delta
        value={delta}
        higherIsBetter={higherIsBetter}
        format={isVerdict ? undefined : (by) => score(by, decimals)}
      />
    </>
  )
}
