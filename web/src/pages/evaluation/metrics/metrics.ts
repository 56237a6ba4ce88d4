// The metrics above the table: name, short summary, histogram bins and the filter of each.
import type { EvaluationSummary } from 'assay-client'
import { formatPercent, formatScore } from '../../../format/numbers.ts'
import {
  costMeasure,
  evaluatorMeasure,
  formatWithUnit,
  latencyMeasure,
  type Measure,
  type Unit,
} from '../../../results/measures.ts'
import type { Filter } from '../../../state/row-params.ts'

type Bin = EvaluationSummary['latency']['bins'][number]

export interface Metric {
  name: string
  /** The name of its filter. */
  filter: string
  /** The text next to the name: "mean 0.739". */
  summary: string
  bins: Bin[]
  format: (value: number) => string
  /** The counts, if all results are verdicts. */
  verdicts: { passed: number; failed: number } | undefined
}

/** The metrics that have numbers. */
export function metricsOf({ evaluators, latency, cost }: EvaluationSummary): Metric[] {
  const metrics = [
    ...evaluators.map(evaluatorMetric),
    measureMetric('latency', 'seconds', latency.bins, [
      ['p50', latencyMeasure({ p50: latency.quantiles.p50 })],
      ['p95', latencyMeasure({ p50: latency.quantiles.p95 })],
    ]),
    measureMetric('cost', 'dollars', cost.bins, [
      ['total', costMeasure(cost)],
      ['per row', costMeasure({ total: cost.mean })],
    ]),
  ]
  return metrics.filter(({ bins }) => bins.length > 0)
}

/** A URL has each filter name only once, so a bar filters from its lower bound, and the first bar below its upper bound. */
export function binFilter({ filter, bins }: Metric, bin: Bin): Filter {
  if (bin.from === bin.to) return [filter, `eq.${bin.from}`]
  return bin === bins[0] ? [filter, `lt.${bin.to}`] : [filter, `gte.${bin.from}`]
}

function evaluatorMetric(evaluator: EvaluationSummary['evaluators'][number]): Metric {
  const { name, n, passed, failed, pass_rate, bins, threshold } = evaluator
  const measure = evaluatorMeasure(evaluator)
  const areAllVerdicts = threshold === null && passed !== null && failed !== null && passed + failed === n
  const rate = pass_rate === null || areAllVerdicts ? [] : [`${formatPercent(pass_rate)} pass`]
  const value = measure && formatWithUnit(measure.unit, measure.value)
  return {
    name,
    filter: `result.${name}`,
    summary: [areAllVerdicts ? `${value} pass` : `mean ${value}`, ...rate].join(', '),
    bins,
    format: formatScore,
    verdicts: areAllVerdicts ? { passed, failed } : undefined,
  }
}

function measureMetric(
  name: string,
  unit: Unit,
  bins: Bin[],
  values: [label: string, measure: Measure | undefined][],
): Metric {
  const summary = values
    .map(([label, measure]) => `${label} ${measure ? formatWithUnit(unit, measure.value) : '–'}`)
    .join(', ')
  return {
    name,
    filter: name,
    summary,
    bins,
    format: (value) => formatWithUnit(unit, value),
    verdicts: undefined,
  }
}
