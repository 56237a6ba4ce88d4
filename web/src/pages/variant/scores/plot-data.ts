// The data of the plots: a point per revision with a value, and the texts of its link.
import { formatCount, pluralize } from '../../../format/numbers.ts'
import type { Revision, RevisionEvaluation } from '../../../queries/variants.ts'
import { formatChange, UNIT_LABELS } from '../../../results/measures.ts'
import { plainText } from '../../../revisions/change-labels.ts'
import {
  baselineName,
  evaluationName,
  type Measured,
  type Metric,
  measuredRevisions,
} from '../../../revisions/metrics.ts'
import type { PlotData, PlotPoint } from '../../../ui/charts/plot-layout.ts'
import type { HistoryEntry } from '../history.ts'
import { bestOf, byText, isRunning } from '../verdict-parts.ts'

const MAX_LISTED = 3

export function plotDataOf(variantId: string, revisions: readonly Revision[], metric: Metric): PlotData {
  const columns = revisions.map(({ revision }) => `r${revision}`)
  const measured = measuredRevisions(revisions, metric)
  const scaled = (value: number) => (metric.unit === 'percent' ? value * 100 : value)
  const points = measured.map((item, index): PlotPoint => {
    const { revision, evaluation, measure } = item
    return {
      column: revisions.indexOf(revision),
      value: scaled(measure.value),
      direction: measure.change?.direction,
      isRunning: isRunning(evaluation),
      label: metric.format(measure.value),
      detail: isRunning(evaluation)
        ? 'so far'
        : (changeDetail(variantId, item) ?? (index === 0 ? 'first evaluated' : undefined)),
    }
  })
  const others = measured.flatMap(({ revision, evaluation }) =>
    revision.evaluations.flatMap((other) => {
      const value = other === evaluation ? undefined : metric.measureIn(other)?.value
      return value === undefined ? [] : [{ column: revisions.indexOf(revision), value: scaled(value) }]
    }),
  )
  const baseline = plottedBaseline(revisions, measured, metric)
  return {
    columns,
    points,
    others,
    baseline: baseline && {
      value: scaled(baseline.value),
      label: `baseline r${baseline.revision}, ${metric.format(baseline.value)}`,
    },
    hasZero: metric.unit === 'seconds' || metric.unit === 'dollars',
    maximum: metric.unit === 'percent' ? 100 : undefined,
  }
}

/** "−22.3 vs r4", "+2.7 vs r4, tied" */
function changeDetail(variantId: string, { evaluation, measure }: Measured): string | undefined {
  const { unit, change } = measure
  if (change?.difference === undefined) return undefined
  const amount = `${formatChange(unit, change.difference)} vs ${baselineName(evaluation, variantId)}`
  return change.direction === 'tied' ? `${amount}, tied` : amount
}

/** The baseline of the newest value, if it is in the plot. */
function plottedBaseline(
  revisions: readonly Revision[],
  measured: readonly Measured[],
  metric: Metric,
): { revision: number; value: number } | undefined {
  const id = measured.at(-1)?.evaluation.scores.base?.id
  for (const { revision, evaluations } of revisions) {
    const evaluation = evaluations.find((item) => item.id === id)
    const value = evaluation && metric.measureIn(evaluation)?.value
    if (value !== undefined) return { revision, value }
  }
  return undefined
}

/** What the link of a point says: the evaluations with their values, and what the revision changed. */
export function pointLines(variantId: string, entry: HistoryEntry, metric: Metric): string[] {
  const { revision, changeLabels } = entry
  const evaluations = revision.evaluations.filter((evaluation) => metric.measureIn(evaluation))
  const hiddenCount = evaluations.length - MAX_LISTED
  return [
    `r${revision.revision}`,
    ...evaluations.slice(0, MAX_LISTED).map((evaluation) => evaluationLine(variantId, evaluation, metric)),
    ...(hiddenCount > 0 ? [`${formatCount(hiddenCount)} more evaluations`] : []),
    ...changeLabels.labels.slice(0, MAX_LISTED).map(plainText),
  ]
}

function evaluationLine(variantId: string, evaluation: RevisionEvaluation, metric: Metric): string {
  const measure = metric.measureIn(evaluation)
  if (!measure) return evaluationName(evaluation)
  const baseline = baselineName(evaluation, variantId)
  const { value, change } = measure
  const outcome =
    change && baseline !== undefined
      ? `, ${change.direction} ${change.direction === 'tied' ? 'with' : 'than'} ${baseline}${change.direction === 'tied' ? '' : byText(measure)}`
      : ''
  const rows = `${pluralize(metric.rowsIn(evaluation), 'row')}${isRunning(evaluation) ? ' so far' : ''}`
  return `${evaluationName(evaluation)}: ${metric.name} ${metric.formatWithUnit(value)}${outcome} (${rows})`
}

/** "% passed, higher is better" */
export function metricDescription({ unit, higherIsBetter }: Metric): string {
  const label = unit === 'percent' ? '% passed' : UNIT_LABELS[unit]
  return `${label}, ${higherIsBetter ? 'higher' : 'lower'} is better`
}

/** What the plot shows: "4 of 7 revisions have a value: from 74.6 % in r3 to 94.1 % in r6, the best." */
export function plotSummary(revisions: readonly Revision[], metric: Metric): string {
  const measured = measuredRevisions(revisions, metric)
  const [first, last] = [measured[0], measured.at(-1)]
  if (!first || !last) return 'No revision has a value.'
  const text = ({ revision, measure }: Measured) =>
    `${metric.formatWithUnit(measure.value)} in r${revision.revision}`
  const count = `${formatCount(measured.length)} of ${pluralize(revisions.length, 'revision')}`
  if (first === last) return `${count} has a value: ${text(first)}.`
  const best = bestOf(measured)
  const range = `from ${text(first)} to ${text(last)}`
  return `${count} have a value: ${range}, ${best === last ? 'the best' : `best ${text(best)}`}.`
}
