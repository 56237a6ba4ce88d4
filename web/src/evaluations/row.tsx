// One evaluation of the table.
import { Link } from '@tanstack/react-router'
import type { Evaluation } from 'assay-client'
import { memo } from 'react'
import { count, counted } from '../format/numbers.ts'
import { Ago } from '../parts/ago.tsx'
import { Delta } from '../parts/delta.tsx'
import type { Column } from './columns.ts'
import { type Baselines, errorCount, type Figure, FORMATS } from './figures.ts'
import styles from './table.module.css'

interface RowProps {
  evaluation: Evaluation
  columns: Column[]
  /** The columns with room for a delta. */
  compared: ReadonlySet<string>
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

export function Row(props: RowProps) {
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

/** Selecting and moving about leave them as they are. */
const Cells = memo(
  function Cells({ evaluation, columns, compared, baselines, isBaseline }: RowProps) {
    return columns.map((column) => (
      <Cell
        key={column.id}
        column={column}
        evaluation={evaluation}
        baselines={baselines}
        isBaseline={isBaseline}
        isCompared={compared.has(column.id)}
      />
    ))
  },
  (one, other) =>
    one.evaluation === other.evaluation &&
    one.columns === other.columns &&
    one.compared === other.compared &&
    one.baselines === other.baselines &&
    one.isBaseline === other.isBaseline,
)

interface CellProps {
  column: Column
  evaluation: Evaluation
  baselines: Baselines
  isBaseline: boolean
  isCompared: boolean
}

function Cell({ column, evaluation, baselines, isBaseline, isCompared }: CellProps) {
  if (column.id === 'name') return <NameCell evaluation={evaluation} isBaseline={isBaseline} />
  if (column.id === 'ran') return <RanCell evaluation={evaluation} />
  if (column.id === 'rows') {
    return <td className={styles.numbers}>{count(evaluation.scenario_count)}</td>
  }
  if (column.id === 'created') {
    return (
      <td className={styles.cell}>
        <Ago time={evaluation.created_at} />
      </td>
    )
  }
  return <FigureCell figure={column.figure?.(evaluation, baselines)} isCompared={isCompared} />
}

function FigureCell({ figure, isCompared }: { figure: Figure | undefined; isCompared: boolean }) {
  const [format, formatDelta] = FORMATS[figure?.unit ?? 'score']
  // What evaluators say comes first; of time and money an arrow is enough.
  const isBrief = figure?.unit === 'seconds' || figure?.unit === 'dollars'
  return (
    <td className={styles.figure}>
      {figure ? format(figure.value) : <span className="soft">–</span>}
      {isCompared && (
        <span className={isBrief ? styles.arrow : styles.delta}>
          {figure?.delta !== undefined && (
            <Delta
              value={figure.delta}
              higherIsBetter={figure.higherIsBetter}
              format={formatDelta}
              isBrief={isBrief}
            />
          )}
        </span>
      )}
    </td>
  )
}

function NameCell({ evaluation, isBaseline }: { evaluation: Evaluation; isBaseline: boolean }) {
  const { id, name } = evaluation
  const errors = errorCount(evaluation)
  return (
    <th scope="row" className={styles.name}>
      {isBaseline && (
        <span aria-hidden="true" title="Others here are compared with it">
          ★
        </span>
      )}
      <Link
        to="/evaluations/$evaluationId"
        params={{ evaluationId: id }}
        tabIndex={-1}
        title={name === null ? id : `${name} (${id})`}
      >
        {name ?? id}
      </Link>
      {isBaseline && <span className={styles.baseline}>(baseline)</span>}
      {errors > 0 && (
        <Link
          to="/evaluations/$evaluationId"
          params={{ evaluationId: id }}
          search={{ group: 'error' }}
          tabIndex={-1}
          className={styles.errors}
          title={`${counted(errors, 'error')}: outputs and evaluators that failed`}
        >
          <span aria-hidden="true">⚠ </span>
          {count(errors)}
          <span className="unseen"> {errors === 1 ? 'error' : 'errors'}</span>
        </Link>
      )}
    </th>
  )
}

function RanCell({ evaluation: { variant_id, revision } }: { evaluation: Evaluation }) {
  return (
    <td className={styles.cell}>
      {variant_id === null ? (
        <span className="soft">–</span>
      ) : revision === null ? (
        <Link to="/variants/$variantId" params={{ variantId: variant_id }} tabIndex={-1}>
          {variant_id}
        </Link>
      ) : (
        <Link
          to="/variants/$variantId/revisions/$revision"
          params={{ variantId: variant_id, revision: String(revision) }}
          tabIndex={-1}
          title={`${variant_id} r${revision}`}
          className={styles.ran}
        >
          <span>{variant_id}</span> r{revision}
        </Link>
      )}
    </td>
  )
}
