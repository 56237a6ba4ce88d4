// What revisions are measured by: the score of an evaluator, latency or cost, each with its direction and its unit.
import { dollars, percent, points, score, seconds } from '../format/numbers.ts'
import type { RanIt, Revision } from './questions.ts'

export interface Measure {
  /** What it is in the address. */
  search: { on: string; figure?: undefined } | { figure: 'latency' | 'cost'; on?: undefined }
  /** "answer_correct" */
  name: string
  /** "pass rate", where the name alone does not say what the figure is. */
  kind: string
  higherIsBetter: boolean
  isShare: boolean
  format: (value: number) => string
  /** Of a difference, without its sign. */
  formatDifference: (value: number) => string
  /** The figure of one evaluation; undefined where it has none. */
  of: (evaluation: RanIt) => number | undefined
  /** How many rows the figure is of. */
  rowsOf: (evaluation: RanIt) => number
}

type Score = RanIt['scores']['evaluators'][number]

/** Every measure that at least one evaluation has a figure of: evaluators first, in order of appearance. */
export function measuresOf(revisions: readonly Revision[]): Measure[] {
  const evaluations = revisions.flatMap((revision) => revision.evaluations)
  const scores = Map.groupBy(
    evaluations.flatMap(({ scores }) => scores.evaluators.filter(({ mean }) => mean !== null)),
    ({ name }) => name,
  )
  const measures = [...[...scores].map(([name, found]) => scoreMeasure(name, found)), LATENCY, COST]
  return measures.filter((measure) => evaluations.some((one) => measure.of(one) !== undefined))
}

/** The one that the address names; else the first with a pass rate, else the first. */
export function chosenMeasure(
  measures: readonly Measure[],
  { on, figure }: { on?: string | undefined; figure?: string | undefined },
): Measure | undefined {
  return (
    measures.find(({ search }) =>
      figure === undefined ? on !== undefined && search.on === on : search.figure === figure,
    ) ??
    measures.find(({ isShare }) => isShare) ??
    measures[0]
  )
}

function scoreMeasure(name: string, scores: readonly Score[]): Measure {
  const higherIsBetter = scores.at(-1)?.higher_is_better ?? true
  // Figures on one axis are of one kind. Where lower scores are better it is the mean, whose direction is never in doubt.
  const isShare = higherIsBetter && scores.every(({ pass_rate }) => pass_rate !== null)
  const scoreOf = ({ scores }: RanIt) => scores.evaluators.find((one) => one.name === name)
  return {
    search: { on: name },
    name,
    kind: isShare ? 'pass rate' : 'mean',
    higherIsBetter,
    isShare,
    format: isShare ? percent : score,
    formatDifference: isShare ? points : score,
    of: (evaluation) => {
      const found = scoreOf(evaluation)
      return (isShare ? found?.pass_rate : found?.mean) ?? undefined
    },
    rowsOf: (evaluation) => scoreOf(evaluation)?.n ?? 0,
  }
}

const LATENCY: Measure = {
  search: { figure: 'latency' },
  name: 'latency',
  kind: 'p50',
  higherIsBetter: false,
  isShare: false,
  format: seconds,
  formatDifference: seconds,
  of: ({ scores }) => scores.latency.p50 ?? undefined,
  rowsOf: ({ scores }) => scores.latency.n,
}

/** By the row, since more rows cost more. */
const COST: Measure = {
  search: { figure: 'cost' },
  name: 'cost',
  kind: 'per row',
  higherIsBetter: false,
  isShare: false,
  format: dollars,
  formatDifference: dollars,
  of: ({ scores }) => scores.cost.mean ?? undefined,
  rowsOf: ({ scores }) => scores.cost.n,
}

export interface Base {
  revision: number
  value: number
}

/** For each revision what it is compared with: the newest evaluation of the nearest revision before it that has a figure. */
export function basesOf(revisions: readonly Revision[], measure: Measure): Map<number, Base> {
  const bases = new Map<number, Base>()
  let last: Base | undefined
  for (const { revision, evaluations } of revisions) {
    if (last) bases.set(revision, last)
    const value = evaluations.map(measure.of).find((one) => one !== undefined)
    if (value !== undefined) last = { revision, value }
  }
  return bases
}
