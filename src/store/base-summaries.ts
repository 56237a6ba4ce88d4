// What is to be known of an evaluation beside another one, its base: the summary, and how far its figures are from those
// of the base over the rows they have in common.
import type { EvaluationSummary } from '../schema/summaries.ts'
import type { Base } from './bases.ts'
import { isHigherBetter, readSides, sharedEvaluators } from './compared-sides.ts'
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
  { id, joined }: Base,
  evaluation: { key: number; id: string },
  condition?: Fragment,
): Promise<EvaluationSummary> {
  const summary = await summarise(connection, evaluation, condition)
  const [before, behind] = await readSides(connection, [joined.base, joined.candidate])
  if (!behind) throw new Error('Two evaluations have two sides')
  const { name, variant_id, revision } = before.about
  const pairs = selected(joined, condition)
  const names = summary.evaluators.map(({ name }) => name)
  const shared = sharedEvaluators(before, behind, names)
  const { evaluators, cost, latency } = await findPairedFigures(connection, pairs, [...shared.values()])
  const figures = new Map([...shared.keys()].map((name, place) => [name, evaluators[place]]))
  return {
    ...summary,
    base: { id, name, variant_id, revision, by: joined.by, matched: joined.matched, match_rate: joined.rate },
    evaluators: summary.evaluators.map((evaluator) => ({
      ...evaluator,
      base: against(figures.get(evaluator.name), isHigherBetter(before, behind, evaluator.name)),
    })),
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
