// The heading of the errors, in the place of the states of the rows.
import { Link } from '@tanstack/react-router'
import type { EvaluationState } from '../../../evaluation-state/page-state.ts'
import { formatCount } from '../../../format/numbers.ts'
import styles from './errors-heading.module.css'

export function ErrorsHeading({ pageState: { id, summary } }: { pageState: EvaluationState }) {
  const errors = summary?.evaluators.reduce((sum, { errors }) => sum + errors, summary.output_errors)
  return (
    <div className={styles.heading}>
      <h2>Errors {errors !== undefined && <span className="quiet">{formatCount(errors)}</span>}</h2>
      <Link
        to="/evaluations/$evaluationId"
        params={{ evaluationId: id }}
        search={(old) => ({ ...old, group: undefined })}
      >
        Back to rows
      </Link>
    </div>
  )
}
