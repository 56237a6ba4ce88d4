// The metrics above the table: name, short summary, histogram bins and the filter of each.
import type { EvaluationSummary } from 'assay-client'
import {
  formatCount,
  formatDollars,
  formatPercent,
  formatScore,
  formatSeconds,
} from '../../../format/numbers.ts'
import type { Filter } from '../../../state/row-params.ts'

type Bin = EvaluationSummary['latency']['bins'][number]

export interface Metric {
  name: string
  /** The name of its filter. */
  filter: string
  /** The text next to the bars. */
  summary: string
  bins: Bin[]
  format: (value: number) => string
  /** The counts, if all results are verdicts. */
  verdicts: { passed: number; failed: number } | undefined
}

/** The metrics that have numbers. */
export function metricsOf({ evaluators, latency, cost }: EvaluationSummary): Metric[] {
  const metrics = [...evaluators.map(evaluatorMetric), latencyMetric(latency), costMetric(cost)]
  return metrics.filter(({ bins }) => bins.length > 0)
}

/** A URL has each filter name only once, so a bar filters from its lower bound, and the first bar below its upper bound. */
export function binFilter({ filter, bins }: Metric, bin: Bin): Filter {
  if (bin.from === bin.to) return [filter, `eq.${bin.from}`]
  return bin === bins[0] ? [filter, `lt.${bin.to}`] : [filter, `gte.${bin.from}`]
}

function evaluatorMetric(evaluator: EvaluationSummary['evaluators'][number]): Metric {
  const { name, n, passed, failed, pass_rate, mean, bins, threshold } = evaluator
  const areAllVerdicts = threshold === null && passed !== null && failed !== null && passed + failed === n
  const rate = pass_rate === null ? undefined : `${formatPercent(pass_rate)} passed`
  const average = areAllVerdicts || mean === null ? undefined : `mean ${formatScore(mean)}`
  return {
    name,
    filter: `result.${name}`,
    summary: [average, rate].filter((text) => text !== undefined).join(' · '),
    bins,
    format: formatScore,
    verdicts: areAllVerdicts ? { passed, failed } : undefined,
  }
}

function latencyMetric({ bins, quantiles: { p50, p95 } }: EvaluationSummary['latency']): Metric {
  const summary = `p50 ${formatted(p50, formatSeconds)} · p95 ${formatted(p95, formatSeconds)}`
  return { name: 'latency', filter: 'latency', summary, bins, format: formatSeconds, verdicts: undefined }
}

function costMetric({ bins, total, mean, n, missing }: EvaluationSummary['cost']): Metric {
  const coverage = missing === 0 ? '' : ` for ${formatCount(n)} rows`
  const summary = `${formatted(total, formatDollars)}${coverage} · ${formatted(mean, formatDollars)} per row`
  return { name: 'cost', filter: 'cost', summary, bins, format: formatDollars, verdicts: undefined }
}

function formatted(value: number | null, format: (value: number) => string): string {
  return value === null ? '–' : format(value)
}
