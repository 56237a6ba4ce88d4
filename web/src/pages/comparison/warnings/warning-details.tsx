// The details of one group of warnings, with links to the rows and the settings that it is about.
import { useQuery } from '@tanstack/react-query'
import { formatScore } from '../../../format/numbers.ts'
import { evaluationQuery } from '../../../queries/evaluations.ts'
import { ClassLink } from '../class-link.tsx'
import { shortName } from '../evaluation-links.ts'
import type { ComparisonState } from '../page-state.ts'
import type { WarningGroup } from './warning-labels.ts'

export function WarningDetails({ state, group }: { state: ComparisonState; group: WarningGroup }) {
  const { code, evaluation, warnings } = group
  return warnings.map(({ detail, evaluator }) => (
    <li key={detail}>
      <bdi>{detail}</bdi>{' '}
      {code === 'rows-missing' && evaluation !== null && (
        <ClassLink
          state={state}
          show="missing"
          evaluator={state.evaluator}
          candidate={evaluation}
          className="count-link"
        >
          Show rows
        </ClassLink>
      )}
      {code === 'evaluator-differs' && evaluator !== null && (
        <>
          <EvaluatorSettings state={state} id={state.params.evaluations[0] ?? ''} evaluator={evaluator} />{' '}
          <EvaluatorSettings state={state} id={evaluation ?? ''} evaluator={evaluator} />
        </>
      )}
    </li>
  ))
}

/** Settings of an evaluator in one evaluation: "geo-v3: higher is better, threshold 0.5." */
function EvaluatorSettings({
  state,
  id,
  evaluator,
}: {
  state: ComparisonState
  id: string
  evaluator: string
}) {
  const { data } = useQuery(evaluationQuery(id))
  const settings = data?.evaluators?.find(({ name }) => name === evaluator)
  if (!settings) return null
  const { higher_is_better = true, threshold } = settings
  return (
    <span className="muted">
      <bdi>{shortName(state.comparison, id)}</bdi>: {higher_is_better ? 'higher' : 'lower'} is better,{' '}
      {threshold === undefined ? 'no threshold' : `threshold ${formatScore(threshold)}`}.
    </span>
  )
}
