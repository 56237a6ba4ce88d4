// The footer below the table: actions for the selected evaluations, and the row count.
import { useNavigate } from '@tanstack/react-router'
import type { Evaluation } from 'assay-client'
import { useCanWrite } from '../../../api/key.ts'
import { formatCount } from '../../../format/numbers.ts'
import { sortBaselineFirst } from '../../../queries/evaluations.ts'
import { useShortcuts } from '../../../state/shortcuts.ts'
import styles from '../page.module.css'
import type { EvaluationList, RowSelection } from '../page-state.ts'
import type { ListParams } from '../search-params.ts'
import { BaselineMenu } from './baseline-menu.tsx'
import { ExportMenu } from './export-menu.tsx'

export function Footer({
  list,
  params,
  selectedIds,
  onSelect,
}: { list: EvaluationList; params: ListParams } & RowSelection) {
  const mayWrite = useCanWrite()
  const selectedEvaluations = list.rows.filter(({ id }) => selectedIds.has(id))
  const order = list.columns.find(({ id }) => id === params.order?.column)
  return (
    <div className={styles.footer}>
      {selectedEvaluations.length > 0 && (
        <>
          <strong>{formatCount(selectedEvaluations.length)} selected</strong>
          <CompareButton evaluations={selectedEvaluations} />
          {mayWrite && <BaselineMenu evaluations={selectedEvaluations} />}
          <ExportMenu label="Export selected" list={list} rows={selectedEvaluations} />
          <button type="button" className="plain" onClick={() => onSelect(new Set())}>
            Clear
          </button>
        </>
      )}
      <span role="status" className="muted">
        {formatCount(list.rows.length)} of {list.hasMore && 'more than '}
        {formatCount(list.loadedCount)}
        {order && `, ${list.hasMore ? 'loaded rows ' : ''}sorted by ${order.title}`}
      </span>
    </div>
  )
}

/** The limit of the API. */
const MAX_COMPARED_EVALUATIONS = 4

/** Compares the selected evaluations, or a single one with its baseline. */
function CompareButton({ evaluations }: { evaluations: readonly Evaluation[] }) {
  const navigate = useNavigate()
  const [firstEvaluation] = evaluations
  const ids =
    evaluations.length === 1 && firstEvaluation?.baseline_id
      ? [firstEvaluation.baseline_id, firstEvaluation.id]
      : sortBaselineFirst(evaluations)
  const isDisabled = ids.length > MAX_COMPARED_EVALUATIONS
  const compare = () => {
    if (!isDisabled) void navigate({ to: '/compare', search: { evaluation: ids } })
  }
  useShortcuts('page', { c: compare })
  return (
    <button
      type="button"
      aria-disabled={isDisabled}
      title={isDisabled ? `Select at most ${MAX_COMPARED_EVALUATIONS} evaluations` : 'Compare row by row (c)'}
      onClick={compare}
    >
      Compare
    </button>
  )
}
