// Cells of one statistics row: the baseline's mean; for each candidate its mean, change, interval and row counts.
import { formatCount, pluralize } from '../../../format/numbers.ts'
import { ClassLink } from '../class-link.tsx'
import { evaluationName } from '../evaluation-links.ts'
import type { ComparisonState } from '../page-state.ts'
import { outcomeOf } from './outcomes.ts'
import styles from './statistics.module.css'
import { formatInterval, formatRange, type StatisticsRow } from './statistics-rows.ts'

/** Each candidate matches different rows of the baseline, so the baseline's mean can be a range. */
export function BaselineCell({ row, meanTitle }: { row: StatisticsRow; meanTitle: string }) {
  const means = row.cells.flatMap(({ base_mean }) => base_mean ?? []).toSorted((a, b) => a - b)
  const [lowest, highest] = [means[0], means.at(-1)]
  if (lowest === undefined || highest === undefined) return <td className={styles.baseline}>–</td>
  const [from, to] = [row.format(lowest), row.format(highest)]
  const rangeTitle = from === to ? '' : 'Depends on the rows that each candidate matches. '
  return (
    <td className={styles.baseline} title={rangeTitle + meanTitle}>
      {formatRange(from, to, '–')}
    </td>
  )
}

interface CandidateCellsProps {
  state: ComparisonState
  id: string
  row: StatisticsRow
  cell: StatisticsRow['cells'][number]
  meanTitle: string
}

export function CandidateCells({ state, id, row, cell, meanTitle }: CandidateCellsProps) {
  const { mean, n } = cell
  return (
    <>
      <td className={`${styles.candidate} ${styles.mean}`} title={meanTitle}>
        {mean === null ? '–' : row.format(mean)}
      </td>
      <td>
        <Change row={row} cell={cell} />
      </td>
      <td className={styles.interval}>{formatInterval(cell, row)}</td>
      <td>{cell.classes && n > 0 && <Counts state={state} id={id} row={row} classes={cell.classes} />}</td>
      <td className={styles.n}>{formatCount(n)}</td>
    </>
  )
}

function Change({ row, cell }: Pick<CandidateCellsProps, 'row' | 'cell'>) {
  const { delta, base_mean } = cell
  const outcome = outcomeOf(cell)
  if (outcome === 'none' || delta === null) return <span className="muted">nothing to compare</span>
  const amount = row.formatDelta(delta, base_mean)
  if (outcome === 'better' || outcome === 'worse') {
    return (
      <span className={outcome}>
        <span aria-hidden="true">{outcome === 'better' ? '▲' : '▼'}</span> {amount}{' '}
        {row.outcomeLabels?.[outcome] ?? outcome}
      </span>
    )
  }
  const sign = delta === 0 ? '' : delta < 0 ? '−' : '+'
  return (
    <span className="muted">
      <span aria-hidden="true">=</span> {sign}
      {amount} {outcome === 'tied' ? 'tied' : 'too few rows'}
    </span>
  )
}

interface CountsProps extends Pick<CandidateCellsProps, 'state' | 'id' | 'row'> {
  classes: NonNullable<CandidateCellsProps['cell']['classes']>
}

/** Each count links to its rows. */
function Counts({ state, id, row, classes }: CountsProps) {
  const { params, comparison, evaluator } = state
  const classLinks = [
    ['regressed', 'worse', '▼'],
    ['improved', 'better', '▲'],
  ] as const
  const baseline = evaluationName(comparison, params.evaluations[0] ?? '')
  const isSelected = row.evaluator === evaluator && params.evaluations[1] === id
  return (
    <span className={styles.counts}>
      {classLinks.map(([show, outcome, arrow]) => (
        <ClassLink
          key={show}
          state={state}
          show={show}
          evaluator={row.evaluator}
          candidate={id}
          className={classes[show] === 0 ? styles.none : outcome}
          aria-current={isSelected && params.show === show ? 'true' : undefined}
          aria-label={`Show ${pluralize(classes[show], 'row')} that ${show} on ${row.name} (vs ${baseline})`}
          title={`Show rows that ${show} on ${row.name} (vs ${baseline})`}
        >
          {arrow}
          {formatCount(classes[show])}
        </ClassLink>
      ))}
    </span>
  )
}
