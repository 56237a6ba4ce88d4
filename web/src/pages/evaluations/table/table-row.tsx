// A row of the table: one evaluation.
import { Link } from '@tanstack/react-router'
import type { Evaluation } from 'assay-client'
import { memo } from 'react'
import { formatCount, pluralize } from '../../../format/numbers.ts'
import { Delta } from '../../../ui/delta.tsx'
import { TimeAgo } from '../../../ui/time-ago.tsx'
import type { Column } from './columns.ts'
import { type Baselines, errorCount, FORMATS, type Statistic } from './statistics.ts'
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
        hasDeltaSpace={columnsWithDelta.has(column.id)}
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

interface CellProps {
  column: Column
  evaluation: Evaluation
  baselines: Baselines
  isBaseline: boolean
  hasDeltaSpace: boolean
}

function Cell({ column, evaluation, baselines, isBaseline, hasDeltaSpace }: CellProps) {
  if (column.id === 'name') return <NameCell evaluation={evaluation} isBaseline={isBaseline} />
  if (column.id === 'ran') return <RevisionCell evaluation={evaluation} />
  if (column.id === 'rows') {
    return <td className={styles.numbers}>{formatCount(evaluation.scenario_count)}</td>
  }
  if (column.id === 'created') {
    return (
      <td className={styles.cell}>
        <TimeAgo time={evaluation.created_at} />
      </td>
    )
  }
  return <StatisticCell statistic={column.statistic?.(evaluation, baselines)} hasDeltaSpace={hasDeltaSpace} />
}

function StatisticCell({
  statistic,
  hasDeltaSpace,
}: {
  statistic: Statistic | undefined
  hasDeltaSpace: boolean
}) {
  const [format, formatDelta] = FORMATS[statistic?.unit ?? 'score']
  // Scores matter most. Latency and cost show only an arrow.
  const isBrief = statistic?.unit === 'seconds' || statistic?.unit === 'dollars'
  return (
    <td className={styles.statistic}>
      {statistic ? format(statistic.value) : <span className="muted">–</span>}
      {hasDeltaSpace && (
        <span className={isBrief ? styles.deltaArrow : styles.delta}>
          {statistic?.delta !== undefined && (
            <Delta
              difference={statistic.delta}
              higherIsBetter={statistic.higherIsBetter}
              format={formatDelta}
              isArrowOnly={isBrief}
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
        <span aria-hidden="true" title="Baseline of other evaluations">
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
          title={`${pluralize(errors, 'error')} of outputs and evaluators`}
        >
          <span aria-hidden="true">⚠ </span>
          {formatCount(errors)}
          <span className="sr-only"> {errors === 1 ? 'error' : 'errors'}</span>
        </Link>
      )}
    </th>
  )
}

function RevisionCell({ evaluation: { variant_id, revision } }: { evaluation: Evaluation }) {
  return (
    <td className={styles.cell}>
      {variant_id === null ? (
        <span className="muted">–</span>
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
          className={styles.revision}
        >
          <span>{variant_id}</span> r{revision}
        </Link>
      )}
    </td>
  )
}
