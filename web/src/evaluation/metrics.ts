// The figures above the table: what each is called, what it says in short, and what its bars filter by.
import type { EvaluationSummary } from 'assay-client'
import { count, dollars, percent, score, seconds } from '../format/numbers.ts'
import type { Filter } from './view.ts'

type Bin = EvaluationSummary['latency']['bins'][number]

export interface Metric {
  name: string
  /** The name of its filter. */
  filter: string
  /** The little that is said beside the bars. */
  figures: string
  bins: Bin[]
  format: (value: number) => string
  /** How many passed and failed, where that is all there is. */
  verdicts: { passed: number; failed: number } | undefined
}

/** Those that have a number. */
export function metricsOf({ evaluators, latency, cost }: EvaluationSummary): Metric[] {
  const all = [...evaluators.map(ofEvaluator), ofLatency(latency), ofCost(cost)]
  return all.filter(({ bins }) => bins.length > 0)
}

/** An address has each name once, so a bar keeps what is from its lower end on; the lowest one what is below its upper end. */
export function binFilter({ filter, bins }: Metric, bin: Bin): Filter {
  if (bin.from === bin.to) return [filter, `eq.${bin.from}`]
  return bin === bins[0] ? [filter, `lt.${bin.to}`] : [filter, `gte.${bin.from}`]
}

function ofEvaluator(evaluator: EvaluationSummary['evaluators'][number]): Metric {
  const { name, n, passed, failed, pass_rate, mean, bins, threshold } = evaluator
  const areAllVerdicts = threshold === null && passed !== null && failed !== null && passed + failed === n
  const rate = pass_rate === null ? undefined : `${percent(pass_rate)} passed`
  const average = areAllVerdicts || mean === null ? undefined : `mean ${score(mean)}`
  return {
    name,
    filter: `result.${name}`,
    figures: [average, rate].filter((words) => words !== undefined).join(' · '),
    bins,
    format: score,
    verdicts: areAllVerdicts ? { passed, failed } : undefined,
  }
}

function ofLatency({ bins, quantiles: { p50, p95 } }: EvaluationSummary['latency']): Metric {
  const figures = `p50 ${shown(p50, seconds)} · p95 ${shown(p95, seconds)}`
  return { name: 'latency', filter: 'latency', figures, bins, format: seconds, verdicts: undefined }
}

function ofCost({ bins, total, mean, n, missing }: EvaluationSummary['cost']): Metric {
  const part = missing === 0 ? '' : ` for ${count(n)} rows`
  const figures = `${shown(total, dollars)}${part} · ${shown(mean, dollars)} a row`
  return { name: 'cost', filter: 'cost', figures, bins, format: dollars, verdicts: undefined }
}

function shown(value: number | null, format: (value: number) => string): string {
  return value === null ? '–' : format(value)
}
