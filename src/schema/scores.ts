// The JSON schema of aggregated scores.
import type { Static } from 'typebox'
import { countSchema, namedObject, nullable, statisticSchema, Type, timeSchema } from './schema-builders.ts'
import { BaselineStatistics, SummaryBaseline } from './summaries.ts'

/** Larger evaluations and baselines are not compared in lists: lists must stay fast. */
export const MAX_LIST_COMPARISON_ROWS = 20_000

/** Describes the value `base` of the query parameter `include`. */
export const INCLUDE_BASE = `\`base\`: the scores with their changes from the baseline in \`baseline_id\`, over the matched rows, if both have at most ${MAX_LIST_COMPARISON_ROWS.toLocaleString('en')} rows together.`

const base = Type.Optional(BaselineStatistics)

const EvaluatorScores = namedObject('EvaluatorScores', {
  name: Type.String(),
  higher_is_better: Type.Boolean(),
  n: countSchema('Number of results with a score. A verdict counts as 1 or 0.'),
  errors: countSchema('Number of results where the evaluator failed.'),
  mean: statisticSchema('Mean score. Null without scores.'),
  pass_rate: statisticSchema(
    'Fraction of passed verdicts. If the evaluator has a threshold, scores count as verdicts. Null without verdicts.',
  ),
  base,
  largest_regression: Type.Optional(
    nullable(
      Type.String({
        description:
          'With `base`: the id of the scenario with the largest change for the worse. Null if none is worse.',
      }),
    ),
  ),
})
export type EvaluatorScores = Static<typeof EvaluatorScores>

export const Scores = namedObject('Scores', {
  output_errors: countSchema('Number of scenarios where the application failed.'),
  cost: namedObject('CostScores', {
    n: countSchema('Number of scenarios with a cost.'),
    total: statisticSchema('Total cost in US dollars.'),
    mean: statisticSchema('Mean cost per scenario in US dollars.'),
    base,
  }),
  latency: namedObject('LatencyScores', {
    n: countSchema('Number of scenarios with a latency.'),
    mean: statisticSchema('Mean latency in seconds.'),
    p50: statisticSchema('Median latency in seconds. Approximate with more than 1,000 latencies.'),
    base,
  }),
  evaluators: Type.Array(EvaluatorScores, { description: 'In the order of their first occurrence.' }),
  base: Type.Optional(SummaryBaseline),
})
export type Scores = Static<typeof Scores>

/** An evaluation in the response to `include=evaluations`. */
export const EvaluationOfRevision = namedObject('EvaluationOfRevision', {
  id: Type.String(),
  name: nullable(Type.String()),
  created_at: timeSchema('UTC, with milliseconds.'),
  scenario_count: countSchema('Number of scenarios.'),
  scores: Scores,
})
