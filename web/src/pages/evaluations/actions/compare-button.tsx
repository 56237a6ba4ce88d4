// Compares the selected evaluations, or a single one with its baseline.
import { useNavigate } from '@tanstack/react-router'
import type { Evaluation } from 'assay-client'
import { baselineFirst } from '../../../queries/evaluations.ts'
import { useShortcuts } from '../../../state/shortcuts.ts'

/** A limit of the API. */
const MAX_COMPARED = 4

export function CompareButton({ evaluations }: { evaluations: readonly Evaluation[] }) {
  const navigate = useNavigate()
  const [first] = evaluations
  const ids =
    evaluations.length === 1 && first?.baseline_id
      ? [first.baseline_id, first.id]
      : baselineFirst(evaluations)
  const isDisabled = ids.length > MAX_COMPARED
  const compare = () => {
    if (!isDisabled) void navigate({ to: '/compare', search: { evaluation: ids } })
  }
  useShortcuts('page', { c: compare })
  return (
    <button
      type="button"
      aria-disabled={isDisabled}
      title={isDisabled ? `Select at most ${MAX_COMPARED}` : 'Compare row by row (c)'}
      onClick={compare}
    >
      Compare
    </button>
  )
}
