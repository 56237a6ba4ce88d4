// The header and the rows of the statistics table.
import type { Comparison } from 'assay-client'
import type { ReactNode } from 'react'
import { formatList } from '../../../format/list.ts'
import { evaluationName, shortName } from '../evaluation-links.ts'
import type { ComparisonState } from '../page-state.ts'
import { IntervalAxis } from './interval-chart.tsx'
import styles from './statistics.module.css'
import { BaselineCell, CandidateCells } from './statistics-cells.tsx'
import type { StatisticsRow } from './statistics-rows.ts'

/** The columns of the evaluator, the baseline and three candidates. */
const MAX_COLUMNS = 2 + 3 * 8

export function StatisticsHeader({ comparison, limit }: { comparison: Comparison; limit: number }) {
  const name = (id: string, role: string) => (
    <span className={styles.name} data-tooltip={`${evaluationName(comparison, id)}, ${role}`}>
      {shortName(comparison, id)}
    </span>
  )
  const [baseline, ...candidates] = comparison.evaluations
  return (
    <thead>
      <tr>
        <th scope="col">Evaluator</th>
        <th scope="col" className={styles.mean}>
          {baseline && name(baseline.id, 'baseline')}
        </th>
        {candidates.map(({ id }) => (
          <CandidateHeaders key={id} limit={limit}>
            {name(id, 'candidate')}
          </CandidateHeaders>
        ))}
      </tr>
    </thead>
  )
}

function CandidateHeaders({ children, limit }: { children: ReactNode; limit: number }) {
  return (
    <>
      <th scope="col" className={`${styles.mean} ${styles.candidate}`}>
        {children}
      </th>
      <th scope="col" className={styles.change}>
        Change
      </th>
      <th scope="col" className={styles.outcome}>
        <span className="sr-only">Outcome</span>
      </th>
      <th
        scope="col"
        className={styles.chart}
        data-tooltip="Percentage points for pass rates and scores from 0 to 1, percent of the baseline for the others. Right is better."
      >
        <span className="sr-only">Chart</span>
        <IntervalAxis limit={limit} />
      </th>
      <th
        scope="col"
        className={styles.interval}
        data-tooltip="Contains the true change with 95 % confidence"
      >
        95 % interval
      </th>
      <th scope="col" className={styles.count}>
        Worse
      </th>
      <th scope="col" className={styles.count}>
        Better
      </th>
      <th scope="col" className={styles.rows} data-tooltip="Rows with a score in both evaluations">
        Rows
      </th>
    </>
  )
}

interface StatisticsTableRowProps {
  state: ComparisonState
  row: StatisticsRow
  limit: number
  /** The mean over all rows of an evaluation, for a tooltip. */
  meanLabel: (evaluation: string, row: StatisticsRow) => string
}

export function StatisticsTableRow({ state, row, limit, meanLabel }: StatisticsTableRowProps) {
  const [baseline = '', ...candidates] = state.params.evaluations
  const isSelected = row.evaluator !== undefined && row.evaluator === state.evaluator
  const direction = row.higherIsBetter ? 'Higher is better' : 'Lower is better'
  return (
    <tr data-selected={isSelected || undefined}>
      <th scope="row" data-tooltip={`${row.name}. ${direction}`}>
        <bdi>{row.name}</bdi> <span className={styles.unit}>{row.unit}</span>
      </th>
      <BaselineCell row={row} meanTitle={meanLabel(baseline, row)} />
      {row.cells.map((cell, index) => (
        <CandidateCells
          key={candidates[index]}
          state={state}
          id={candidates[index] ?? ''}
          row={row}
          cell={cell}
          limit={limit}
          meanTitle={meanLabel(candidates[index] ?? '', row)}
        />
      ))}
    </tr>
  )
}

/** Evaluators with nothing to compare share one row. */
export function UnscoredRow({ rows }: { rows: readonly StatisticsRow[] }) {
  const names = rows.map(({ name }) => name)
  return (
    <tr>
      <td colSpan={MAX_COLUMNS} className={styles.none} data-tooltip={names.join('\n')}>
        No scores to compare: <bdi>{formatList(names)}</bdi>
      </td>
    </tr>
  )
}
