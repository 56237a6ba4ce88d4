// The JSON schema of aggregated scores.
import type { Static } from 'typebox'
import { nullable, strictObject, Type } from './schema-builders.ts'

const countSchema = (description: string) => Type.Integer({ minimum: 0, description })
const statisticSchema = (description: string) => nullable(Type.Number({ description }))

export const EvaluatorScores = strictObject({
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

export const Scores = strictObject({
  output_errors: countSchema('Number of scenarios where the application failed.'),
  cost: strictObject({
    n: countSchema('Number of scenarios with a cost.'),
    total: statisticSchema('Total cost in US dollars.'),
    mean: statisticSchema('Mean cost per scenario in US dollars.'),
  }),
  latency: strictObject({
    n: countSchema('Number of scenarios with a latency.'),
    mean: statisticSchema('Mean latency in seconds.'),
    p50: statisticSchema('Median latency in seconds.'),
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
