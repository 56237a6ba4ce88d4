// Compares the selected evaluations, or a single one with its baseline.
import { useNavigate } from '@tanstack/react-router'
import type { Evaluation } from 'assay-client'
import { sortBaselineFirst } from '../../../queries/evaluations.ts'
import { useShortcuts } from '../../../state/shortcuts.ts'

/** The limit of the API. */
const MAX_COMPARED_EVALUATIONS = 4

export function CompareButton({ evaluations }: { evaluations: readonly Evaluation[] }) {
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
