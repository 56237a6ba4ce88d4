// One sentence per candidate: better than, worse than or tied with the baseline, and how many rows changed.
import type { Comparison } from 'assay-client'
import { formatCount, pluralize } from '../../../format/numbers.ts'
import { ClassLink } from '../class-link.tsx'
import { evaluationName } from '../evaluation-links.ts'
import type { ComparisonState } from '../page-state.ts'
import {
  type Candidate,
  type ComparedEvaluator,
  formatList,
  type MetricComparison,
  outcomeOf,
} from '../statistics/outcomes.ts'
import styles from './header.module.css'

export function Conclusion({ state }: { state: ComparisonState }) {
  const { comparison, evaluator } = state
  if (!comparison) {
    return (
      <p className={styles.conclusion}>
        {state.params.evaluations.slice(1).map((id) => (
          <br key={id} />
        ))}
      </p>
    )
  }
  return (
    <div role="status" aria-label="Conclusion" className={styles.conclusion}>
      {comparison.candidates.map((candidate) => (
        <p key={candidate.id}>
          <Sentence
            state={state}
            comparison={comparison}
            candidate={candidate}
            evaluator={candidate.evaluators.find(({ name }) => name === evaluator)}
          />
        </p>
      ))}
    </div>
  )
}

interface SentenceProps {
  state: ComparisonState
  comparison: Comparison
  candidate: Candidate
  evaluator: ComparedEvaluator | undefined
}

function Sentence({ state, comparison, candidate, evaluator }: SentenceProps) {
  const { id, matched, outputs_changed } = candidate
  const name = <bdi>{evaluationName(comparison, id)}</bdi>
  const baseline = <bdi>{evaluationName(comparison, comparison.evaluations[0]?.id ?? '')}</bdi>
  if (matched === 0) {
    return (
      <>
        {name} and {baseline} have no matching rows.
      </>
    )
  }
  if (!evaluator || !candidate.evaluators.some(({ n }) => n > 0)) {
    return (
      <>
        {name} and {baseline} have no scores in common. {formatCount(outputs_changed)} of{' '}
        {pluralize(matched, 'matched output')} differ.
      </>
    )
  }
  const { n, classes } = evaluator
  const evaluatorName = <strong>{evaluator.name}</strong>
  const outcome = outcomeOf(evaluator)
  const link = { state, evaluator: evaluator.name, candidate: id }
  const changes = (
    <>
      <ClassLink {...link} show="regressed">
        {pluralize(classes.regressed, 'row')} regressed
      </ClassLink>
      ,{' '}
      <ClassLink {...link} show="improved">
        {formatCount(classes.improved)} improved
      </ClassLink>
    </>
  )
  return (
    <>
      {outcome === 'none' ? (
        <>
          {name} cannot be compared with {baseline} on {evaluatorName}: no matched row has a score in both.
        </>
      ) : outcome === 'unclear' ? (
        <>
          Too few rows to compare {name} with {baseline} on {evaluatorName}: only {pluralize(n, 'row')} with a
          score in both.
        </>
      ) : outcome !== 'tied' ? (
        <>
          {name} is{' '}
          <strong className={outcome}>
            <span aria-hidden="true">{outcome === 'better' ? '▲ ' : '▼ '}</span>
            {outcome}
          </strong>{' '}
          than {baseline} on {evaluatorName}: {changes}.
        </>
      ) : (
        <>
          {name} and {baseline} are <strong>tied</strong> on {evaluatorName}:{' '}
          {classes.regressed + classes.improved === 0 ? (
            `all ${pluralize(n, 'row')} have the same score`
          ) : (
            <>{changes}, no significant difference</>
          )}
          .
        </>
      )}
      {/* With several candidates, only the statistics table has the other metrics. */}
      {comparison.candidates.length === 1 && <OtherOutcomes candidate={candidate} evaluator={evaluator} />}
    </>
  )
}

/** Other metrics that got worse or better. */
function OtherOutcomes({ candidate, evaluator }: { candidate: Candidate; evaluator: ComparedEvaluator }) {
  const otherMetrics: [name: string, metric: MetricComparison][] = [
    ...candidate.evaluators
      .filter((other) => other !== evaluator)
      .map((other): [string, MetricComparison] => [other.name, other]),
    ['latency', candidate.latency],
    ['cost', candidate.cost],
  ]
  const clauses = (['worse', 'better'] as const).flatMap((outcome) => {
    const names = otherMetrics.filter(([, metric]) => metric.outcome === outcome).map(([name]) => name)
    const prefix = evaluator.outcome === outcome ? 'also ' : ''
    return names.length === 0 ? [] : `${prefix}${outcome} on ${formatList(names)}`
  })
  const text = clauses.join('; ')
  return text === '' ? null : (
    <span className={styles.others}> {`${text[0]?.toUpperCase()}${text.slice(1)}.`}</span>
  )
}
