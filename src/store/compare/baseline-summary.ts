// The summary of an evaluation with statistics relative to a baseline, over their paired rows.
import type { EvaluationSummary } from '../../schema/summaries.ts'
import type { Connection } from '../dialect/dialect.ts'
import type { BoundSql } from '../query/filters.ts'
import { summarize } from '../query/summaries.ts'
import type { PairedDifferenceStatistics } from '../statistics/paired-differences.ts'
import type { Baseline } from './baseline.ts'
import { classifyOutcome } from './comparisons.ts'
import type { CandidateJoin } from './joins.ts'
import { readPairedStatistics } from './paired-statistics.ts'
import { findSharedEvaluators, isHigherBetter, readSides } from './sides.ts'

type EvaluatorSummary = EvaluationSummary['evaluators'][number]
type BaselineStatistics = NonNullable<EvaluatorSummary['base']>

/** Summarizes the rows that match a condition over `measure AS row`, or all rows, and their pairs. */
export async function summarizeWithBaseline(
  connection: Connection,
  { id, join: candidateJoin }: Baseline,
  evaluation: { key: number; id: string },
  condition?: BoundSql,
): Promise<EvaluationSummary> {
  const summary = await summarize(connection, evaluation, condition)
  const [baseline, candidate] = await readSides(connection, [candidateJoin.baseline, candidateJoin.candidate])
  if (!candidate) throw new Error('readSides must return one side per evaluation')
  const { name, variant_id, revision } = baseline.info
  const filteredJoin = filterPairs(candidateJoin, condition)
  const names = summary.evaluators.map(({ name }) => name)
  const sharedEvaluators = findSharedEvaluators(baseline, candidate, names)
  const { evaluators, cost, latency } = await readPairedStatistics(connection, filteredJoin, [
    ...sharedEvaluators.values(),
  ])
  const byEvaluator = new Map([...sharedEvaluators.keys()].map((name, index) => [name, evaluators[index]]))
  return {
    ...summary,
    base: {
      id,
      name,
      variant_id,
      revision,
      by: candidateJoin.by,
      matched: candidateJoin.matched,
      match_rate: candidateJoin.rate,
    },
    evaluators: summary.evaluators.map((evaluator) => ({
      ...evaluator,
      base: toBaselineStatistics(
        byEvaluator.get(evaluator.name),
        isHigherBetter(baseline, candidate, evaluator.name),
      ),
    })),
    cost: { ...summary.cost, base: toBaselineStatistics(cost, false) },
    latency: { ...summary.latency, base: toBaselineStatistics(latency, false) },
  }
}

/** Restricts a join to the pairs whose candidate row matches the condition. */
function filterPairs(candidateJoin: CandidateJoin, condition: BoundSql | undefined): CandidateJoin {
  if (!condition) return candidateJoin
  const { pairs, candidate } = candidateJoin
  return {
    ...candidateJoin,
    pairs: {
      statement: `SELECT base_position, position, cluster FROM (${pairs.statement}) AS pair
        WHERE position IN (SELECT row.position FROM measure AS row WHERE row.evaluation = ? AND ${condition.sql})`,
      values: [...pairs.values, candidate.key, ...condition.values],
    },
  }
}

/** `statistics` is undefined if the baseline lacks the evaluator. */
function toBaselineStatistics(
  statistics: PairedDifferenceStatistics | undefined,
  higherIsBetter: boolean,
): BaselineStatistics {
  if (!statistics || statistics.n === 0) {
    return { n: 0, mean: null, delta: null, interval: null, outcome: null, regressed: 0, improved: 0 }
  }
  const { n, base_mean, delta, interval, side, higher, lower } = statistics
  const [improved, regressed] = higherIsBetter ? [higher, lower] : [lower, higher]
  return {
    n,
    mean: base_mean,
    delta,
    interval,
    outcome: classifyOutcome(side, higherIsBetter),
    regressed,
    improved,
  }
}
