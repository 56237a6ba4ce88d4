// Card with the scores by revision: the evaluator, the plot or the same values as a table, and a sentence about it.
import { useRouter } from '@tanstack/react-router'
import { ChartLine, Table2 } from 'lucide'
import { useMemo, useState } from 'react'
import { useCanRead } from '../../../api/restriction.ts'
import type { Revision } from '../../../queries/variants.ts'
import type { Metric } from '../../../revisions/metrics.ts'
import { BASE_PATH } from '../../../state/base-path.ts'
import { IconButton } from '../../../ui/button.tsx'
import { LinePlot } from '../../../ui/charts/line-plot.tsx'
import type { PlotLayout } from '../../../ui/charts/plot-layout.ts'
import { PlotTargets } from '../../../ui/charts/plot-targets.tsx'
import type { History } from '../history.ts'
import styles from './cards.module.css'
import { MetricPicker } from './metric-picker.tsx'
import { metricDescription, plotDataOf, plotSummary, pointLines } from './plot-data.ts'
import { ScoreTable } from './score-table.tsx'

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
