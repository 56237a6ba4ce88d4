// One joined row of the table, drawn again only when what it shows has changed.
import { memo } from 'react'
import { cellText } from '../evaluation/cells.ts'
import type { Reading } from '../evaluation/readings.ts'
import { onLine } from '../format/values.ts'
import type { ColumnShapes } from '../grid/column-shapes.ts'
import styles from '../grid/grid.module.css'
import { type Content, RowCells } from '../grid/row.tsx'
import { changeContent } from './change-cell.tsx'
import type { Column } from './columns.ts'
import type { JoinedRow } from './opened-row.ts'

interface GridRowProps {
  /** Of the rows in the view. */
  index: number
  /** Undefined while it is not there. */
  row: JoinedRow | undefined
  columns: Column[]
  lefts: number[]
  shapes: ColumnShapes
  on: string | undefined
  /** What evaluations are called, the base first. */
  names: readonly string[]
  reading: Reading
  focused: number | undefined
  isOpen: boolean
}

export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { index, row, columns, lefts, focused, isOpen } = props
  return (
    <RowCells
      index={index}
      number={<Place {...props} />}
      columns={columns}
      contents={row && columns.map((column) => contentOf(row, column, props))}
      lefts={lefts}
      focused={focused}
      isOpen={isOpen}
    />
  )
})

/** Where the base has it; a row that only the first candidate has is counted there. */
function Place({ index, row, names }: GridRowProps) {
  if (!row) return index + 1
  if (row.base) return row.base.position + 1
  const place = (row.candidates[0]?.row?.position ?? index) + 1
  return <i title={`Row ${place} of ${names[1]}`}>{place}</i>
}

function contentOf(row: JoinedRow, column: Column, props: GridRowProps): Content {
  const { kind, side } = column
  const { on, names, reading, shapes } = props
  if (kind === 'change') return changeContent(row, { on, side, names, ...reading })
  if (kind === 'output') return outputContent(row, side, names)
  const text = textOf(row, column)
  if (text === undefined) return [styles.nothing, '–']
  return [shapes.get(column.key)?.isNumber ? styles.figure : undefined, text]
}

function outputContent(row: JoinedRow, side: number, names: readonly string[]): Content {
  const candidate = row.candidates[side - 1]
  const scenario = side === 0 ? row.base : candidate?.row
  if (!scenario) return [styles.nothing, `– not in ${names[side]}`]
  const found = cellText(scenario, { kind: 'output', key: 'output', name: 'output' }, 1)
  if (!found) return [styles.nothing, '–']
  if (found.isError) return [styles.error, `⚠ ${found.text}`, found.text]
  if (candidate?.output_changed !== false) return [undefined, found.text]
  const content = (
    <>
      <span title={`The same as ${names[0]}`}>
        =<span className="unseen"> the same:</span>
      </span>{' '}
      {found.text}
    </>
  )
  return [styles.nothing, content]
}

/** What went in and what should have come out is the same on both sides, as a rule. */
export function textOf(row: JoinedRow, column: Column): string | undefined {
  const scenario = row.base ?? row.candidates[0]?.row
  if (!scenario) return undefined
  if (column.kind === 'input') {
    return cellText(scenario, { kind: 'input', key: column.key, name: column.name }, 1)?.text
  }
  if (column.kind === 'expected') {
    const answers = scenario.correct_answers ?? []
    if (answers.length > 1) return answers.map(({ key, value }) => `${key}: ${onLine(value)}`).join(' · ')
    return cellText(scenario, { kind: 'expected', key: 'expected', name: 'expected' }, 1)?.text
  }
  return undefined
}
