// Statistics over matched rows: one row per evaluator, one line per candidate.
import { useQueries, useQuery } from '@tanstack/react-query'
import type { Comparison, EvaluationSummary } from 'assay-client'
import { ChevronsDownUp, ChevronsUpDown } from 'lucide'
import { Suspense, useMemo, useState } from 'react'
import { useRestriction } from '../../../api/restriction.ts'
import { formatCount, pluralize } from '../../../format/numbers.ts'
import { summaryQuery } from '../../../queries/evaluations.ts'
import { reviewsQuery } from '../../../queries/reviews.ts'
import { setPreference, usePreference } from '../../../state/preferences.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { intervalLimit } from '../../../ui/charts/interval-chart.tsx'
import { lazyComponent } from '../../../ui/messages/lazy-component.tsx'
import { Loading } from '../../../ui/messages/loading.tsx'
import { Skeleton } from '../../../ui/messages/skeleton.tsx'
import type { ComparisonState } from '../page-state.ts'
import { Warnings } from '../warnings/warnings.tsx'
import { MatchedRows } from './matched-rows.tsx'
import { PreferenceRows } from './preference-rows.tsx'
import styles from './statistics.module.css'
import {
  chartPoints,
  hasLabels,
  hasNoScores,
  mostRelevantRows,
  type StatisticsRow,
  statisticsRows,
} from './statistics-rows.ts'
import { LabelRow, StatisticsGroup, StatisticsHeader, UnscoredRow } from './statistics-table-rows.tsx'

const FailureModes = lazyComponent(
  async () => (await import('./failure-modes.tsx')).FailureModes,
  // A notice cannot be part of a table.
  () => null,
)

/** With more evaluators than this, only the most relevant are visible until expanded. */
const MAX_EVALUATORS = 6
const COLLAPSED_EVALUATORS = 4

const PREFERENCE = 'comparison-statistics'

export function StatisticsCard({ state }: { state: ComparisonState }) {
  const { comparison, evaluator } = state
  const isOpen = usePreference(PREFERENCE) !== 'closed'
  const { meanLabel, load } = useEvaluationMeans(state.params.evaluations)
  const [isExpanded, setIsExpanded] = useState(false)
  const rows = useMemo(() => (comparison ? statisticsRows(comparison) : []), [comparison])
  const evaluators = rows.filter(({ evaluator }) => evaluator !== undefined).length
  const isLong = evaluators > MAX_EVALUATORS
  const visibleRows = isLong && !isExpanded ? mostRelevantRows(rows, evaluator, COLLAPSED_EVALUATORS) : rows
  return (
    <section
      className={styles.card}
      aria-label="Statistics over matched rows"
      onPointerEnter={load}
      onFocus={load}
    >
      <header className={styles.header}>
        <h2>Statistics</h2>
        {comparison ? <MatchedRows state={state} comparison={comparison} /> : <Skeleton width={22} />}
        {comparison && comparison.warnings.length > 0 && <Warnings state={state} comparison={comparison} />}
        <span className={styles.legend}>paired change with its 95 % confidence interval</span>
        {isOpen && isLong && (
          <Button
            variant="plain"
            size="small"
            aria-expanded={isExpanded}
            onClick={() => setIsExpanded(!isExpanded)}
          >
            {isExpanded ? 'Show fewer' : `Show all ${formatCount(evaluators)}`}
          </Button>
        )}
        <IconButton
          icon={isOpen ? ChevronsDownUp : ChevronsUpDown}
          size="small"
          label={isOpen ? 'Hide statistics' : 'Show statistics'}
          aria-expanded={isOpen}
          onClick={() => setPreference(PREFERENCE, isOpen ? 'closed' : undefined)}
        />
      </header>
      {!comparison && <Loading description="Comparing all rows" />}
      {isOpen &&
        (comparison ? (
          <StatisticsTable state={state} comparison={comparison} rows={visibleRows} meanLabel={meanLabel} />
        ) : (
          <StatisticsSkeleton />
        ))}
    </section>
  )
}

