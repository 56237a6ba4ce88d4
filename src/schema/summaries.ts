// The JSON schema of evaluation summaries.
import type { Static } from 'typebox'
import { nullable, strictObject, Type } from './schema-builders.ts'

const count = (description: string) => Type.Integer({ minimum: 0, description })
const statistic = (description: string) => nullable(Type.Number({ description }))

const distribution = {
  mean: statistic('Mean. Null without values.'),
  minimum: statistic('The smallest value.'),
  maximum: statistic('The largest value.'),
  quantiles: strictObject({
    p05: statistic('5th percentile.'),
    p25: statistic('25th percentile.'),
    p50: statistic('Median.'),
    p75: statistic('75th percentile.'),
    p95: statistic('95th percentile.'),
  }),
  bins: Type.Array(
    strictObject({
      from: Type.Number({ description: 'Lower bound, inclusive.' }),
      to: Type.Number({
        description: 'Upper bound, exclusive. The upper bound of the last bin is inclusive.',
      }),
      count: count('Number of values in the bin.'),
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
      n: count('Number of pairs with a value in both evaluations. All statistics here refer to these pairs.'),
      mean: statistic('Mean of the baseline over these pairs.'),
      delta: statistic('Mean difference: this evaluation minus the baseline.'),
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
      regressed: count('Number of pairs that are worse than in the baseline.'),
      improved: count('Number of pairs that are better than in the baseline.'),
    }),
  ),
}

const Measurements = strictObject({
  n: count('Number of scenarios with a value.'),
  missing: count('Number of scenarios without a value.'),
  total: statistic('Sum of all values.'),
  ...distribution,
  ...baselineStatistics,
})

const EvaluatorSummary = strictObject({
  name: Type.String({ description: 'The evaluator name, as in `results[].evaluator_config`.' }),
  higher_is_better: Type.Boolean({ description: 'As declared by the evaluation. Default true.' }),
  threshold: nullable(Type.Number({ description: 'As declared by the evaluation.' })),
  n: count('Number of scenarios with a score: a number, or true as 1 and false as 0.'),
  texts: count('Number of scenarios with a text result, which is not a score.'),
  errors: count('Number of scenarios where the evaluator failed.'),
  output_errors: count('Number of scenarios without a score because the application failed.'),
  unscored: count('Number of all other scenarios.'),
  passed: nullable(count('Number of scores that are true or reach the threshold.')),
  failed: nullable(count('Number of scores that are false or do not reach the threshold.')),
  pass_rate: statistic('`passed` divided by `passed` plus `failed`. Null without verdicts.'),
  ...distribution,
  ...baselineStatistics,
})

export const EvaluationSummary = strictObject({
  id: Type.String({ description: 'The id of the evaluation.' }),
  scenario_count: count('Number of all scenarios of the evaluation.'),
  matched: count('Number of scenarios that match the filters. All other values refer to these.'),
  output_errors: count('Number of scenarios where the application failed.'),
  pinned: count('Number of pinned scenarios.'),
  noted: count('Number of scenarios with a note.'),
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
      count: count('Number of scenarios with this error.'),
      first: Type.String({ description: 'The id of the first such scenario.' }),
    }),
    { description: 'At most 50 groups, the most frequent first.' },
  ),
  error_group_count: count('Number of all error groups.'),
  base: Type.Optional(
    strictObject({
      id: Type.String({ description: 'The id of the baseline evaluation.' }),
      name: nullable(Type.String()),
      variant_id: nullable(Type.String({ description: 'The variant of the baseline.' })),
      revision: nullable(Type.Integer({ minimum: 0 })),
      by: Type.String({ description: 'The join key: `id`, `input` or `position`.' }),
      matched: count('Number of matched rows.'),
      match_rate: Type.Number({ description: 'Matched rows as a fraction of the smaller evaluation.' }),
    }),
  ),
})
export type EvaluationSummary = Static<typeof EvaluationSummary>
