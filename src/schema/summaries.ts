// The JSON schema of evaluation summaries.
import type { Static } from 'typebox'
import { difference } from './comparisons.ts'
import { revisionSchema } from './rules.ts'
import { countSchema, namedObject, nullable, statisticSchema, Type } from './schema-builders.ts'

export const BaselineStatistics = namedObject('BaselineStatistics', {
  n: countSchema(
    'Number of pairs with a value in both evaluations. All statistics here refer to these pairs.',
  ),
  mean: statisticSchema('Mean of the baseline over these pairs.'),
  ...difference,
  regressed: countSchema('Number of pairs that are worse than in the baseline.'),
  improved: countSchema('Number of pairs that are better than in the baseline.'),
})
export type BaselineStatistics = Static<typeof BaselineStatistics>

const statistics = {
  mean: statisticSchema('Mean. Null without values.'),
  minimum: statisticSchema('The smallest value.'),
  maximum: statisticSchema('The largest value.'),
  quantiles: namedObject('Quantiles', {
    p05: statisticSchema('5th percentile.'),
    p25: statisticSchema('25th percentile.'),
    p50: statisticSchema('Median.'),
    p75: statisticSchema('75th percentile.'),
    p95: statisticSchema('95th percentile.'),
  }),
  bins: Type.Array(
    namedObject('Bin', {
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
  base: Type.Optional(BaselineStatistics),
}

const MeasurementSummary = namedObject('MeasurementSummary', {
  n: countSchema('Number of scenarios with a value.'),
  missing: countSchema('Number of scenarios without a value.'),
  total: statisticSchema('Sum of all values.'),
  ...statistics,
})

const EvaluatorSummary = namedObject('EvaluatorSummary', {
  name: Type.String({ description: 'The evaluator name, as in `results[].evaluator_config`.' }),
  higher_is_better: Type.Boolean({ description: 'As declared by the evaluation. Default true.' }),
  threshold: statisticSchema('As declared by the evaluation.'),
  n: countSchema('Number of scenarios with a score: a number, or true as 1 and false as 0.'),
  texts: countSchema('Number of scenarios with a text result, which is not a score.'),
  errors: countSchema('Number of scenarios where the evaluator failed.'),
  output_errors: countSchema('Number of scenarios without a score because the application failed.'),
  unscored: countSchema('Number of all other scenarios.'),
  passed: nullable(countSchema('Number of scores that are true or reach the threshold.')),
  failed: nullable(countSchema('Number of scores that are false or do not reach the threshold.')),
  pass_rate: statisticSchema('`passed` divided by `passed` plus `failed`. Null without verdicts.'),
  ...statistics,
})

export const SummaryBaseline = namedObject('SummaryBaseline', {
  id: Type.String({ description: 'The id of the baseline evaluation.' }),
  name: nullable(Type.String()),
  variant_id: nullable(Type.String({ description: 'The variant of the baseline.' })),
  revision: nullable(revisionSchema('The revision of the variant of the baseline.')),
  by: Type.String({ description: 'The join key: `id`, `input` or `position`.' }),
  matched: countSchema('Number of matched rows.'),
  match_rate: Type.Number({ description: 'Matched rows as a fraction of the smaller evaluation.' }),
  changed_parameters: Type.Optional(
    nullable(
      Type.Integer({
        description:
          'In the summary: number of parameters that differ between the revisions of both evaluations. Null unless both ran the same variant.',
      }),
    ),
  ),
})

export const EvaluationSummary = namedObject('EvaluationSummary', {
  id: Type.String({ description: 'The id of the evaluation.' }),
  scenario_count: countSchema('Number of all scenarios of the evaluation.'),
  matched: countSchema('Number of scenarios that match the filters. All other values refer to these.'),
  output_errors: countSchema('Number of scenarios where the application failed.'),
  pinned: countSchema('Number of pinned scenarios.'),
  noted: countSchema('Number of scenarios with a note.'),
  columns: namedObject('ColumnNames', {
    inputs: Type.Array(Type.String()),
    expected: Type.Array(Type.String()),
    evaluators: Type.Array(Type.String()),
  }),
  evaluators: Type.Array(EvaluatorSummary),
  cost: MeasurementSummary,
  latency: MeasurementSummary,
  error_groups: Type.Array(
    namedObject('ErrorGroup', {
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
  base: Type.Optional(SummaryBaseline),
})
export type EvaluationSummary = Static<typeof EvaluationSummary>
