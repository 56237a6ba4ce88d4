// Evaluations of one or two revisions with all their metrics and the changes against their baselines.
import { formatCount } from '../format/numbers.ts'
import { EvaluationLink } from '../navigation/links.tsx'
import type { Revision } from '../queries/variants.ts'
import { UNIT_LABELS } from '../results/measures.ts'
import tableStyles from '../ui/table.module.css'
import { TimeAgo } from '../ui/time-ago.tsx'
import { useTruncatedList } from '../ui/truncation.tsx'
import { MetricValue } from './metric-value.tsx'
import { evaluationName, metricsOf } from './metrics.ts'
import styles from './revisions.module.css'

const MAX_ITEMS = 10

interface EvaluationTableProps {
  variantId: string
  /** The revisions that decide about units and decimals. */
  revisions: Revision[]
  /** The revisions whose evaluations are listed. */
  listedRevisions: Revision[]
}

export function EvaluationTable({ variantId, revisions, listedRevisions }: EvaluationTableProps) {
  const rows = listedRevisions.flatMap((revision) =>
    revision.evaluations.map((evaluation) => ({ revision, evaluation })),
  )
  const { items, showAll } = useTruncatedList(rows, MAX_ITEMS, 'evaluation')
  if (rows.length === 0) return <p className="muted">{revisionNames(listedRevisions)} not been evaluated.</p>
  const metrics = metricsOf(revisions).filter((metric) =>
    rows.some(({ evaluation }) => metric.measureIn(evaluation)),
  )
  const hasSeveralRevisions = listedRevisions.length > 1
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: makes a wide table scrollable with the keyboard */}
      <div className={`${tableStyles.card} ${styles.frame}`} tabIndex={0}>
        <table className={`${tableStyles.table} ${styles.evaluations}`}>
          <thead>
            <tr>
              {hasSeveralRevisions && <th scope="col">Revision</th>}
              <th scope="col">Evaluation</th>
              <th scope="col" className={styles.secondary}>
                Created
              </th>
              <th scope="col" className={`${tableStyles.numeric} ${styles.secondary}`}>
                Rows
              </th>
              {metrics.map(({ name, unit, search }) => (
                <th key={`${search.on} ${search.figure}`} scope="col" className={tableStyles.numeric}>
                  {name} <span className={tableStyles.unit}>{UNIT_LABELS[unit]}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {items.map(({ revision: { revision }, evaluation }) => (
              <tr key={evaluation.id}>
                {hasSeveralRevisions && <th scope="row">r{revision}</th>}
                <td className={styles.name}>
                  <EvaluationLink id={evaluation.id} name={evaluationName(evaluation)} />
                </td>
                <td className={`muted ${styles.secondary}`}>
                  <TimeAgo time={evaluation.created_at} />
                </td>
                <td className={`${tableStyles.numeric} ${styles.secondary}`}>
                  {formatCount(evaluation.scenario_count)}
                </td>
                {metrics.map((metric) => (
                  <td key={`${metric.search.on} ${metric.search.figure}`} className={tableStyles.numeric}>
                    <MetricValue variantId={variantId} evaluation={evaluation} metric={metric} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {showAll}
    </>
  )
}

function revisionNames(revisions: Revision[]): string {
  return revisions.length === 1
    ? 'This revision has'
    : `${revisions.map(({ revision }) => `r${revision}`).join(' and ')} have`
}
