// Changes between the revisions of the two evaluations, as a possible cause of the difference.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useCanRead } from '../../../api/restriction.ts'
import { diffQuery } from '../../../queries/variants.ts'
import { changeLabelsBetween } from '../../../revisions/change-labels.ts'
import { ChangeSummary } from '../../../revisions/change-summary.tsx'
import type { ComparedEvaluation, EvaluationRow } from '../row-data.ts'
import styles from './row-panel.module.css'

export function RevisionChanges({
  baseline,
  candidate,
}: {
  baseline: EvaluationRow
  candidate: EvaluationRow
}) {
  const revisions = revisionsOf(baseline.comparedEvaluation, candidate.comparedEvaluation)
  const { variant = '', from = 0, to = 0 } = revisions ?? {}
  const isEnabled = useCanRead()('variant', variant) && revisions !== undefined
  const { data } = useQuery({ ...diffQuery(variant, from, to), enabled: isEnabled })
  if (!revisions || !data) return null
  return (
    <section className={styles.revisionChanges} aria-label="Revision changes">
      <span className={styles.changes}>
        <ChangeSummary changeLabels={changeLabelsBetween(data)} />
      </span>
      <Link
        className={styles.diffLink}
        to="/variants/$variantId/revisions/$from/diff/$to"
        params={{ variantId: variant, from: String(from), to: String(to) }}
      >
        Diff r{from} to r{to}
      </Link>
    </section>
  )
}

/** Undefined unless the two evaluations have different revisions of the same variant. */
function revisionsOf(baseline: ComparedEvaluation, candidate: ComparedEvaluation) {
  const [from, to] = [baseline.revision, candidate.revision]
  if (baseline.variant_id === null || baseline.variant_id !== candidate.variant_id) return undefined
  return from === null || to === null || from === to ? undefined : { variant: baseline.variant_id, from, to }
}
