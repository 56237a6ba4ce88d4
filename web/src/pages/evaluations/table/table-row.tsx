// A row of the table: one evaluation.
import type { Evaluation } from 'assay-client'
import { memo } from 'react'
import { Cell, type Column } from './columns.tsx'
import type { Baselines } from './statistics.ts'
import styles from './table.module.css'

interface TableRowProps {
  evaluation: Evaluation
  columns: Column[]
  /** The ids of columns that reserve space for a delta. */
  columnsWithDelta: ReadonlySet<string>
  baselines: Baselines
  isBaseline: boolean
  index: number
  /** Pixels from the first row. */
  top: number
  isActive: boolean
  isSelected: boolean
  onActivate: () => void
  onToggle: () => void
}

export function TableRow(props: TableRowProps) {
  const { evaluation, index, top, isActive, isSelected, onActivate, onToggle } = props
  const label = evaluation.name ?? evaluation.id
  return (
    <tr
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      tabIndex={isActive ? 0 : -1}
      className={styles.row}
      style={{ transform: `translateY(${top}px)` }}
      onFocus={onActivate}
      onClick={onActivate}
    >
      <td className={styles.select}>
        <input
          type="checkbox"
          aria-label={`Select ${label}`}
          checked={isSelected}
          tabIndex={-1}
          onChange={onToggle}
        />
      </td>
      <Cells {...props} />
    </tr>
  )
}

/** Memoized, because selecting and focusing a row does not change its cells. */
const Cells = memo(
  function Cells({ evaluation, columns, columnsWithDelta, baselines, isBaseline }: TableRowProps) {
    return columns.map((column) => (
      <Cell
        key={column.id}
        column={column}
        evaluation={evaluation}
        baselines={baselines}
        isBaseline={isBaseline}
        hasDelta={columnsWithDelta.has(column.id)}
      />
    ))
  },
  (previous, next) =>
    previous.evaluation === next.evaluation &&
    previous.columns === next.columns &&
    previous.columnsWithDelta === next.columnsWithDelta &&
    previous.baselines === next.baselines &&
    previous.isBaseline === next.isBaseline,
)
