// Metrics of revisions: evaluator scores, latency and cost, each with its direction and number format.
import { directionOf } from '../format/direction.ts'
import { formatDollars, formatPercent, formatPoints, formatScore, formatSeconds } from '../format/numbers.ts'
import type { Revision, RevisionEvaluation } from '../queries/variants.ts'

export interface Metric {
  /** Its search params in the URL. */
  search: { on: string; figure?: undefined } | { figure: 'latency' | 'cost'; on?: undefined }
  /** "answer_correct" */
  name: string
  /** "pass rate", "mean", "p50" or "per row" */
  kind: string
  higherIsBetter: boolean
  isPassRate: boolean
  format: (value: number) => string
  /** Formats a difference, without its sign. */
  formatDifference: (value: number) => string
  /** The value of one evaluation; undefined if it has none. */
  valueIn: (evaluation: RevisionEvaluation) => number | undefined
  /** Number of rows with a value. */
  rowsIn: (evaluation: RevisionEvaluation) => number
}

type Score = RevisionEvaluation['scores']['evaluators'][number]

/** All metrics that at least one evaluation has: evaluators in order of appearance, then latency and cost. */
export function metricsOf(revisions: readonly Revision[]): Metric[] {
  const evaluations = revisions.flatMap((revision) => revision.evaluations)
  const scores = Map.groupBy(
    evaluations.flatMap(({ scores }) => scores.evaluators.filter(({ mean }) => mean !== null)),
    ({ name }) => name,
  )
  const metrics = [...[...scores].map(([name, values]) => evaluatorMetric(name, values)), LATENCY, COST]
  return metrics.filter((metric) =>
    evaluations.some((evaluation) => metric.valueIn(evaluation) !== undefined),
  )
}

/** The metric in the URL, or else the first pass rate, or else the first metric. */
export function selectedMetric(
  metrics: readonly Metric[],
  { on, figure }: { on?: string | undefined; figure?: string | undefined },
): Metric | undefined {
  return (
    metrics.find(({ search }) =>
      figure === undefined ? on !== undefined && search.on === on : search.figure === figure,
    ) ??
    metrics.find(({ isPassRate }) => isPassRate) ??
    metrics[0]
  )
}

function evaluatorMetric(name: string, scores: readonly Score[]): Metric {
  const higherIsBetter = scores.at(-1)?.higher_is_better ?? true
  // All values on one axis must be of one kind. If lower scores are better, use the mean: a pass rate would be inverted.
  const isPassRate = higherIsBetter && scores.every(({ pass_rate }) => pass_rate !== null)
  const scoreOf = ({ scores }: RevisionEvaluation) => scores.evaluators.find((item) => item.name === name)
  return {
    search: { on: name },
    name,
    kind: isPassRate ? 'pass rate' : 'mean',
    higherIsBetter,
    isPassRate,
    format: isPassRate ? formatPercent : formatScore,
    formatDifference: isPassRate ? formatPoints : formatScore,
    valueIn: (evaluation) => {
      const result = scoreOf(evaluation)
      return (isPassRate ? result?.pass_rate : result?.mean) ?? undefined
    },
    rowsIn: (evaluation) => scoreOf(evaluation)?.n ?? 0,
  }
}

const LATENCY: Metric = {
  ...measure('latency', formatSeconds),
  kind: 'p50',
  valueIn: ({ scores }) => scores.latency.p50 ?? undefined,
}

/** Per row, because the total grows with the number of rows. */
const COST: Metric = {
  ...measure('cost', formatDollars),
  kind: 'per row',
  valueIn: ({ scores }) => scores.cost.mean ?? undefined,
}

function measure(figure: 'latency' | 'cost', format: Metric['format']): Omit<Metric, 'kind' | 'valueIn'> {
  return {
    search: { figure },
    name: figure,
    higherIsBetter: false,
    isPassRate: false,
    format,
    formatDifference: format,
    rowsIn: ({ scores }) => scores[figure].n,
  }
}

export interface Baseline {
  revision: number
  value: number
}

/** The baseline of each revision: the newest evaluation with a value, of the nearest earlier revision that has one. */
export function baselinesOf(revisions: readonly Revision[], metric: Metric): Map<number, Baseline> {
  const baselines = new Map<number, Baseline>()
  let lastBaseline: Baseline | undefined
  for (const { revision, evaluations } of revisions) {
    if (lastBaseline) baselines.set(revision, lastBaseline)
    const value = evaluations.map(metric.valueIn).find((item) => item !== undefined)
    if (value !== undefined) lastBaseline = { revision, value }
  }
  return baselines
}

export function evaluationName({ id, name }: RevisionEvaluation): string {
  return name ?? id
}

/** "better than r3", "worse than r3" or "same as r3" */
export function comparisonLabel(value: number, baseline: Baseline, { higherIsBetter }: Metric): string {
  const direction = directionOf(value - baseline.value, higherIsBetter)
  return direction === 'tied' ? `same as r${baseline.revision}` : `${direction} than r${baseline.revision}`
}
