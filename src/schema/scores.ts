// The JSON schema of aggregated scores.
import type { Static } from 'typebox'
import { nullable, strictObject, Type } from './schema-builders.ts'

const count = (description: string) => Type.Integer({ minimum: 0, description })
const statistic = (description: string) => nullable(Type.Number({ description }))

export const EvaluatorScores = strictObject({
  name: Type.String(),
  higher_is_better: Type.Boolean(),
  n: count('Number of results with a score. A verdict counts as 1 or 0.'),
  errors: count('Number of results where the evaluator failed.'),
  mean: statistic('Mean score. Null without scores.'),
  pass_rate: statistic(
    'Fraction of passed verdicts. If the evaluator has a threshold, scores count as verdicts. Null without verdicts.',
  ),
})
export type EvaluatorScores = Static<typeof EvaluatorScores>

export const Scores = strictObject({
  output_errors: count('Number of scenarios where the application failed.'),
  cost: strictObject({
    n: count('Number of scenarios with a cost.'),
    total: statistic('Total cost in US dollars.'),
    mean: statistic('Mean cost per scenario in US dollars.'),
  }),
  latency: strictObject({
    n: count('Number of scenarios with a latency.'),
    mean: statistic('Mean latency in seconds.'),
    p50: statistic('Median latency in seconds.'),
  }),
  evaluators: Type.Array(EvaluatorScores, { description: 'In the order of their first occurrence.' }),
})
export type Scores = Static<typeof Scores>

/** An evaluation in the response to `include=evaluations`. */
export const EvaluationOfRevision = strictObject({
  id: Type.String(),
  name: nullable(Type.String()),
  created_at: Type.String({ format: 'date-time', description: 'UTC, with milliseconds.' }),
  scenario_count: Type.Integer({ minimum: 0 }),
  scores: Scores,
})
