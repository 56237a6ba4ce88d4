// A row of the comparison table, memoized: the matched rows of the baseline and each candidate.
import { memo } from 'react'
import { compactText } from '../../../format/value-text.ts'
import { cellText } from '../../../results/cells.ts'
import type { EvaluatorDisplay } from '../../../results/evaluator-display.ts'
import type { ColumnShapes } from '../../../table/columns/column-shapes.ts'
import { type CellContent, RowCells } from '../../../table/row.tsx'
import styles from '../../../table/table.module.css'
import type { JoinedRow } from '../row-data.ts'
import { changeContent } from './change-cell.tsx'
import type { Column } from './columns.ts'

interface TableRowProps {
  /** Index among the rows of the view. */
  index: number
  /** Undefined while loading. */
  row: JoinedRow | undefined
  columns: Column[]
  stickyOffsets: number[]
  columnShapes: ColumnShapes
  evaluator: string | undefined
  /** Names of the evaluations, the baseline first. */
  names: readonly string[]
  display: EvaluatorDisplay
  /** Undefined if the focused cell is in another row. */
  focusedColumn: number | undefined
  isOpen: boolean
}

export const TableRow = memo(function TableRow(props: TableRowProps) {
  const { index, row, columns, stickyOffsets, focusedColumn, isOpen } = props
  return (
    <RowCells
      index={index}
      number={<RowNumber {...props} />}
      columns={columns}
      contents={row && columns.map((column) => contentOf(row, column, props))}
      stickyOffsets={stickyOffsets}
      focusedColumn={focusedColumn}
      isOpen={isOpen}
    />
  )
})

/** The number of the row in the baseline, or in the first candidate if the baseline does not have it. */
function RowNumber({ index, row, names }: TableRowProps) {
  if (!row) return index + 1
  if (row.base) return row.base.position + 1
  const number = (row.candidates[0]?.row?.position ?? index) + 1
  return <i title={`Row ${number} of ${names[1]}`}>{number}</i>
}

function contentOf(row: JoinedRow, column: Column, props: TableRowProps): CellContent {
  const { kind, evaluationIndex } = column
  const { evaluator, names, display, columnShapes } = props
  if (kind === 'change') return changeContent(row, { evaluator, evaluationIndex, names, ...display })
  if (kind === 'output') return outputContent(row, evaluationIndex, names)
  const text = textOf(row, column)
  if (text === undefined) return [styles.muted, '–']
  return [columnShapes.get(column.key)?.isNumber ? styles.numeric : undefined, text]
}

function outputContent(row: JoinedRow, evaluationIndex: number, names: readonly string[]): CellContent {
  const candidate = row.candidates[evaluationIndex - 1]
  const scenario = evaluationIndex === 0 ? row.base : candidate?.row
  if (!scenario) return [styles.muted, `– not in ${names[evaluationIndex]}`]
  const output = cellText(scenario, { kind: 'output', key: 'output', name: 'output' }, 1)
  if (!output) return [styles.muted, '–']
  if (output.isError) return [styles.error, `⚠ ${output.text}`, output.text]
  if (candidate?.output_changed !== false) return [undefined, output.text]
  const content = (
    <>
      <span title={`Same output as ${names[0]}`}>
        =<span className="sr-only"> same output:</span>
      </span>{' '}
      {output.text}
    </>
  )
  return [styles.muted, content]
}

/**
 * The text of an input or of the expected answers, which are usually the same in all evaluations. Read from the baseline,
 * or from the first candidate if the baseline does not have the row. Undefined for other columns.
 */
export function textOf(row: JoinedRow, column: Column): string | undefined {
  const scenario = row.base ?? row.candidates[0]?.row
  if (!scenario) return undefined
  if (column.kind === 'input') {
    return cellText(scenario, { kind: 'input', key: column.key, name: column.name }, 1)?.text
  }
  if (column.kind === 'expected') {
    const answers = scenario.correct_answers ?? []
    if (answers.length > 1)
      return answers.map(({ key, value }) => `${key}: ${compactText(value)}`).join(' · ')
    return cellText(scenario, { kind: 'expected', key: 'expected', name: 'expected' }, 1)?.text
  }
  return undefined
}
