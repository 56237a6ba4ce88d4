// The values of the plot as a table: one row per evaluation.
import { formatCount } from '../../../format/numbers.ts'
import { EvaluationLink } from '../../../navigation/evaluation-link.tsx'
import type { Revision } from '../../../queries/variants.ts'
import { UNIT_LABELS } from '../../../results/measures.ts'
import { MetricValue } from '../../../revisions/metric-value.tsx'
import { evaluationName, type Metric } from '../../../revisions/metrics.ts'
import tableStyles from '../../../ui/table.module.css'
import styles from './cards.module.css'

interface ScoreTableProps {
  variantId: string
  revisions: Revision[]
  metric: Metric
}

export function ScoreTable({ variantId, revisions, metric }: ScoreTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: makes a long table scrollable with the keyboard
    <div className={styles.tableFrame} tabIndex={0}>
      <table className={tableStyles.table}>
        <thead>
          <tr>
            <th scope="col">Revision</th>
            <th scope="col">Evaluation</th>
            <th scope="col" className={tableStyles.numeric}>
              {metric.name} <span className={tableStyles.unit}>{UNIT_LABELS[metric.unit]}</span>
            </th>
            <th scope="col" className={tableStyles.numeric}>
              Rows
            </th>
          </tr>
        </thead>
        <tbody>
          {revisions.flatMap(({ revision, evaluations }) =>
            evaluations
              .filter((evaluation) => metric.measureIn(evaluation))
              .map((evaluation) => (
                <tr key={evaluation.id}>
                  <td>r{revision}</td>
                  <td>
                    <EvaluationLink id={evaluation.id} name={evaluationName(evaluation)} />
                  </td>
                  <td className={tableStyles.numeric}>
                    <MetricValue variantId={variantId} evaluation={evaluation} metric={metric} />
                  </td>
                  <td className={tableStyles.numeric}>{formatCount(metric.rowsIn(evaluation))}</td>
                </tr>
              )),
          )}
        </tbody>
      </table>
    </div>
  )
}
