// The JSON schema of evaluation summaries.
import type { Static } from 'typebox'
import { difference } from './comparisons.ts'
import { chosenSchema, revisionSchema } from './rules.ts'
import { countSchema, namedObject, nullable, rangeSchema, statisticSchema, Type } from './schema-builders.ts'

export const BaselineStatistics = namedObject('BaselineStatistics', {
  n: countSchema('Number of rows with a value in both evaluations. All statistics here refer to these rows.'),
  mean: statisticSchema('Mean of the baseline over these rows.'),
  ...difference,
  regressed: countSchema('Number of rows that are worse than in the baseline.'),
  improved: countSchema('Number of rows that are better than in the baseline.'),
  unclear: countSchema('Number of rows with repeats that differ from the baseline, but not certainly.'),
})
export type BaselineStatistics = Static<typeof BaselineStatistics>

const interval = (value: string, method: string) =>
  nullable(rangeSchema(`95 % confidence interval of \`${value}\`, over rows. ${method}`))

const statistics = {
  mean: statisticSchema(
    'Mean over rows: the score of a row is the mean of its repeats. Null without values.',
  ),
  mean_interval: interval('mean', 'Null for fewer than 2 rows, and if all numbers are equal.'),
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
  pass_rate: statisticSchema(
    '`passed` divided by `passed` plus `failed`; with repeats, the mean of this rate over rows. Null without verdicts.',
  ),
  pass_rate_interval: interval('pass_rate', 'Null without verdicts.'),
  rows: Type.Optional(countSchema('With repeats: number of rows with a score.')),
  repeats: Type.Optional(countSchema('With repeats: the largest number of scores of a row.')),
  flaky: Type.Optional(
    nullable(countSchema('With repeats: number of rows that both pass and fail. Null without verdicts.')),
  ),
  pass_all: Type.Optional(statisticSchema('With repeats: fraction of rows that pass every time.')),
  pass_any: Type.Optional(statisticSchema('With repeats: fraction of rows that pass at least once.')),
  ...statistics,
})

export const SummaryBaseline = namedObject('SummaryBaseline', {
  id: Type.String({ description: 'The id of the baseline evaluation.' }),
  name: nullable(Type.String()),
  variant_id: nullable(Type.String({ description: 'The variant of the baseline.' })),
  revision: nullable(revisionSchema('The revision of the variant of the baseline.')),
  chosen: chosenSchema,
  by: Type.String({ description: 'The join key: `id`, `input` or `position`.' }),
  matched: countSchema('Number of matched rows.'),
  match_rate: Type.Number({ description: 'Matched rows as a fraction of the smaller evaluation.' }),
  has_different_rows: Type.Boolean({
    description:
      'True if more than half of the rows that are joined by id have different inputs. There is no outcome then.',
  }),
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
  rows: countSchema('Number of their rows: scenarios that are repeats of the same row count once.'),
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
