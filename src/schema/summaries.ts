// The JSON schema of evaluation summaries.
import type { Static } from 'typebox'
import { nullable, strictObject, Type } from './schema-builders.ts'

const countSchema = (description: string) => Type.Integer({ minimum: 0, description })
const statisticSchema = (description: string) => nullable(Type.Number({ description }))

const distribution = {
  mean: statisticSchema('Mean. Null without values.'),
  minimum: statisticSchema('The smallest value.'),
  maximum: statisticSchema('The largest value.'),
  quantiles: strictObject({
    p05: statisticSchema('5th percentile.'),
    p25: statisticSchema('25th percentile.'),
    p50: statisticSchema('Median.'),
    p75: statisticSchema('75th percentile.'),
    p95: statisticSchema('95th percentile.'),
  }),
  bins: Type.Array(
    strictObject({
      from: Type.Number({ description: 'Lower bound, inclusive.' }),
      to: Type.Number({
        description: 'Upper bound, exclusive. The upper bound of the last bin is inclusive.',
      }),
      count: countSchema('Number of values in the bin.'),
    }),
    {
      description:
        'Histogram with 20 bins of equal width from minimum to maximum. One bin if both are equal, none without values.',
    },
  ),
}

const baselineStatistics = {
  base: Type.Optional(
    strictObject({
      n: countSchema(
        'Number of pairs with a value in both evaluations. All statistics here refer to these pairs.',
      ),
      mean: statisticSchema('Mean of the baseline over these pairs.'),
      delta: statisticSchema('Mean difference: this evaluation minus the baseline.'),
      interval: nullable(
        Type.Array(Type.Number(), {
          minItems: 2,
          maxItems: 2,
          description: '95 % confidence interval of `delta`: delta ± 1.96 standard errors.',
        }),
      ),
      outcome: nullable(
        Type.Enum(['better', 'worse', 'tied'], {
          type: 'string',
          description: '`tied` if the confidence interval contains 0 or is unknown.',
        }),
      ),
      regressed: countSchema('Number of pairs that are worse than in the baseline.'),
      improved: countSchema('Number of pairs that are better than in the baseline.'),
    }),
  ),
}

const Measurements = strictObject({
  n: countSchema('Number of scenarios with a value.'),
  missing: countSchema('Number of scenarios without a value.'),
  total: statisticSchema('Sum of all values.'),
  ...distribution,
  ...baselineStatistics,
})

const EvaluatorSummary = strictObject({
  name: Type.String({ description: 'The evaluator name, as in `results[].evaluator_config`.' }),
  higher_is_better: Type.Boolean({ description: 'As declared by the evaluation. Default true.' }),
  threshold: nullable(Type.Number({ description: 'As declared by the evaluation.' })),
  n: countSchema('Number of scenarios with a score: a number, or true as 1 and false as 0.'),
  texts: countSchema('Number of scenarios with a text result, which is not a score.'),
  errors: countSchema('Number of scenarios where the evaluator failed.'),
  output_errors: countSchema('Number of scenarios without a score because the application failed.'),
  unscored: countSchema('Number of all other scenarios.'),
  passed: nullable(countSchema('Number of scores that are true or reach the threshold.')),
  failed: nullable(countSchema('Number of scores that are false or do not reach the threshold.')),
  pass_rate: statisticSchema('`passed` divided by `passed` plus `failed`. Null without verdicts.'),
  ...distribution,
  ...baselineStatistics,
})

export const EvaluationSummary = strictObject({
  id: Type.String({ description: 'The id of the evaluation.' }),
  scenario_count: countSchema('Number of all scenarios of the evaluation.'),
  matched: countSchema('Number of scenarios that match the filters. All other values refer to these.'),
  output_errors: countSchema('Number of scenarios where the application failed.'),
  pinned: countSchema('Number of pinned scenarios.'),
  noted: countSchema('Number of scenarios with a note.'),
  columns: strictObject({
    inputs: Type.Array(Type.String()),
    expected: Type.Array(Type.String()),
    evaluators: Type.Array(Type.String()),
  }),
  evaluators: Type.Array(EvaluatorSummary),
  cost: Measurements,
  latency: Measurements,
  error_groups: Type.Array(
    strictObject({
      group: Type.String({ description: 'The error message without numbers, names and keys.' }),
      evaluator: nullable(
        Type.String({ description: 'The evaluator that failed. Null if the application failed.' }),
      ),
      count: countSchema('Number of scenarios with this error.'),
      first: Type.String({ description: 'The id of the first such scenario.' }),
    }),
    { description: 'At most 50 groups, the most frequent first.' },
  ),
  error_group_count: countSchema('Number of all error groups.'),
  base: Type.Optional(
    strictObject({
      id: Type.String({ description: 'The id of the baseline evaluation.' }),
      name: nullable(Type.String()),
      variant_id: nullable(Type.String({ description: 'The variant of the baseline.' })),
      revision: nullable(Type.Integer({ minimum: 0 })),
      by: Type.String({ description: 'The join key: `id`, `input` or `position`.' }),
      matched: countSchema('Number of matched rows.'),
      match_rate: Type.Number({ description: 'Matched rows as a fraction of the smaller evaluation.' }),
    }),
  ),
})
export type EvaluationSummary = Static<typeof EvaluationSummary>
