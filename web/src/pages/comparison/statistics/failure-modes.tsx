// Which failure modes, or other labels, are new, gone, more or less frequent in the first candidate.
import { useQueries } from '@tanstack/react-query'
import type { LabelComparison, Review } from 'assay-client'
import { formatCount, pluralize } from '../../../format/numbers.ts'
import { formatChange, formatMeasure } from '../../../results/measures.ts'
import { IntervalChart } from '../../../ui/charts/interval-chart.tsx'
import { Triangle } from '../../../ui/icon.tsx'
import { shortName } from '../evaluation-links.ts'
import type { ComparisonState } from '../page-state.ts'
import { labelComparisonQuery } from '../queries.ts'
import styles from './statistics.module.css'
import { MAX_COLUMNS } from './statistics-table-rows.tsx'

type ComparedLabel = LabelComparison['labels'][number]
type Question = Review['questions'][number]

interface FailureModesProps {
  state: ComparisonState
  /** Of the reviews of the first candidate. */
  questions: readonly Question[]
  /** The end of the scale of the chart. */
  limit: number
}

export function FailureModes({ state, questions, limit }: FailureModesProps) {
  const { evaluations, by } = state.params
  const comparisons = useQueries({
    queries: questions.map(({ evaluator }) => labelComparisonQuery({ evaluations, by }, evaluator)),
  })
  return questions.map((question, index) => {
    const comparison = comparisons[index]?.data
    if (!comparison || comparison.labels.length === 0) return null
    return (
      <LabelGroup
        key={question.evaluator}
        state={state}
        isVerdict={question.type === 'verdict'}
        comparison={comparison}
        limit={limit}
      />
    )
  })
}

interface LabelGroupProps extends Pick<FailureModesProps, 'state' | 'limit'> {
  isVerdict: boolean
  comparison: LabelComparison
}

function LabelGroup({ state, isVerdict, comparison, limit }: LabelGroupProps) {
  const { evaluator, common_rows, labels } = comparison
  const unclear = labels.filter(({ state }) => state === 'unclear')
  return (
    <tbody>
      <tr>
        <th scope="rowgroup" colSpan={MAX_COLUMNS} className={isVerdict ? styles.evaluator : styles.none}>
          {isVerdict ? 'Failure modes' : 'Labels'}{' '}
          <span className={styles.unit}>
            of <bdi>{evaluator}</bdi>, in {pluralize(common_rows, 'row')} that people reviewed in both
          </span>
        </th>
      </tr>
      {labels.map(
        (label) =>
          label.state !== 'unclear' && (
            <LabelChange
              key={label.label}
              candidate={
                state.params.evaluations.length > 2
                  ? shortName(state.comparison, comparison.candidate_id)
                  : undefined
              }
              {...{ label, isVerdict, limit }}
              rows={common_rows}
            />
          ),
      )}
      {unclear.length > 0 && (
        <tr>
          <td
            colSpan={MAX_COLUMNS}
            className={`${styles.labels} ${styles.none}`}
            data-tooltip={unclear.map(describeChange).join('\n')}
          >
            No clear change: <bdi>{unclear.map(describeChange).join(', ')}</bdi>
          </td>
        </tr>
      )}
    </tbody>
  )
}

/** "Off topic 3 to 4" */
function describeChange({ label, base_rows, rows }: ComparedLabel): string {
  return `${label} ${formatCount(base_rows)} to ${formatCount(rows)}`
}

const STATE_LABELS = { new: 'new', gone: 'gone', more: 'more', less: 'less', unclear: '' }

interface LabelChangeProps {
  label: ComparedLabel
  isVerdict: boolean
  rows: number
  /** The name of the candidate, if there are several. */
  candidate: string | undefined
  limit: number
}

function LabelChange({ label, isVerdict, rows, candidate, limit }: LabelChangeProps) {
  const { base_rows, delta, interval } = label
  const [low = 0, high = 0] = interval ?? []
  // A failure mode is better if it is less frequent. Other labels are neither.
  const direction = !isVerdict || low * high <= 0 ? 'tied' : low > 0 ? 'worse' : 'better'
  const color = direction === 'tied' ? 'muted' : direction
  const range = interval && `${formatChange('percent', low)} to ${formatChange('percent', high)}`
  const share = (count: number) => (
    <td className={styles.mean} data-tooltip={`${formatCount(count)} of ${pluralize(rows, 'row')}`}>
      {formatMeasure('percent', count / rows, 1)}
    </td>
  )
  return (
    <tr>
      <th scope="row" className={styles.evaluator} data-tooltip={label.label}>
        <span className={styles.splitName}>
          <bdi className="ellipsis">{label.label}</bdi> <span className={styles.unit}>%</span>
        </span>
      </th>
      {share(base_rows)}
      {candidate !== undefined && (
        <td className={styles.candidate}>
          <bdi className={styles.name}>{candidate}</bdi>
        </td>
      )}
      {share(label.rows)}
      <td
        className={`${styles.change} ${color}`}
        data-tooltip={range ? `95 % confidence interval ${range}` : undefined}
      >
        {direction !== 'tied' && <Triangle direction={direction} />} {formatChange('percent', delta)}
      </td>
      <td className={`${styles.outcome} ${color}`}>{STATE_LABELS[label.state]}</td>
      <td className={styles.chart}>
        {isVerdict && (
          <IntervalChart
            change={-delta * 100}
            interval={(interval ?? []).map((end) => -end * 100)}
            direction={direction}
            limit={limit}
          />
        )}
      </td>
      <td className={styles.interval}>{range}</td>
      <td className={styles.count} />
      <td className={styles.count} />
      <td className={`${styles.rows} quiet`}>{formatCount(rows)}</td>
    </tr>
  )
}
