// Statistics over matched rows: one row per evaluator, one group of columns per candidate.
import { Link } from '@tanstack/react-router'
import type { Comparison } from 'assay-client'
import { useMemo, useState } from 'react'
import { formatCount } from '../../../format/numbers.ts'
import { Loading } from '../../../ui/loading.tsx'
import { evaluationName } from '../evaluation-links.ts'
import type { ComparisonState } from '../page-state.ts'
import { useEvaluationMeans } from './evaluation-means.ts'
import styles from './statistics.module.css'
import { BaselineCell, CandidateCells } from './statistics-cells.tsx'
import { mostRelevantRows, type StatisticsRow, statisticsRows } from './statistics-rows.ts'

/** With more evaluators than this, only the most relevant are visible until expanded. */
const MAX_EVALUATORS = 5
const COLLAPSED_EVALUATORS = 4

export function StatisticsTable({ state }: { state: ComparisonState }) {
  const { comparison, evaluator } = state
  const [isExpanded, setIsExpanded] = useState(false)
  const rows = useMemo(() => (comparison ? statisticsRows(comparison) : []), [comparison])
  const { meanLabel, load } = useEvaluationMeans(state.params.evaluations)
  if (!comparison) {
    return (
      <div className={`${styles.statistics} ${styles.loading}`}>
        <Loading />
      </div>
    )
  }
  const evaluators = rows.filter(({ evaluator }) => evaluator !== undefined).length
  const isLong = evaluators > MAX_EVALUATORS
  const visibleRows = isLong && !isExpanded ? mostRelevantRows(rows, evaluator, COLLAPSED_EVALUATORS) : rows
  return (
    <section
      className={styles.statistics}
      aria-label="Statistics over matched rows"
      onPointerEnter={load}
      onFocus={load}
    >
      <table>
        <thead>
          <tr>
            <th scope="col" rowSpan={2} className={styles.corner}>
              matched rows
              {isLong && (
                <button type="button" aria-expanded={isExpanded} onClick={() => setIsExpanded(!isExpanded)}>
                  {isExpanded ? 'Show fewer' : `Show all ${formatCount(evaluators)}`}
                </button>
              )}
            </th>
            <EvaluationHeaders comparison={comparison} />
          </tr>
          <tr className={styles.labels}>
            <th scope="col" className={styles.baseline}>
              mean
            </th>
            {comparison.candidates.map(({ id }) => (
              <CandidateHeaders key={id} />
            ))}
          </tr>
        </thead>
        <tbody>
          {visibleRows.map((row) => (
            <Row
              key={row.evaluator === undefined ? row.name : `result.${row.name}`}
              state={state}
              row={row}
              meanLabel={meanLabel}
            />
          ))}
        </tbody>
      </table>
    </section>
  )
}

function EvaluationHeaders({ comparison }: { comparison: Comparison }) {
  return comparison.evaluations.map(({ id }, index) => (
    <th
      key={id}
      scope={index === 0 ? 'col' : 'colgroup'}
      colSpan={index === 0 ? 1 : 5}
      className={index === 0 ? styles.baseline : styles.candidate}
    >
      {index === 0 && <span aria-hidden="true">★ </span>}
      <Link to="/evaluations/$evaluationId" params={{ evaluationId: id }} title={id} className={styles.name}>
        {evaluationName(comparison, id)}
      </Link>
    </th>
  ))
}

function CandidateHeaders() {
  return (
    <>
      <th scope="col" className={`${styles.candidate} ${styles.mean}`}>
        mean
      </th>
      <th scope="col">change</th>
      <th scope="col" title="Contains the true change with 95% confidence">
        95% confidence interval
      </th>
      <th scope="col">rows regressed, improved</th>
      <th scope="col" className={styles.n} title="Rows with a score in both evaluations">
        compared
      </th>
    </>
  )
}

interface RowProps {
  state: ComparisonState
  row: StatisticsRow
  meanLabel: ReturnType<typeof useEvaluationMeans>['meanLabel']
}

function Row({ state, row, meanLabel }: RowProps) {
  const [baseline = '', ...candidates] = state.params.evaluations
  const isSelected = row.evaluator !== undefined && row.evaluator === state.evaluator
  return (
    <tr data-selected={isSelected || undefined}>
      <th scope="row" title={`${row.name}: ${row.kind}`}>
        {row.name}
      </th>
      <BaselineCell row={row} meanTitle={meanLabel(baseline, row)} />
      {row.cells.map((cell, index) => (
        <CandidateCells
          key={candidates[index]}
          state={state}
          id={candidates[index] ?? ''}
          row={row}
          cell={cell}
          meanTitle={meanLabel(candidates[index] ?? '', row)}
        />
      ))}
    </tr>
  )
}
