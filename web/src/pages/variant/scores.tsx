// Scores by revision: a menu for the metric, the plot or a table, and details of the focused dot.
import { useState } from 'react'
import { formatCount } from '../../format/numbers.ts'
import { EvaluationLink } from '../../navigation/evaluation-link.tsx'
import type { Revision } from '../../queries/variants.ts'
import { ChangeSummary } from '../../revisions/change-summary.tsx'
import type { Metric } from '../../revisions/metrics.ts'
import { comparisonLabel, evaluationName } from '../../revisions/metrics.ts'
import { useChangeSearchParams } from '../../state/search-params.ts'
import type { History } from './history.ts'
import styles from './plot.module.css'
import { Plot } from './plot.tsx'
import { plotSummary } from './plot-labels.ts'
import type { Target } from './plot-layout.ts'

export function Scores({ history, revisions }: { history: History; revisions: Revision[] }) {
  const { metrics, metric } = history
  const changeParams = useChangeSearchParams<'/variants/$variantId'>()
  const [isTable, setIsTable] = useState(false)
  const [activeTarget, setActiveTarget] = useState<Target>()
  if (!metric) {
    return (
      <p className={styles.none}>
        No evaluation of this variant has scores yet. Evaluations with this variant and a revision appear
        here.
      </p>
    )
  }
  const select = (index: number) => {
    const { on, figure } = metrics[index]?.search ?? {}
    changeParams({ on, figure })
  }
  return (
    <figure className={styles.scores} aria-label="Scores by revision">
      <div className={styles.toolbar}>
        <h2>Scores by revision</h2>
        <select
          aria-label="Metric"
          value={metrics.indexOf(metric)}
          onChange={(event) => select(Number(event.target.value))}
        >
          {metrics.map(({ name, kind }, index) => (
            <option key={`${name} ${kind}`} value={index}>
              {name} ({kind})
            </option>
          ))}
        </select>
        <span className="muted">
          <span aria-hidden="true">{metric.higherIsBetter ? '↑' : '↓'}</span>{' '}
          {metric.higherIsBetter ? 'higher' : 'lower'} is better
        </span>
        <button type="button" aria-pressed={isTable} onClick={() => setIsTable(!isTable)}>
          Show as table
        </button>
      </div>
      {isTable ? (
        <ScoreTable revisions={revisions} metric={metric} />
      ) : (
        <>
          <Plot history={history} revisions={revisions} metric={metric} onActiveChange={setActiveTarget} />
          <figcaption className={styles.details}>
            {activeTarget ? (
              <TargetDetails target={activeTarget} history={history} metric={metric} />
            ) : (
              <span className="muted">{plotSummary(revisions, metric)}</span>
            )}
          </figcaption>
        </>
      )}
    </figure>
  )
}

function TargetDetails({ target, history, metric }: { target: Target; history: History; metric: Metric }) {
  const [{ revision }] = target.dots
  const baseline = history.baselines.get(revision.revision)
  const changeLabels = history.changes.get(revision.revision)
  return (
    <>
      {target.dots.slice(0, 3).map(({ evaluation, value }) => (
        <span key={evaluation.id}>
          <strong>
            <bdi>{evaluationName(evaluation)}</bdi>
          </strong>{' '}
          {metric.format(value)}
          {baseline && `, ${comparisonLabel(value, baseline, metric)}`}{' '}
          <span className="muted">({formatCount(metric.rowsIn(evaluation))} scored)</span>
        </span>
      ))}
      {changeLabels && (
        <span>
          <span className="muted">r{revision.revision}:</span> <ChangeSummary changeLabels={changeLabels} />
        </span>
      )}
    </>
  )
}

function ScoreTable({ revisions, metric }: { revisions: Revision[]; metric: Metric }) {
  return (
    <div className={styles.tableFrame}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Revision</th>
            <th scope="col">Evaluation</th>
            <th scope="col" className="number">
              {metric.name} ({metric.kind})
            </th>
            <th scope="col" className="number">
              Scored
            </th>
          </tr>
        </thead>
        <tbody>
          {revisions.flatMap(({ revision, evaluations }) =>
            evaluations.flatMap((evaluation) => {
              const value = metric.valueIn(evaluation)
              if (value === undefined) return []
              return (
                <tr key={evaluation.id}>
                  <td>r{revision}</td>
                  <td>
                    <EvaluationLink id={evaluation.id} name={evaluationName(evaluation)} />
                  </td>
                  <td className="number">{metric.format(value)}</td>
                  <td className="number">{formatCount(metric.rowsIn(evaluation))}</td>
                </tr>
              )
            }),
          )}
        </tbody>
      </table>
    </div>
  )
}
