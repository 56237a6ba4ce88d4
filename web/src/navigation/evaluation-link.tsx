// The link and the status of an evaluation.
import { Link } from '@tanstack/react-router'
import type { Evaluation } from 'assay-client'
import { useCanRead } from '../api/restriction.ts'
import { formatCount } from '../format/numbers.ts'

/** Only the name if the key cannot read the evaluation. */
export function EvaluationLink({ id, name }: { id: string; name: string }) {
  const covers = useCanRead()
  if (!covers('evaluation', id)) return <span title={name}>{name}</span>
  return (
    <Link to="/evaluations/$evaluationId" params={{ evaluationId: id }} title={name}>
      {name}
    </Link>
  )
}

/** Nothing for a finished evaluation. */
export function EvaluationStatus({ evaluation }: { evaluation: Evaluation }) {
  const { status, scenario_count, expected_count } = evaluation
  if (status === 'finished') return null
  return (
    <span className={status === 'failed' ? 'worse' : 'muted'}>
      {status}
      {expected_count !== null && ` ${formatCount(scenario_count)} of ${formatCount(expected_count)}`}
    </span>
  )
}
