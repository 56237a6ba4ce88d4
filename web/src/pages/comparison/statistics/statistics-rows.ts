// Rows of the statistics table: one per evaluator, then latency and cost; and the format of their numbers.
import type { Comparison } from 'assay-client'
import {
  formatDollars,
  formatPercent,
  formatPoints,
  formatScore,
  formatSeconds,
} from '../../../format/numbers.ts'
import { type ComparedEvaluator, type MetricComparison, rankOf } from './outcomes.ts'

export interface StatisticsRow {
  name: string
  /** "pass rate, higher is better" */
  kind: string
  /** Undefined for latency and cost, which have no row classes. */
  evaluator: string | undefined
  /** One per candidate, in order. */
  cells: (MetricComparison & Partial<Pick<ComparedEvaluator, 'classes' | 'p_value'>>)[]
  format: (value: number) => string
  /** Formats a difference without its sign. `baselineMean` is the mean that it is relative to. */
  formatDelta: (value: number, baselineMean: number | null) => string
  /** Replace "better" and "worse". */
  outcomeLabels?: { better: string; worse: string }
}

export function statisticsRows({ candidates }: Comparison): StatisticsRow[] {
  const evaluators = candidates[0]?.evaluators ?? []
  return [
    ...evaluators.map(({ name }) => evaluatorRow(name, candidates)),
    {
      ...relativeFormats(formatSeconds),
      name: 'latency',
      kind: 'mean',
      cells: candidates.map(({ latency }) => latency),
      outcomeLabels: { better: 'faster', worse: 'slower' },
    },
    {
      ...relativeFormats(formatDollars),
      name: 'cost',
      kind: 'mean per row',
      cells: candidates.map(({ cost }) => cost),
      outcomeLabels: { better: 'cheaper', worse: 'more expensive' },
    },
  ]
}

function evaluatorRow(name: string, candidates: Comparison['candidates']): StatisticsRow {
  const cells = candidates.flatMap(({ evaluators }) =>
    evaluators.filter((evaluator) => evaluator.name === name),
  )
  const [firstCell] = cells
  // Only verdicts have a p-value.
  const isPassRate = cells.some(({ p_value }) => p_value !== null)
  const higherIsBetter = firstCell?.higher_is_better ?? true
  return {
    name,
    kind: `${isPassRate ? 'pass rate' : 'mean'}, ${higherIsBetter ? 'higher' : 'lower'} is better`,
    evaluator: name,
    cells,
    format: isPassRate ? formatPercent : formatScore,
    formatDelta: isPassRate ? formatPoints : (value) => formatScore(Math.abs(value)),
  }
}

/** Differences of latency and cost are formatted as percentages of the baseline. */
function relativeFormats(format: StatisticsRow['format']) {
  return {
    evaluator: undefined,
    format,
    formatDelta: (value: number, baselineMean: number | null) =>
      baselineMean ? formatPercent(Math.abs(value / baselineMean)) : format(Math.abs(value)),
  }
}

/** "−31.5 to +2.1 pp"; a single value if both ends are formatted the same. */
export function formatInterval(
  { interval, base_mean }: MetricComparison,
  { formatDelta }: StatisticsRow,
): string {
  const [low, high] = interval ?? []
  if (low === undefined || high === undefined) return ''
  const formatSigned = (value: number) =>
    `${value === 0 ? '' : value < 0 ? '−' : '+'}${formatDelta(value, base_mean)}`
  return formatRange(formatSigned(low), formatSigned(high), ' to ')
}

/** Writes the unit only once. */
export function formatRange(from: string, to: string, between: string): string {
  if (from === to) return to
  const unit = / \S+$/.exec(to)?.[0] ?? ''
  return (unit !== '' && from.endsWith(unit) ? from.slice(0, -unit.length) : from) + between + to
}

/** The selected evaluator first, then those that got worse. Latency and cost are always included. */
export function mostRelevantRows(
  rows: StatisticsRow[],
  selectedEvaluator: string | undefined,
  maxEvaluators: number,
): StatisticsRow[] {
  const rank = ({ evaluator, cells }: StatisticsRow) =>
    evaluator === selectedEvaluator ? -1 : Math.min(...cells.map(rankOf), Number.POSITIVE_INFINITY)
  const relevantRows = rows
    .filter(({ evaluator }) => evaluator !== undefined)
    .toSorted((a, b) => rank(a) - rank(b))
    .slice(0, maxEvaluators)
  return rows.filter((row) => row.evaluator === undefined || relevantRows.includes(row))
}
