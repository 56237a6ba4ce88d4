// One sentence per candidate: better than, worse than or tied with the baseline, and how many rows changed.
import { Link } from '@tanstack/react-router'
import type { Comparison } from 'assay-client'
import { formatCount, pluralize } from '../../../format/numbers.ts'
import {
  otherChanges,
  type PairedEvaluator,
  type PairedMetric,
  type SentencePart,
  verdictSentence,
} from '../../../results/verdict-sentence.ts'
import { VerdictSentence } from '../../../results/verdict-sentence.tsx'
import { Skeleton } from '../../../ui/messages/skeleton.tsx'
import { ClassLink } from '../class-link.tsx'
import { shortName } from '../evaluation-links.ts'
import type { ComparisonState } from '../page-state.ts'
import type { Candidate, ComparedEvaluator, MetricComparison } from '../statistics/statistics-rows.ts'
import { GateLine } from './gate.tsx'
import styles from './header.module.css'
import { ParameterDifferences } from './parameter-differences.tsx'

export function Conclusion({ state }: { state: ComparisonState }) {
  const { comparison } = state
  if (!comparison) {
    return (
      <div className={styles.conclusion}>
        {state.params.evaluations.slice(1).map((id) => (
          <p key={id}>
            <Skeleton width={60} />
          </p>
        ))}
      </div>
    )
  }
  const { candidates } = comparison
  const [firstCandidate] = candidates
  const isSingle = candidates.length === 1
  const gates = candidates.map((candidate) => (
    <GateLine key={candidate.id} comparison={comparison} candidate={candidate} />
  ))
  return (
    <div className={isSingle ? styles.conclusion : styles.conclusions}>
      <div role="status" aria-label="Conclusion">
        {candidates.map((candidate) => (
          <p key={candidate.id}>
            <Sentence state={state} comparison={comparison} candidate={candidate} />
            {!isSingle && <ParameterDifferences comparison={comparison} candidateId={candidate.id} />}
          </p>
        ))}
      </div>
      {isSingle && firstCandidate ? (
        <div className={styles.others}>
          <p>
            <OtherChanges state={state} candidate={firstCandidate} />
            <ParameterDifferences comparison={comparison} candidateId={firstCandidate.id} />
          </p>
          {gates}
        </div>
      ) : (
        gates
      )}
    </div>
  )
}

interface SentenceProps {
  state: ComparisonState
  comparison: Comparison
  candidate: Candidate
}

function Sentence({ state, comparison, candidate }: SentenceProps) {
  return (
    <VerdictSentence
      parts={sentenceParts(state, comparison, candidate)}
      changeLink={(show, text) => (
        <ClassLink
          state={state}
          show={show}
          evaluator={state.evaluator}
          candidate={candidate.id}
          className="count-link"
        >
          {text}
        </ClassLink>
      )}
    />
  )
}

function sentenceParts(state: ComparisonState, comparison: Comparison, candidate: Candidate): SentencePart[] {
  const { id, matched, outputs_changed, evaluators } = candidate
  const name: SentencePart = { kind: 'evaluation', text: shortName(comparison, id) }
  const baseline: SentencePart = {
    kind: 'evaluation',
    text: shortName(comparison, comparison.evaluations[0]?.id ?? ''),
  }
  if (matched === 0) return [name, ' and ', baseline, ' have no matching rows.']
  const evaluator = evaluators.find((item) => item.name === state.evaluator)
  if (!evaluator || !evaluators.some(({ n }) => n > 0)) {
    const outputs = `${formatCount(outputs_changed)} of ${pluralize(matched, 'matched output')} differ.`
    return [name, ' and ', baseline, ` have no scores in common. ${outputs}`]
  }
  return verdictSentence({
    candidate: name.text,
    baseline: baseline.text,
    hasDifferentRows: candidate.has_different_rows,
    // One line per candidate: what a tie excludes is in the statistics.
    evaluator: {
      ...pairedEvaluator(evaluator),
      ...(comparison.candidates.length > 1 && { detectable: null }),
    },
  })
}

/** With several candidates, only the statistics have the other metrics. */
function OtherChanges({ state, candidate }: { state: ComparisonState; candidate: Candidate }) {
  if (candidate.has_different_rows) {
    return <DifferentRows candidate={candidate} />
  }
  const evaluators = candidate.evaluators.map(pairedEvaluator)
  const evaluator = evaluators.find(({ name }) => name === state.evaluator)
  if (!evaluator) return null
  return otherChanges({
    evaluator,
    others: evaluators.filter((other) => other !== evaluator),
    cost: pairedMetric(candidate.cost),
    latency: pairedMetric(candidate.latency),
  })
}

function pairedMetric({ base_mean, ...metric }: MetricComparison): PairedMetric {
  return { ...metric, baselineMean: base_mean }
}

function pairedEvaluator(evaluator: ComparedEvaluator): PairedEvaluator {
  const { name, is_verdict, classes } = evaluator
  const { regressed, improved, unclear } = classes
  return { ...pairedMetric(evaluator), name, isVerdict: is_verdict, regressed, improved, unclear }
}

/** With a link that pairs the rows by their inputs instead. */
function DifferentRows({ candidate: { inputs_differ, matched } }: { candidate: Candidate }) {
  return (
    <>
      {formatCount(inputs_differ)} of {pluralize(matched, 'row')} with the same id have different inputs.{' '}
      <Link to="/compare" search={(old) => ({ ...old, by: 'input', row: undefined })} className="count-link">
        Match rows by their inputs
      </Link>
      .
    </>
  )
}
