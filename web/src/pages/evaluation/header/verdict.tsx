// The verdict sentence: how the evaluation compares with its baseline, or its scores if it has none. Counts filter the rows.
import { Link } from '@tanstack/react-router'
import type { BaselineStatistics, Evaluation, EvaluationSummary } from 'assay-client'
import type { ReactNode } from 'react'
import type { EvaluationState } from '../../../evaluation-state/page-state.ts'
import { formatCount, pluralize } from '../../../format/numbers.ts'
import { evaluatorMeasure, evaluatorUnit, formatWithUnit } from '../../../results/measures.ts'
import type { EvaluatorSummary } from '../../../results/result-states.ts'
import {
  otherChanges,
  type PairedEvaluator,
  type PairedMetric,
  verdictSentence,
} from '../../../results/verdict-sentence.ts'
import { VerdictSentence } from '../../../results/verdict-sentence.tsx'
import { type FilterSearch, withoutFilters } from '../../../state/row-params.ts'
import { Skeleton } from '../../../ui/messages/skeleton.tsx'
import { changeFilter, stateChange } from '../filters/state-filter.ts'
import { baselineLabel } from './baseline-menu.tsx'
import styles from './header.module.css'

export function Verdict({ pageState }: { pageState: EvaluationState }) {
  const { evaluation, totalSummary, activeEvaluator } = pageState
  if (!evaluation || !totalSummary) {
    return (
      <p className={styles.verdict}>
        <Skeleton width={56} />
      </p>
    )
  }
  const evaluator = totalSummary.evaluators.find(({ name }) => name === activeEvaluator)
  return (
    <p className={styles.verdict}>
      {!evaluator ? (
        `${pluralize(evaluation.scenario_count, 'row')} without results.`
      ) : totalSummary.base && evaluator.base ? (
        <Comparison
          pageState={pageState}
          evaluation={evaluation}
          summary={totalSummary}
          evaluator={evaluator}
        />
      ) : (
        <Scores pageState={pageState} evaluator={evaluator} />
      )}
    </p>
  )
}

interface ComparisonProps {
  pageState: EvaluationState
  evaluation: Evaluation
  summary: EvaluationSummary
  evaluator: EvaluatorSummary
}

function Comparison({ pageState, evaluation, summary, evaluator }: ComparisonProps) {
  const { base, evaluators, cost, latency } = summary
  const paired = evaluators.flatMap((item): PairedEvaluator | [] =>
    item.base
      ? {
          ...pairedMetric(item.base),
          name: item.name,
          isVerdict: evaluatorUnit([item]) === 'percent' && item.passed !== null,
        }
      : [],
  )
  const active = paired.find(({ name }) => name === evaluator.name)
  if (!base || !active) return null
  const others =
    !base.has_different_rows &&
    otherChanges({
      evaluator: active,
      others: paired.filter((other) => other !== active),
      cost: cost.base && pairedMetric(cost.base),
      latency: latency.base && pairedMetric(latency.base),
    })
  return (
    <>
      <VerdictSentence
        parts={verdictSentence({
          baseline: baselineLabel(evaluation, base),
          chosen: base.chosen,
          hasDifferentRows: base.has_different_rows,
          evaluator: active,
        })}
        changeLink={(change, text) =>
          active.unclear > 0 ? (
            // The filter by change would include rows whose change is not clear.
            <Link
              className="count-link"
              to="/compare"
              search={{ evaluation: [base.id, evaluation.id], on: evaluator.name, show: change }}
            >
              {text}
            </Link>
          ) : (
            <CountLink pageState={pageState} change={changeFilter(evaluator, change)}>
              {text}
            </CountLink>
          )
        }
      />
      {others && <span className={styles.others}> {others}</span>}
    </>
  )
}

function pairedMetric({ mean, ...statistics }: BaselineStatistics): PairedMetric & typeof statistics {
  return { ...statistics, baselineMean: mean }
}

/** "70.1 % pass answer_correct: 35 rows failed, 82 passed." */
function Scores({ pageState, evaluator }: { pageState: EvaluationState; evaluator: EvaluatorSummary }) {
  const { name, passed, failed, texts, n, rows = n, flaky } = evaluator
  const measure = evaluatorMeasure(evaluator)
  const evaluatorName = <strong>{name}</strong>
  if (!measure) {
    return (
      <>
        {evaluatorName} has {pluralize(texts, 'label')}.
      </>
    )
  }
  if (pageState.hasRepeats && typeof flaky === 'number') {
    return (
      <>
        <strong>
          <CountLink pageState={pageState} change={stateChange(pageState, 'flaky')}>
            {formatCount(flaky)} of {pluralize(rows, 'row')}
          </CountLink>{' '}
          {flaky === 1 ? 'is' : 'are'} flaky
        </strong>{' '}
        on {evaluatorName}: the same row both passes and fails.
      </>
    )
  }
  const value = <strong>{formatWithUnit(measure.unit, measure.value)}</strong>
  const start =
    measure.unit === 'percent' ? (
      <>
        {value} pass {evaluatorName}
      </>
    ) : (
      <>
        Mean {value} on {evaluatorName}
      </>
    )
  if (passed === null || failed === null) {
    return (
      <>
        {start} over {pluralize(rows, 'row')}.
      </>
    )
  }
  return (
    <>
      {start}:{' '}
      <CountLink pageState={pageState} change={stateChange(pageState, 'fail')}>
        {pluralize(failed, 'row')} failed
      </CountLink>
      ,{' '}
      <CountLink pageState={pageState} change={stateChange(pageState, 'pass')}>
        {formatCount(passed)} passed
      </CountLink>
      .
    </>
  )
}

interface CountLinkProps {
  pageState: EvaluationState
  change: FilterSearch
  children: ReactNode
}

/** Replaces all filters, because the sentence counts all rows. */
function CountLink({ pageState: { id, params }, change, children }: CountLinkProps) {
  return (
    <Link
      className="count-link"
      to="/evaluations/$evaluationId"
      params={{ evaluationId: id }}
      search={(old) => ({ ...old, ...withoutFilters(params.filters), ...change, group: undefined })}
    >
      {children}
    </Link>
  )
}
