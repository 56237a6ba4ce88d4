// Card with latency and cost by revision.
import { useMemo } from 'react'
import type { Revision } from '../../../queries/variants.ts'
import { UNIT_LABELS } from '../../../results/measures.ts'
import { type Metric, measuredRevisions } from '../../../revisions/metrics.ts'
import { LinePlot } from '../../../ui/charts/line-plot.tsx'
import styles from './cards.module.css'
import { plotDataOf, plotSummary } from './plot-data.ts'

const HEIGHT = 104

interface MeasureCardProps {
  variantId: string
  revisions: Revision[]
  metrics: readonly Metric[]
}

/** Nothing if no evaluation has latencies or costs. */
export function MeasureCard({ variantId, revisions, metrics }: MeasureCardProps) {
  const measures = metrics.filter(({ search }) => search.figure !== undefined)
  if (measures.length === 0) return null
  return (
    <div className={`${styles.card} ${styles.measures}`}>
      {measures.map((metric) => (
        <MeasurePlot key={metric.name} variantId={variantId} revisions={revisions} metric={metric} />
      ))}
    </div>
  )
}

function MeasurePlot({
  variantId,
  revisions,
  metric,
}: {
  variantId: string
  revisions: Revision[]
  metric: Metric
}) {
  const data = useMemo(() => {
    const { baseline: _, points, ...plot } = plotDataOf(variantId, revisions, metric)
    // The newest value is next to the plot.
    return { ...plot, points: points.map((point) => ({ ...point, label: '', detail: undefined })) }
  }, [variantId, revisions, metric])
  const newest = measuredRevisions(revisions, metric).at(-1)
  return (
    <section aria-label={metric.name}>
      <div className={styles.header}>
        <h2>{metric.name[0]?.toUpperCase() + metric.name.slice(1)}</h2>
        <span className="quiet">{UNIT_LABELS[metric.unit]}</span>
        <span className={styles.description}>lower is better</span>
      </div>
      <div className={styles.measure}>
        <LinePlot
          data={data}
          title={`${metric.name}: ${plotSummary(revisions, metric)}`}
          height={HEIGHT}
          tickCount={2}
        />
        {newest && (
          <span className={styles.newest} data-tooltip={`r${newest.revision.revision}`}>
            {metric.format(newest.measure.value)}
          </span>
        )}
      </div>
    </section>
  )
}
