// The JSON schema of comparisons: statistics over paired rows, and windows of such rows.
import type { Static } from 'typebox'
import { Gate } from './gate.ts'
import { ComparisonPreference } from './reviews/preferences.ts'
import { locatedMembers, Row, repeatIds } from './rows.ts'
import { revisionSchema } from './rules.ts'
import { countSchema, namedObject, nullable, rangeSchema, statisticSchema, Type } from './schema-builders.ts'

/** How a row changed. For one evaluator and one candidate, each row is in exactly one class. */
export const ROW_CLASSES = ['regressed', 'improved', 'same', 'unclear', 'incomparable', 'missing'] as const
export type RowClass = (typeof ROW_CLASSES)[number]

export const MAX_COMPARED_EVALUATIONS = 4

export const Outcome = Type.Enum(['better', 'worse', 'tied', 'too-few'], {
  description:
    '`tied` if the difference is not significant. `too-few` with fewer than 6 rows. Null if nothing can be concluded: no row has a score in both evaluations, all differences of numbers are equal and not 0, or the rows are different ones.',
})
export type Outcome = Static<typeof Outcome>

/** The mean difference of paired values. */
export const difference = {
  delta: statisticSchema('Mean difference: candidate minus baseline.'),
  interval: nullable(
    rangeSchema(
      '95 % confidence interval of `delta`, over rows. It contains 0 exactly if the outcome is `tied`. Null for fewer than 6 rows, and if all differences of numbers are equal and not 0.',
    ),
  ),
  outcome: nullable(Outcome),
  detectable: statisticSchema(
    'The smallest change that this comparison would have shown with a probability of 80 %. Null if there is none.',
  ),
}

const statistics = {
  n: countSchema('Number of rows with a score in both evaluations. All statistics refer to these rows.'),
  base_mean: statisticSchema(
    'Mean score of the baseline, over rows. The score of a row is the mean of its repeats. For verdicts, the pass rate.',
  ),
  mean: statisticSchema('Mean score of the candidate, over rows. For verdicts, the pass rate.'),
  ...difference,
}

const PairedStatistics = namedObject('PairedStatistics', statistics)
export type PairedStatistics = Static<typeof PairedStatistics>

const classes = namedObject('RowClassCounts', {
  regressed: countSchema(
    'Number of rows in which the candidate is worse. With repeats: every repeat of the candidate is worse than every repeat of the baseline, or Fisher’s exact test of their verdicts gives at most 0.05.',
  ),
  improved: countSchema('Number of rows in which the candidate is better, by the same rule.'),
  same: countSchema('Number of rows with equal scores.'),
  unclear: countSchema('Number of rows with repeats whose scores differ, but not certainly.'),
  incomparable: countSchema(
    'Number of rows with an error or a missing score on either side, or with a verdict and a number.',
  ),
  missing: countSchema('Number of rows that only one of the two evaluations has.'),
})
export type RowClassCounts = Static<typeof classes>

const ComparedEvaluator = namedObject('ComparedEvaluator', {
  name: Type.String(),
  higher_is_better: Type.Boolean({
    description: 'As declared by the baseline, else by the candidate. Default true.',
  }),
  ...statistics,
  is_verdict: Type.Boolean({ description: 'True if all compared scores are verdicts.' }),
  p_value: statisticSchema(
    'For verdicts without repeats: p-value of the exact two-sided McNemar test. Null otherwise.',
  ),
  labels: nullable(
    Type.Array(
      namedObject('LabelCounts', {
        label: Type.String(),
        base: countSchema('Number of results with this label in the baseline.'),
        candidate: countSchema('Number of results with this label in the candidate.'),
      }),
      {
        description:
          'Labels in the matched rows, the most frequent of the baseline first. Labels are text results, which have no statistics. Each repeat counts. Null unless both evaluations have labels, at most 50 different ones of at most 200 characters each.',
      },
    ),
  ),
  classes,
})
export type ComparedEvaluator = Static<typeof ComparedEvaluator>

