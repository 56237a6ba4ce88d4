// Opens the comparison of the selected evaluations; of a single one, with its baseline.
import { useNavigate } from '@tanstack/react-router'
import type { Evaluation } from 'assay-client'
import { useShortcuts } from '../shortcuts.ts'
import { baseFirst } from './base-first.ts'

/** So many the API compares at once. */
const MOST = 4

export function CompareButton({ chosen }: { chosen: readonly Evaluation[] }) {
  const navigate = useNavigate()
  const [one] = chosen
  const ids = chosen.length === 1 && one?.baseline_id ? [one.baseline_id, one.id] : baseFirst(chosen)
  const isRefused = ids.length > MOST
  const compare = () => {
    if (!isRefused) void navigate({ to: '/compare', search: { evaluation: ids } })
  }
  useShortcuts('page', { c: compare })
  return (
    <button
      type="button"
      aria-disabled={isRefused}
      title={isRefused ? `At most ${MOST} can be compared` : 'Compare row by row (c)'}
      onClick={compare}
    >
      Compare
    </button>
  )
}
