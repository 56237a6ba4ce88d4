// Card with the scores by revision: the evaluator, the plot or the same values as a table, and a sentence about it.
import { useRouter } from '@tanstack/react-router'
import { ChartLine, Table2 } from 'lucide'
import { useMemo, useState } from 'react'
import { useCanRead } from '../../../api/restriction.ts'
import { formatCount } from '../../../format/numbers.ts'
import { EvaluationLink } from '../../../navigation/links.tsx'
import type { Revision } from '../../../queries/variants.ts'
import { UNIT_LABELS } from '../../../results/measures.ts'
import { MetricValue } from '../../../revisions/metric-value.tsx'
import { evaluationName, type Metric } from '../../../revisions/metrics.ts'
import { BASE_PATH } from '../../../state/base-path.ts'
import { useChangeSearchParams } from '../../../state/search-params.ts'
import { IconButton } from '../../../ui/button.tsx'
import { LinePlot } from '../../../ui/charts/line-plot.tsx'
import type { PlotLayout } from '../../../ui/charts/plot-layout.ts'
import { PlotTargets } from '../../../ui/charts/plot-targets.tsx'
import { Menu, MenuItem, MenuItems } from '../../../ui/menus/menu.tsx'
import tableStyles from '../../../ui/table.module.css'
import { Segments } from '../../../ui/tabs.tsx'
import type { History } from '../history.ts'
import styles from './cards.module.css'
import { metricDescription, plotDataOf, plotSummary, pointLines } from './plot-data.ts'

const HEIGHT = 204

interface ScoreCardProps {
  history: History
  revisions: Revision[]
  metric: Metric
  selected: readonly number[]
}

export function ScoreCard({ history, revisions, metric, selected }: ScoreCardProps) {
  const [isTable, setIsTable] = useState(false)
  const data = useMemo(() => {
    const plot = plotDataOf(history.id, revisions, metric)
    const highlighted = revisions.flatMap(({ revision }, column) =>
      selected.includes(revision) ? [column] : [],
    )
    return { ...plot, highlighted }
  }, [history.id, revisions, metric, selected])
  const summary = plotSummary(revisions, metric)
  return (
    <figure className={styles.card} aria-label="Score by revision">
      <div className={styles.header}>
        <h2>Score by revision</h2>
        <MetricPicker metrics={history.metrics} metric={metric} />
        <span className={styles.description}>{metricDescription(metric)}</span>
        <IconButton
          icon={isTable ? ChartLine : Table2}
          label={isTable ? 'Show as chart' : 'Show as table'}
          size="small"
          onClick={() => setIsTable(!isTable)}
        />
      </div>
      {isTable ? (
        <ScoreTable variantId={history.id} revisions={revisions} metric={metric} />
      ) : (
        <LinePlot data={data} title={`${metric.name}: ${summary}`} height={HEIGHT} tickCount={4}>
          {(layout) => <Targets layout={layout} history={history} metric={metric} />}
        </LinePlot>
      )}
      <figcaption className={styles.caption}>
        {summary}
        {data.baseline && ' The dashed line is the newest baseline.'}
        {data.points.some(({ direction }) => direction) && ' Changes are paired by row.'}
      </figcaption>
    </figure>
  )
}

interface TargetsProps {
  layout: PlotLayout
  history: History
  metric: Metric
}

function Targets({ layout, history: { id, entries }, metric }: TargetsProps) {
  const canRead = useCanRead()
  const router = useRouter()
  const targets = entries.flatMap((entry, column) => {
    const { revision, evaluations } = entry.revision
    const [first, second] = evaluations.filter((evaluation) => metric.measureIn(evaluation))
    if (!first) return []
    // Several evaluations are listed on the page of the revision.
    const isEvaluation = !second && canRead('evaluation', first.id)
    const path = isEvaluation
      ? `/evaluations/${encodeURIComponent(first.id)}`
      : `/variants/${encodeURIComponent(id)}/revisions/${revision}`
    return [{ column, href: BASE_PATH + path, lines: pointLines(id, entry, metric) }]
  })
  return (
    <PlotTargets
      label="Evaluations in the plot"
      targets={targets}
      layout={layout}
      onOpen={(href) => router.history.push(href)}
    />
  )
}

const MAX_SEGMENTS = 5

/** Picks the metric of the plot: adjacent buttons for a few evaluators, or else a menu. */
function MetricPicker({ metrics, metric }: { metrics: readonly Metric[]; metric: Metric }) {
  const changeParams = useChangeSearchParams<'/variants/$variantId'>()
  const select = ({ search: { on, figure } }: Metric) => changeParams({ on, figure })
  // Latency and cost have their own card, which narrow windows do not show.
  const segments = metrics.filter((item) => item.search.on !== undefined || item === metric)
  const menu = (
    <Menu label={metric.name} size="small" title="Change the metric">
      <MenuItems>
        {metrics.map((item) => (
          <MenuItem key={keyOf(item)} isChosen={item === metric} onClick={() => select(item)}>
            {item.name}
          </MenuItem>
        ))}
      </MenuItems>
    </Menu>
  )
  if (segments.length > MAX_SEGMENTS) return menu
  return (
    <>
      <span className={styles.narrow}>{menu}</span>
      <span className={styles.wide}>
        <Segments
          label="Metric"
          options={segments.map((item) => ({ value: keyOf(item), label: item.name }))}
          value={keyOf(metric)}
          onChange={(key) => {
            const item = metrics.find((item) => keyOf(item) === key)
            if (item) select(item)
          }}
        />
      </span>
    </>
  )
}

/** An evaluator can have the name of another metric. */
function keyOf({ search: { on, figure } }: Metric): string {
  return on === undefined ? `figure ${figure}` : `on ${on}`
}

interface ScoreTableProps {
  variantId: string
  revisions: Revision[]
  metric: Metric
}

/** The values of the plot as a table: one row per evaluation. */
function ScoreTable({ variantId, revisions, metric }: ScoreTableProps) {
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