const ComparedCandidate = namedObject('ComparedCandidate', {
  id: Type.String(),
  matched: countSchema('Number of rows matched with a row of the baseline. Repeats of a row count once.'),
  match_rate: Type.Number({
    description: 'Matched rows as a fraction of the smaller evaluation. 1 if it is empty.',
  }),
  only_in_base: countSchema('Number of unmatched rows of the baseline.'),
  only_in_candidate: countSchema('Number of unmatched rows of the candidate.'),
  outputs_changed: countSchema('Number of pairs with different outputs.'),
  answers_differ: countSchema('Number of pairs with different expected answers.'),
  inputs_differ: countSchema(
    'Number of pairs with different inputs. Pairs in which one row has no inputs do not count.',
  ),
  has_different_rows: Type.Boolean({
    description:
      'True if more than half of the rows that are joined by id have different inputs. There is no outcome then.',
  }),
  evaluators: Type.Array(ComparedEvaluator, {
    description: 'The evaluators of the baseline in order, then those that only candidates have.',
  }),
  cost: PairedStatistics,
  latency: PairedStatistics,
  preferences: Type.Array(ComparisonPreference, {
    description:
      'Which of both people prefer, for each question with a result in a review of this comparison.',
  }),
  gate: Gate,
})
export type ComparedCandidate = Static<typeof ComparedCandidate>

const ComparedEvaluation = namedObject('ComparedEvaluation', {
  id: Type.String(),
  name: nullable(Type.String()),
  variant_id: nullable(Type.String()),
  revision: nullable(revisionSchema('The revision of the variant that ran.')),
  scenario_count: countSchema('Number of scenarios.'),
  row_count: countSchema('Number of rows. Scenarios that are repeats of the same row count once.'),
  inputs: Type.Array(Type.String(), {
    description: 'Input names. Rows can be matched and filtered by them.',
  }),
})

export const joinSchema = namedObject('Join', {
  by: Type.String({ description: 'The join key: `id`, `input`, `input.<name>` or `position`.' }),
  asked: Type.String({ description: 'The requested join key.' }),
  tried: Type.Array(
    namedObject('TriedJoin', {
      by: Type.String(),
      match_rate: Type.Number({ description: 'The lowest match rate of all candidates.' }),
    }),
    { description: 'The join keys that were tried, in order. The last one is used.' },
  ),
})

export const WARNINGS = [
  'answers-differ',
  'inputs-differ',
  'ids-generated',
  'evaluator-missing',
  'evaluator-differs',
  'rows-missing',
  'rows-grouped',
  'rows-repeated',
  'types-differ',
  'joined-by-position',
  'unfinished',
] as const

const Warning = namedObject('ComparisonWarning', {
  code: Type.Enum([...WARNINGS]),
  evaluation: nullable(Type.String({ description: 'The id of the affected evaluation.' })),
  evaluator: nullable(Type.String({ description: 'The name of the affected evaluator.' })),
  rows: nullable(countSchema('Number of affected rows.')),
  detail: Type.String({ description: 'A readable explanation.' }),
})
export type Warning = Static<typeof Warning>

export const Comparison = namedObject('Comparison', {
  evaluations: Type.Array(ComparedEvaluation, {
    description: 'The baseline first, then the candidates in the requested order.',
  }),
  join: joinSchema,
  candidates: Type.Array(ComparedCandidate),
  warnings: Type.Array(Warning),
})
export type Comparison = Static<typeof Comparison>

const RowScore = namedObject('RowScore', {
  count: countSchema('Number of repeats with a score.'),
  passes: nullable(countSchema('Number of repeats that pass. Null unless all scores are verdicts.')),
  mean: statisticSchema('Mean score of the repeats.'),
})
export type RowScore = Static<typeof RowScore>

const ComparedRow = namedObject('ComparedRow', {
  row: nullable(Row),
  repeats: nullable(repeatIds),
  score: nullable(RowScore),
  class: Type.Enum([...ROW_CLASSES]),
  delta: statisticSchema('Score minus the score of the baseline, if both can be compared.'),
  output_changed: nullable(Type.Boolean({ description: 'Null if the row is not matched.' })),
})

export const ComparisonRows = namedObject('ComparisonRows', {
  join: joinSchema,
  show: Type.Enum(['all', ...ROW_CLASSES]),
  on: nullable(Type.String({ description: 'The evaluator that `class` and `delta` refer to.' })),
  total: countSchema('Number of rows in the requested class.'),
  offset: countSchema('Number of rows before the first row of this window.'),
  ...locatedMembers,
  classes,
  rows: Type.Array(
    namedObject('ComparisonRow', {
      base: nullable(Row),
      base_repeats: nullable(repeatIds),
      base_score: nullable(RowScore),
      candidates: Type.Array(ComparedRow, { description: 'One element per candidate, in order.' }),
    }),
  ),
})
