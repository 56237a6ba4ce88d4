// A metric of an evaluation: its value and its change against the baseline, in two slots of fixed width.
import type { ReactNode } from 'react'
import type { RevisionEvaluation } from '../queries/variants.ts'
import { formatDifference } from '../results/measures.ts'
import { Delta, ValueAndChange } from '../ui/delta.tsx'
import { baselineName, type Metric } from './metrics.ts'

interface MetricValueProps {
  variantId: string
  evaluation: RevisionEvaluation
  metric: Metric
  /** Wraps the value in a link. */
  link?: ((text: string) => ReactNode) | undefined
}

/** Nothing if the evaluation has no value. */
export function MetricValue({ variantId, evaluation, metric, link = (text) => text }: MetricValueProps) {
  const measure = metric.measureIn(evaluation)
  if (!measure) return null
  const { value, unit, higherIsBetter, change } = measure
  const text = link(metric.format(value))
  if (!metric.hasChanges) return text
  return (
    <ValueAndChange
      value={text}
      change={
        change && (
          <Delta
            difference={change.difference ?? 0}
            format={change.difference === undefined ? undefined : (amount) => formatDifference(unit, amount)}
            higherIsBetter={higherIsBetter}
            direction={change.direction}
            baselineName={baselineName(evaluation, variantId) ?? 'the baseline'}
          />
        )
      }
    />
  )
}
