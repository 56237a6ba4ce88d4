// The figures of a comparison as rows: an evaluator each, then latency and cost; and how their numbers are written.
import type { Comparison } from 'assay-client'
import { dollars, percent, points, score, seconds } from '../format/numbers.ts'
import { type ComparedEvaluator, type Measured, rankOf } from './outcomes.ts'

export interface FigureRow {
  name: string
  /** What kind of number it is. */
  kind: string
  /** Undefined for latency and cost, of which rows have no classes. */
  evaluator: string | undefined
  higherIsBetter: boolean
  /** One for each candidate, in their order. */
  cells: (Measured & Partial<Pick<ComparedEvaluator, 'classes' | 'p_value'>>)[]
  format: (value: number) => string
  /** Of a difference, whatever its sign; `base` is the mean that it is a difference from. */
  formatDelta: (value: number, base: number | null) => string
  /** Instead of better and worse. */
  words?: { better: string; worse: string }
}

export function figureRows({ candidates }: Comparison): FigureRow[] {
  const evaluators = candidates[0]?.evaluators ?? []
  return [
    ...evaluators.map(({ name }) => evaluatorRow(name, candidates)),
    {
      ...lowerIsBetter(seconds),
      name: 'latency',
      kind: 'mean',
      cells: candidates.map(({ latency }) => latency),
      words: { better: 'faster', worse: 'slower' },
    },
    {
      ...lowerIsBetter(dollars),
      name: 'cost',
      kind: 'mean of a row',
      cells: candidates.map(({ cost }) => cost),
      words: { better: 'cheaper', worse: 'costlier' },
    },
  ]
}

function evaluatorRow(name: string, candidates: Comparison['candidates']): FigureRow {
  const cells = candidates.flatMap(({ evaluators }) => evaluators.filter((one) => one.name === name))
  const [first] = cells
  // Only verdicts have it.
  const isShare = cells.some(({ p_value }) => p_value !== null)
  const higherIsBetter = first?.higher_is_better ?? true
  return {
    name,
    kind: `${isShare ? 'pass rate' : 'mean'}, ${higherIsBetter ? 'higher' : 'lower'} is better`,
    evaluator: name,
    higherIsBetter,
    cells,
    format: isShare ? percent : score,
    formatDelta: isShare ? points : (value) => score(Math.abs(value)),
  }
}

/** Differences of time and money are parts of what they were. */
function lowerIsBetter(format: FigureRow['format']) {
  return {
    evaluator: undefined,
    higherIsBetter: false,
    format,
    formatDelta: (value: number, base: number | null) =>
      base ? percent(Math.abs(value / base)) : format(Math.abs(value)),
  }
}

/** "−31.5 to +2.1 pp"; of two ends that look the same, one. */
export function intervalWords({ interval, base_mean }: Measured, { formatDelta }: FigureRow): string {
  const [low, high] = interval ?? []
  if (low === undefined || high === undefined) return ''
  const signed = (value: number) =>
    `${value === 0 ? '' : value < 0 ? '−' : '+'}${formatDelta(value, base_mean)}`
  return rangeWords(signed(low), signed(high), ' to ')
}

/** With the unit once. */
export function rangeWords(from: string, to: string, between: string): string {
  if (from === to) return to
  const unit = / \S+$/.exec(to)?.[0] ?? ''
  return (unit !== '' && from.endsWith(unit) ? from.slice(0, -unit.length) : from) + between + to
}

/** Where there is no room for all, those that say most: the one that classes are about, then what got worse. */
export function tellingRows(rows: FigureRow[], on: string | undefined, most: number): FigureRow[] {
  const rank = ({ evaluator, cells }: FigureRow) =>
    evaluator === on ? -1 : Math.min(...cells.map(rankOf), Number.POSITIVE_INFINITY)
  const kept = rows
    .filter(({ evaluator }) => evaluator !== undefined)
    .toSorted((one, other) => rank(one) - rank(other))
    .slice(0, most)
  return rows.filter((row) => row.evaluator === undefined || kept.includes(row))
}
