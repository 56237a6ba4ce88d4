// The JSON schema of aggregated scores.
import type { Static } from 'typebox'
import { countSchema, namedObject, nullable, statisticSchema, Type, timeSchema } from './schema-builders.ts'

const EvaluatorScores = namedObject('EvaluatorScores', {
  name: Type.String(),
  higher_is_better: Type.Boolean(),
  n: countSchema('Number of results with a score. A verdict counts as 1 or 0.'),
  errors: countSchema('Number of results where the evaluator failed.'),
  mean: statisticSchema('Mean score. Null without scores.'),
  pass_rate: statisticSchema(
    'Fraction of passed verdicts. If the evaluator has a threshold, scores count as verdicts. Null without verdicts.',
  ),
})
export type EvaluatorScores = Static<typeof EvaluatorScores>

export const Scores = namedObject('Scores', {
  output_errors: countSchema('Number of scenarios where the application failed.'),
  cost: namedObject('CostScores', {
    n: countSchema('Number of scenarios with a cost.'),
    total: statisticSchema('Total cost in US dollars.'),
    mean: statisticSchema('Mean cost per scenario in US dollars.'),
  }),
  latency: namedObject('LatencyScores', {
    n: countSchema('Number of scenarios with a latency.'),
    mean: statisticSchema('Mean latency in seconds.'),
    p50: statisticSchema('Median latency in seconds. Approximate with more than 1,000 latencies.'),
  }),
  evaluators: Type.Array(EvaluatorScores, { description: 'In the order of their first occurrence.' }),
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
