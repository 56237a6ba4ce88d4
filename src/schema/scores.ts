// The scores of an evaluation in a few figures, on the wire.
import type { Static } from 'typebox'
import { closed, nullable } from './shapes.ts'
import { Type } from './type.ts'

const count = (description: string) => Type.Integer({ minimum: 0, description })
const figure = (description: string) => nullable(Type.Number({ description }))

export const EvaluatorScores = closed({
  name: Type.String(),
  higher_is_better: Type.Boolean(),
  n: count('Results with a number; a verdict counts as 1 or 0.'),
  errors: count('Results where the evaluator failed.'),
  mean: figure('Of the numbers; null without one.'),
  pass_rate: figure(
    'The share that passed of all verdicts, true or false, and of all numbers where the evaluator has a threshold; null without one.',
  ),
})
export type EvaluatorScores = Static<typeof EvaluatorScores>

export const Scores = closed({
  output_errors: count('Scenarios where the application failed.'),
  cost: closed({
    n: count('Scenarios with a cost.'),
    total: figure('US dollars.'),
    mean: figure('US dollars a scenario.'),
  }),
  latency: closed({
    n: count('Scenarios with a latency.'),
    mean: figure('Seconds.'),
    p50: figure('Seconds; half of the scenarios took less.'),
  }),
  evaluators: Type.Array(EvaluatorScores, { description: 'In the order in which they first appear.' }),
})
export type Scores = Static<typeof Scores>

/** What `include=evaluations` gives of an evaluation. */
export const EvaluationOfRevision = closed({
  id: Type.String(),
  name: nullable(Type.String()),
  created_at: Type.String({ format: 'date-time', description: 'UTC, with milliseconds.' }),
  scenario_count: Type.Integer({ minimum: 0 }),
  scores: Scores,
})
