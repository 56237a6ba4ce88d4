// Evaluations of one or two revisions with all their metrics, compared with the previous revision.
import { formatCount } from '../format/numbers.ts'
import { EvaluationLink } from '../navigation/evaluation-link.tsx'
import type { Revision } from '../queries/variants.ts'
import { TimeAgo } from '../ui/time-ago.tsx'
import { useTruncatedList } from '../ui/truncation.tsx'
import { MetricDelta } from './metric-delta.tsx'
import { baselinesOf, evaluationName, metricsOf } from './metrics.ts'
import styles from './revisions.module.css'

const MAX_ITEMS = 10

interface EvaluationTableProps {
  /** The revisions that provide baselines, in order. */
  revisions: Revision[]
  /** The revisions whose evaluations are listed. */
  listedRevisions: Revision[]
}

export function EvaluationTable({ revisions, listedRevisions }: EvaluationTableProps) {
  const rows = listedRevisions.flatMap((revision) =>
    revision.evaluations.map((evaluation) => ({ revision, evaluation })),
  )
  const { items, showAll } = useTruncatedList(rows, MAX_ITEMS, 'evaluation')
  if (rows.length === 0) return <p className="muted">No evaluations of {revisionNames(listedRevisions)}.</p>
  // Computed from all revisions, so that a metric has the same kind as its baseline.
  const metrics = metricsOf(revisions)
    .filter((metric) => rows.some(({ evaluation }) => metric.valueIn(evaluation) !== undefined))
    .map((metric) => ({ metric, baselines: baselinesOf(revisions, metric) }))
  const hasSeveralRevisions = listedRevisions.length > 1
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: makes a wide table scrollable with the keyboard
    <div className={styles.frame} tabIndex={0}>
      <table className={styles.evaluations}>
        <thead>
          <tr>
            {hasSeveralRevisions && <th scope="col">Revision</th>}
            <th scope="col">Evaluation</th>
            <th scope="col">Created</th>
            <th scope="col" className="number">
              Rows
            </th>
            {metrics.map(({ metric: { name, kind } }) => (
              <th key={`${name} ${kind}`} scope="col" className="number">
                {name} <span className={styles.metricKind}>{kind}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map(({ revision: { revision }, evaluation }) => (
            <tr key={evaluation.id}>
              {hasSeveralRevisions && <td>r{revision}</td>}
              <td>
                <EvaluationLink id={evaluation.id} name={evaluationName(evaluation)} />
              </td>
              <td className="muted">
                <TimeAgo time={evaluation.created_at} />
              </td>
              <td className="number">{formatCount(evaluation.scenario_count)}</td>
              {metrics.map(({ metric, baselines }) => {
                const value = metric.valueIn(evaluation)
                return (
                  <td key={`${metric.name} ${metric.kind}`} className="number">
                    {value === undefined ? <span className="muted">–</span> : metric.format(value)}{' '}
                    <MetricDelta metric={metric} value={value} baseline={baselines.get(revision)} />
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {showAll}
    </div>
  )
}

function revisionNames(revisions: Revision[]): string {
  return revisions.length === 1
    ? 'this revision'
    : revisions.map(({ revision }) => `r${revision}`).join(' or ')
}
