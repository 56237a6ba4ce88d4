// Metrics of revisions: evaluators, latency and cost. Each has one unit for all evaluations of the variant.
import type { Revision, RevisionEvaluation } from '../queries/variants.ts'
import {
  columnDecimals,
  costMeasure,
  evaluatorMeasure,
  evaluatorUnit,
  formatMeasure,
  formatWithUnit,
  latencyMeasure,
  type Measure,
  type Unit,
} from '../results/measures.ts'

export interface Metric {
  /** Its search params in the URL. */
  search: { on: string; figure?: undefined } | { figure: 'latency' | 'cost'; on?: undefined }
  /** "answer_correct" */
  name: string
  unit: Unit
  higherIsBetter: boolean
  /** Whether columns need space for changes. Those of latency and cost are only in the plots. */
  hasChanges: boolean
  /** The value of one evaluation and its change against the baseline; undefined if it has none. */
  measureIn: (evaluation: RevisionEvaluation) => Measure | undefined
  /** Number of rows with a value. */
  rowsIn: (evaluation: RevisionEvaluation) => number
  /** Without unit, with the same decimals for all values of the metric: "94.1". */
  format: (value: number) => string
  /** With its unit: "94.1 %". */
  formatWithUnit: (value: number) => string
}

/** All metrics that at least one evaluation has: evaluators in order of appearance, then latency and cost. */
export function metricsOf(revisions: readonly Revision[]): Metric[] {
  const evaluations = revisions.flatMap((revision) => revision.evaluations)
  const statistics = Map.groupBy(
    evaluations.flatMap(({ scores }) => scores.evaluators),
    ({ name }) => name,
  )
  const evaluators = [...statistics].flatMap(([name, items]) => {
    const unit = evaluatorUnit(items)
    if (unit === undefined) return []
    const scoresOf = ({ scores }: RevisionEvaluation) => scores.evaluators.find((item) => item.name === name)
    return metricOf(
      {
        search: { on: name },
        name,
        unit,
        measureIn: (evaluation) => {
          const scores = scoresOf(evaluation)
          return scores && evaluatorMeasure(scores, unit)
        },
        rowsIn: (evaluation) => scoresOf(evaluation)?.n ?? 0,
      },
      evaluations,
    )
  })
  return [...evaluators, ...metricOf(LATENCY, evaluations), ...metricOf(COST, evaluations)]
}

type MetricSource = Pick<Metric, 'search' | 'name' | 'unit' | 'measureIn' | 'rowsIn'>

const LATENCY: MetricSource = {
  search: { figure: 'latency' },
  name: 'latency',
  unit: 'seconds',
  measureIn: ({ scores }) => latencyMeasure(scores.latency),
  rowsIn: ({ scores }) => scores.latency.n,
}

const COST: MetricSource = {
  search: { figure: 'cost' },
  name: 'cost',
  unit: 'dollars',
  measureIn: ({ scores }) => costMeasure(scores.cost),
  rowsIn: ({ scores }) => scores.cost.n,
}

/** Empty if no evaluation has a value. */
function metricOf(source: MetricSource, evaluations: readonly RevisionEvaluation[]): Metric[] {
  const measures = evaluations.flatMap((evaluation) => source.measureIn(evaluation) ?? [])
  const [newest] = measures.slice(-1)
  if (!newest) return []
  const decimals = columnDecimals(
    source.unit,
    measures.map(({ value }) => value),
  )
  return [
    {
      ...source,
      higherIsBetter: newest.higherIsBetter,
      hasChanges: source.search.on !== undefined && measures.some(({ change }) => change),
      format: (value) => formatMeasure(source.unit, value, decimals),
      formatWithUnit: (value) => formatWithUnit(source.unit, value, decimals),
    },
  ]
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
    metrics.find(({ unit }) => unit === 'percent') ??
    metrics[0]
  )
}

/** The newest evaluation of a revision with a value. */
export interface Measured {
  revision: Revision
  evaluation: RevisionEvaluation
  measure: Measure
}

/** The revisions that have a value, oldest first. */
export function measuredRevisions(revisions: readonly Revision[], metric: Metric): Measured[] {
  return revisions.flatMap((revision) => {
    for (const evaluation of revision.evaluations) {
      const measure = metric.measureIn(evaluation)
      if (measure) return [{ revision, evaluation, measure }]
    }
    return []
  })
}

export function evaluationName({ id, name }: RevisionEvaluation): string {
  return name ?? id
}

/** "r4" if the baseline ran a revision of the same variant, or else its name. Undefined without a baseline. */
export function baselineName({ scores }: RevisionEvaluation, variantId: string): string | undefined {
  const { base } = scores
  if (!base) return undefined
  return base.variant_id === variantId && base.revision !== null
    ? `r${base.revision}`
    : (base.name ?? base.id)
}
