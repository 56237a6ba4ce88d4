// Text alternatives of the plot for screen readers.

import { pluralize } from '../../format/numbers.ts'
import type { Revision } from '../../queries/variants.ts'
import type { Baseline, Metric } from '../../revisions/metrics.ts'
import { comparisonLabel, evaluationName } from '../../revisions/metrics.ts'
import type { Target } from './plot-layout.ts'

export function targetLabel({ dots }: Target, metric: Metric, baseline: Baseline | undefined): string {
  const [{ revision, evaluation, value }] = dots
  const revisionLabel = `revision ${revision.revision}`
  if (dots.length > 1) {
    const values = dots.map((dot) => dot.value)
    const range = `${metric.format(Math.min(...values))} to ${metric.format(Math.max(...values))}`
    return `${pluralize(dots.length, 'evaluation')} close together, ${metric.name} ${range}, ${revisionLabel}`
  }
  const comparison = baseline ? `, ${comparisonLabel(value, baseline, metric)}` : ''
  return `${evaluationName(evaluation)}, ${metric.name} ${metric.format(value)}, ${revisionLabel}${comparison}`
}

/** One sentence: range, first, last and best value. */
export function plotSummary(revisions: readonly Revision[], metric: Metric): string {
  const measured = revisions.flatMap(({ revision, evaluations }) => {
    const value = evaluations.map(metric.valueIn).find((item) => item !== undefined)
    return value === undefined ? [] : [{ revision, value }]
  })
  const [firstValue, lastValue] = [measured[0], measured.at(-1)]
  const about = `${metric.name} (${metric.kind}, ${metric.higherIsBetter ? 'higher' : 'lower'} is better)`
  if (!firstValue || !lastValue) return `No evaluation has a value for ${about}.`
  const valueText = ({ revision, value }: Baseline) => `${metric.format(value)} in r${revision}`
  const revisionCount = `${measured.length} of ${pluralize(revisions.length, 'revision')}`
  if (firstValue === lastValue) return `${about} was measured for ${revisionCount}: ${valueText(firstValue)}.`
  const best = measured.reduce((best, item) =>
    item.value > best.value === metric.higherIsBetter && item.value !== best.value ? item : best,
  )
  return `${about} was measured for ${revisionCount}: from ${valueText(firstValue)} to ${valueText(lastValue)}, best ${valueText(best)}.`
}
