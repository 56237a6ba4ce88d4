// What rows can be grouped by, as in the API: `input.topic`, `result.tone`, `error`. And the one that explains a change best.
import type { Breakdown } from 'assay-client'
import { splitAtDot } from '../../../src/schema/filters/fields.ts'
import { MIN_ROWS } from '../results/verdict-sentence.ts'
import { groupsOf, metricOf } from './groups.ts'

export interface DimensionNames {
  inputs: readonly string[]
  evaluators: readonly string[]
}

/** Inputs come first: they do not depend on the application. The result of an evaluator does not explain itself. */
export function dimensionsOf(
  { inputs, evaluators }: DimensionNames,
  evaluator: string | undefined,
): string[] {
  const others = evaluators.filter((name) => name !== evaluator)
  return [...inputs.map((name) => `input.${name}`), ...others.map((name) => `result.${name}`), 'error']
}

/** "topic", "tone", "error". */
export function dimensionName(dimension: string): string {
  const [kind, name = kind] = splitAtDot(dimension)
  return name
}

const MIN_GROUPS = 2
const MAX_GROUPS = 50

/** Whether the rows have few groups, but more than one. Most groups of a single row are the rows themselves. */
export function hasFewGroups({ group_count, total }: Breakdown): boolean {
  return group_count >= MIN_GROUPS && group_count <= Math.min(MAX_GROUPS, total.rows / 2)
}

/** The least share of a change that a group must have to explain it. */
const EXPLAINING_SHARE = 0.4
/** A group with most of the rows has most of a change that affects all rows alike. */
const MIN_CONCENTRATION = 1.5

interface Explanation {
  dimension: string
  doesExplain: boolean
  /** How much larger the share of a group is than its part of the rows. Without a baseline, how much its score differs. */
  excess: number
}

/** The dimension with the group that explains the most. `doesExplain` is whether that is certain and enough. */
export function bestExplanation(
  breakdowns: readonly Breakdown[],
  evaluator: string | undefined,
): Explanation | undefined {
  return breakdowns
    .filter(hasFewGroups)
    .map((breakdown) => explain(breakdown, evaluator))
    .toSorted((a, b) => Number(b.doesExplain) - Number(a.doesExplain) || b.excess - a.excess)[0]
}

function explain(breakdown: Breakdown, evaluator: string | undefined): Explanation {
  const metric = metricOf(breakdown, evaluator)
  const explanation = { dimension: breakdown.by, doesExplain: false, excess: 0 }
  if (!metric) return explanation
  const { change: total, mean: totalMean, rows: totalRows } = metric.total
  for (const { change, share, mean, rows } of groupsOf(breakdown, metric)) {
    if (!total && mean !== null && totalMean !== null && rows >= MIN_ROWS) {
      const difference = metric.toPoints(Math.abs(mean - totalMean)) / 100
      explanation.excess = Math.max(explanation.excess, (difference * rows) / totalRows)
    }
    if (!total || !change || share === undefined) continue
    const { n, outcome } = total
    const partOfRows = change.n / n
    const isConcentrated = share >= EXPLAINING_SHARE && share >= MIN_CONCENTRATION * partOfRows
    if (isConcentrated && change.outcome === outcome) explanation.doesExplain = true
    explanation.excess = Math.max(explanation.excess, share - partOfRows)
  }
  return explanation
}
