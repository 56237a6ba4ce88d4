// One row of the table, memoized as a flat list of cells.
import { memo } from 'react'
import { formatDollars, formatScore, formatSeconds } from '../../../format/numbers.ts'
import {
  cellText,
  DEFAULT_RULE,
  deltaOf,
  judgeResult,
  outputTotal,
  type Row,
} from '../../../results/cells.ts'
import type { EvaluatorDisplay } from '../../../results/evaluator-display.ts'
import type { ColumnShapes } from '../../../table/columns/column-shapes.ts'
import { type CellContent, RowCells } from '../../../table/row.tsx'
import styles from '../../../table/table.module.css'
import { Delta } from '../../../ui/delta.tsx'
import type { Column } from './columns.ts'

interface TableRowProps {
  /** The index of the row among the filtered rows. */
  index: number
  /** Undefined while loading. */
  row: Row | undefined
  columns: Column[]
  /** The left positions of the pinned columns. */
  stickyOffsets: number[]
  shapes: ColumnShapes
  displays: Record<string, EvaluatorDisplay>
  output: number
  /** Undefined if the focused cell is in another row. */
  focusedColumn: number | undefined
  isOpen: boolean
}

export const TableRow = memo(function TableRow(props: TableRowProps) {
  const { index, row, columns, stickyOffsets, focusedColumn, isOpen } = props
  return (
    <RowCells
      index={index}
      number={
        <>
          {row?.note && (
            <span title={row.note}>
              ✎<span className="sr-only"> note</span>
            </span>
          )}
          {row?.is_pinned && (
            <span title="Pinned">
              ⚑<span className="sr-only"> pinned</span>
            </span>
          )}
          {row ? row.position + 1 : index + 1}
        </>
      }
      columns={columns}
      contents={row && columns.map((column) => contentOf(row, column, props))}
      stickyOffsets={stickyOffsets}
      focusedColumn={focusedColumn}
      isOpen={isOpen}
    />
  )
})

function contentOf(row: Row, column: Column, { displays, output, shapes }: TableRowProps): CellContent {
  if (column.kind === 'result') return resultContent(row, column.name, displays[column.name])
  if (column.kind === 'latency' || column.kind === 'cost') {
    const total = outputTotal(row, column.kind)
    if (total === undefined) return [styles.numeric, '–']
    return [styles.numeric, column.kind === 'cost' ? formatDollars(total) : formatSeconds(total)]
  }
  const cell = cellText(row, column, output)
  if (!cell) return [styles.muted, '–']
  return cell.isError
    ? [styles.error, `⚠ ${cell.text}`, cell.text]
    : [shapes.get(column.key)?.isNumber ? styles.numeric : undefined, cell.text]
}

const DEFAULT_DISPLAY: EvaluatorDisplay = { ...DEFAULT_RULE, decimals: 3 }

function resultContent(row: Row, evaluator: string, display = DEFAULT_DISPLAY): CellContent {
  const { state, value } = judgeResult(row, evaluator, display)
  if (state === 'unscored') return [styles.muted, '– not scored']
  if (state === 'error') return [styles.error, '⚠ error', String(value)]
  if (state === 'labeled') return [undefined, value]
  const delta = deltaOf(row, evaluator)
  const number = typeof value === 'number' ? formatScore(value, display.decimals) : undefined
  const change = delta !== undefined && <Change delta={delta} display={display} isVerdict={!number} />
  if (state === 'scored') {
    const content = (
      <>
        <span className={styles.amount}>{number}</span>
        {change}
      </>
    )
    return [undefined, content]
  }
  const [className, symbol] = state === 'pass' ? [styles.pass, '✓'] : [styles.fail, '✗']
  const content = (
    <>
      {symbol} {number ?? state}
      {change}
    </>
  )
  return [className, content]
}

/** A changed verdict shows only the arrow. */
function Change({
  delta,
  display,
  isVerdict,
}: {
  delta: number
  display: EvaluatorDisplay
  isVerdict: boolean
}) {
  const { higherIsBetter, decimals } = display
  return (
    <>
      {' '}
      <Delta
        difference={delta}
        higherIsBetter={higherIsBetter}
        format={isVerdict ? undefined : (delta) => formatScore(delta, decimals)}
      />
    </>
  )
}
