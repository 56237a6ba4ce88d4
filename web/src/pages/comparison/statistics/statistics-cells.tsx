// Cells of one statistics row: the baseline's mean; for each candidate its mean, change, interval and row counts.
import { formatCount, pluralize } from '../../../format/numbers.ts'
import { detectableText, MIN_ROWS, outcomeOf } from '../../../results/verdict-sentence.ts'
import { IntervalChart } from '../../../ui/charts/interval-chart.tsx'
import { Triangle } from '../../../ui/icon.tsx'
import { ClassLink } from '../class-link.tsx'
import { evaluationName } from '../evaluation-links.ts'
import type { ComparisonState } from '../page-state.ts'
import styles from './statistics.module.css'
import { chartPoints, formatInterval, type StatisticsCell, type StatisticsRow } from './statistics-rows.ts'

/** Each candidate matches different rows of the baseline, so the baseline's mean can be a range. */
export function BaselineCell({ row, meanTitle }: { row: StatisticsRow; meanTitle: string }) {
  const means = row.cells.flatMap(({ base_mean }) => base_mean ?? []).toSorted((a, b) => a - b)
  const [lowest, highest] = [means[0], means.at(-1)]
  const rowSpan = row.cells.length
  if (lowest === undefined || highest === undefined) return <td rowSpan={rowSpan} className={styles.mean} />
  const [from, to] = [row.format(lowest), row.format(highest)]
  const rangeTitle = from === to ? '' : 'Depends on the rows that each candidate matches. '
  return (
    <td rowSpan={rowSpan} className={styles.mean} data-tooltip={rangeTitle + meanTitle || undefined}>
      {from === to ? to : `${from}–${to}`}
    </td>
  )
}

interface CandidateCellsProps {
  state: ComparisonState
  id: string
  row: StatisticsRow
  cell: StatisticsCell
  meanTitle: string
  /** The end of the scale of the chart. */
  limit: number
}

export function CandidateCells({ state, id, row, cell, meanTitle, limit }: CandidateCellsProps) {
  const { mean, n, delta } = cell
  const outcome = outcomeOf(cell)
  const color = outcome === 'better' || outcome === 'worse' ? outcome : undefined
  const change = delta === null ? '' : row.formatChange(delta, cell)
  const interval = formatInterval(cell, row)
  const detail = outcomeDetail(cell, row)
  return (
    <>
      <td className={styles.mean} data-tooltip={meanTitle || undefined}>
        {mean === null ? <span className="quiet">–</span> : row.format(mean)}
      </td>
      <td
        className={`${styles.change} ${color ?? 'muted'}`}
        data-tooltip={[change, interval && `95 % confidence interval ${interval}`].filter(Boolean).join(', ')}
      >
        {color && <Triangle direction={color} />} {change}
      </td>
      <td className={`${styles.outcome} ${color ?? 'muted'}`} data-tooltip={detail}>
        {OUTCOME_LABELS[outcome]}
        {detail !== undefined && <span className="sr-only">. {detail}</span>}
      </td>
      <td className={styles.chart}>
        <IntervalChart {...chartPoints(row, cell)} direction={color ?? 'tied'} limit={limit} />
      </td>
      <td className={styles.interval}>{interval}</td>
      <CountCell {...{ state, id, row, cell }} show="regressed" />
      <CountCell {...{ state, id, row, cell }} show="improved" />
      <td className={`${styles.rows} quiet`}>{formatCount(n)}</td>
    </>
  )
}

const OUTCOME_LABELS = {
  better: 'better',
  worse: 'worse',
  tied: 'tied',
  'too-few': 'too few rows',
  'equal-change': 'no verdict',
  none: 'no scores',
}

/** What a tie excludes, or why there is no outcome. */
function outcomeDetail(cell: StatisticsCell, row: StatisticsRow): string | undefined {
  const outcome = outcomeOf(cell)
  if (outcome === 'too-few') return `At least ${MIN_ROWS} rows are needed`
  if (outcome !== 'tied' || cell.detectable === null) return undefined
  return detectableText(row.formatChange(cell.detectable, cell).slice(1))
}

interface CountCellProps extends Pick<CandidateCellsProps, 'state' | 'id' | 'row' | 'cell'> {
  show: 'regressed' | 'improved'
}

/** The number of rows that changed, as a link to them. */
function CountCell({ state, id, row, cell, show }: CountCellProps) {
  const { params, comparison, evaluator } = state
  const rows = cell.classes?.[show]
  if (rows === undefined || cell.n === 0) return <td className={styles.count} />
  const direction = show === 'regressed' ? 'worse' : 'better'
  const baseline = evaluationName(comparison, params.evaluations[0] ?? '')
  const isSelected = row.evaluator === evaluator && params.evaluations[1] === id && params.show === show
  const label = `Show ${pluralize(rows, 'row')} that ${show} on ${row.name} (vs ${baseline})`
  return (
    <td className={styles.count}>
      <ClassLink
        state={state}
        show={show}
        evaluator={row.evaluator}
        candidate={id}
        className={rows === 0 ? 'quiet' : direction}
        aria-current={isSelected ? 'true' : undefined}
        aria-label={label}
        data-tooltip={label}
      >
        {rows > 0 && <Triangle direction={direction} />}
        {formatCount(rows)}
      </ClassLink>
    </td>
  )
}
