// What is to be known of an evaluation beside another one, its base: the summary, and how far its figures are from those
// of the base over the rows they have in common.
import type { EvaluationSummary } from '../schema/summaries.ts'
import type { Base } from './bases.ts'
import { isHigherBetter, placeOf, readSides } from './compared-sides.ts'
import { outcomeOf } from './comparisons.ts'
import type { Connection } from './dialect/dialect.ts'
import type { PairedFigures } from './differences.ts'
import type { Fragment } from './filters.ts'
import type { Joined } from './joins.ts'
import { findPairedFigures } from './paired-figures.ts'
import { summarise } from './summaries.ts'

type EvaluatorSummary = EvaluationSummary['evaluators'][number]
type Against = NonNullable<EvaluatorSummary['base']>

/** Of the rows that a condition over `measure AS row` leaves, and of their partners. */
export async function summariseAgainst(
  connection: Connection,
  { id, by, joined }: Base,
  evaluation: { key: number; id: string },
  condition?: Fragment,
): Promise<EvaluationSummary> {
  const summary = await summarise(connection, evaluation, condition)
  const [before, behind] = await readSides(connection, [joined.base, joined.candidate])
  if (!behind) throw new Error('Two evaluations have two sides')
  const pairs = selected(joined, condition)
  const places = summary.evaluators.map(({ name }) => placeOf(before, behind, name))
  const shared = places.filter((place) => place !== undefined)
  const { evaluators, cost, latency } = await findPairedFigures(connection, pairs, shared)
  return {
    ...summary,
    base: { id, by, matched: joined.matched, match_rate: joined.rate },
    evaluators: summary.evaluators.map((evaluator, index) => {
      const found = places[index] === undefined ? undefined : evaluators.shift()
      return { ...evaluator, base: against(found, isHigherBetter(before, behind, evaluator.name)) }
    }),
    cost: { ...summary.cost, base: against(cost, false) },
    latency: { ...summary.latency, base: against(latency, false) },
  }
}

/** Those pairs whose row in the evaluation is selected. */
function selected(joined: Joined, condition: Fragment | undefined): Joined {
  if (!condition) return joined
  const { pairs, candidate } = joined
  return {
    ...joined,
    pairs: {
      statement: `SELECT base_position, position, cluster FROM (${pairs.statement}) AS every
        WHERE position IN (SELECT row.position FROM measure AS row WHERE row.evaluation = ? AND ${condition.sql})`,
      values: [...pairs.values, candidate.key, ...condition.values],
    },
  }
}

/** Nothing can be compared where the base does not have the evaluator. */
function against(figures: PairedFigures | undefined, isHigher: boolean): Against {
  if (!figures || figures.n === 0) {
    return { n: 0, mean: null, delta: null, interval: null, outcome: null, regressed: 0, improved: 0 }
  }
  const { n, base_mean, delta, interval, side, higher, lower } = figures
  const [improved, regressed] = isHigher ? [higher, lower] : [lower, higher]
  return { n, mean: base_mean, delta, interval, outcome: outcomeOf(side, isHigher), regressed, improved }
}
