// The difference of a metric from an earlier revision.
import { Delta } from '../ui/delta.tsx'
import type { Baseline, Metric } from './metrics.ts'

interface MetricDeltaProps {
  metric: Metric
  value: number | undefined
  baseline: Baseline | undefined
}

export function MetricDelta({ metric, value, baseline }: MetricDeltaProps) {
  if (value === undefined || !baseline) return null
  return (
    <Delta
      difference={value - baseline.value}
      higherIsBetter={metric.higherIsBetter}
      format={metric.formatDifference}
      baselineName={`r${baseline.revision}`}
    />
  )
}