/** As high as four evaluators, latency and cost, so that the rows below hardly move when the statistics are loaded. */
function StatisticsSkeleton() {
  return (
    <div className={styles.skeleton}>
      {[14, 11, 12, 9, 8, 7].map((width) => (
        <p key={width}>
          <Skeleton width={width} />
          <Skeleton width={6} />
          <Skeleton width={6} />
          <Skeleton width={24} />
        </p>
      ))}
    </div>
  )
}

interface StatisticsTableProps {
  state: ComparisonState
  comparison: Comparison
  rows: StatisticsRow[]
  meanLabel: ReturnType<typeof useEvaluationMeans>['meanLabel']
}

function StatisticsTable({ state, comparison, rows, meanLabel }: StatisticsTableProps) {
  const limit = useMemo(() => chartLimit(rows), [rows])
  const isMultiple = comparison.candidates.length > 1
  const questions = useLabelQuestions(comparison.candidates[0]?.id)
  const isUnscored = (row: StatisticsRow) => hasNoScores(row) && !hasLabels(row)
  const preferences = comparison.candidates.flatMap((candidate) => candidate.preferences)
  const unscoredRows = rows.filter(
    (row) => isUnscored(row) && preferences.every((preference) => preference.evaluator !== row.evaluator),
  )
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: many evaluators scroll, so the element must be focusable
    <div className={styles.scroller} tabIndex={0}>
      <table className={isMultiple ? `${styles.table} ${styles.multiple}` : styles.table}>
        <StatisticsHeader comparison={comparison} limit={limit} />
        {rows.map((row) => {
          const key = row.evaluator === undefined ? row.name : `result.${row.name}`
          if (isUnscored(row)) return null
          if (hasLabels(row)) return <LabelRow key={key} comparison={comparison} row={row} />
          return <StatisticsGroup key={key} state={state} row={row} limit={limit} meanLabel={meanLabel} />
        })}
        {unscoredRows.length > 0 && <UnscoredRow rows={unscoredRows} />}
        <PreferenceRows comparison={comparison} />
        {questions.length > 0 && (
          <Suspense fallback={null}>
            <FailureModes state={state} questions={questions} limit={limit} />
          </Suspense>
        )}
      </table>
    </div>
  )
}

/** The questions of the reviews of an evaluation whose answers can have labels. */
function useLabelQuestions(evaluationId = '') {
  const isRestricted = useRestriction() !== null
  const { data: reviews = [] } = useQuery({ ...reviewsQuery(evaluationId), enabled: !isRestricted })
  return reviews
    .flatMap(({ questions }) => questions)
    .filter(({ type }) => type === 'verdict' || type === 'label')
}

/** The end of the scale, which contains the intervals of all evaluators. */
function chartLimit(rows: readonly StatisticsRow[]): number {
  const evaluatorRows = rows.filter(({ evaluator }) => evaluator !== undefined)
  return intervalLimit(
    evaluatorRows.flatMap((row) =>
      row.cells.flatMap((cell) => {
        const { change = 0, interval } = chartPoints(row, cell)
        return [change, ...interval.map((end = 0) => end)]
      }),
    ),
  )
}

/** Means of each evaluation over all its rows, for tooltips. Requested when the pointer or focus enters the table. */
function useEvaluationMeans(evaluations: readonly string[]) {
  const [isEnabled, setIsEnabled] = useState(false)
  const summaries = useQueries({
    queries: evaluations.map((id) => ({ ...summaryQuery(id, { filters: [] }), enabled: isEnabled })),
    combine: (results) => results.flatMap(({ data }) => data ?? []),
  })
  /** Tooltip text; empty while loading. */
  function meanLabel(id: string, row: StatisticsRow): string {
    const summary = summaries.find((item) => item.id === id)
    if (!summary) return ''
    const value = meanOf(summary, row)
    return value == null ? '' : `${row.format(value)} over all ${pluralize(summary.rows, 'row')}`
  }
  return { meanLabel, load: () => setIsEnabled(true) }
}

function meanOf(summary: EvaluationSummary, { name, evaluator }: StatisticsRow): number | null | undefined {
  if (evaluator === undefined) return summary[name === 'cost' ? 'cost' : 'latency'].mean
  const statistics = summary.evaluators.find((item) => item.name === evaluator)
  return statistics?.mean ?? statistics?.pass_rate
}
