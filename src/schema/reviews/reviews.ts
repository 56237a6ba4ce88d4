// The JSON schema of reviews: questions about rows of an evaluation that people answer.
import type { Static } from 'typebox'
import { findRowField } from '../filters/fields.ts'
import { idSchema } from '../ids.ts'
import { EvaluationScenario, ScenarioResult } from '../scenarios.ts'
import {
  countSchema,
  namedObject,
  nullable,
  optionalMembers,
  rangeSchema,
  statisticSchema,
  strictObject,
  Type,
  timeSchema,
} from '../schema-builders.ts'
import { timestampSchema } from '../times.ts'
import { createValidator, type ValidationError } from '../validation/validator.ts'
import { ANSWER_TYPES, labelSchema, MAX_LABELS, ReviewAnswer, SIDES } from './answers.ts'
import { PreferenceCounts } from './preferences.ts'

const MAX_QUESTIONS = 20

const evaluator = Type.String({
  format: 'name',
  description: 'The evaluator that the results of this question have, as in `evaluator_config`.',
})
const type = Type.Enum([...ANSWER_TYPES], {
  description:
    '`verdict`: pass or fail. `label`: one of several names. `number`: a number. `text`: a text, which is never combined with others. `preference`: which of two outputs is better; only in a review of a comparison, where all questions have this type.',
})
const labels = Type.Array(labelSchema('A label.'), {
  maxItems: MAX_LABELS,
  uniqueItems: true,
  description:
    'Suggested labels: the failure modes of a verdict, or the values of a label. Reviewers can add others.',
})
const texts = {
  question: nullable(Type.String({ description: 'The question as reviewers read it.' })),
  description: nullable(Type.String({ description: 'How to answer it.' })),
}

const ReviewQuestion = namedObject('ReviewQuestion', { evaluator, type, labels, ...texts })
export type ReviewQuestion = Static<typeof ReviewQuestion>

const NewQuestion = namedObject('NewQuestion', {
  evaluator,
  type,
  labels: Type.Optional(labels),
  ...optionalMembers(texts),
})

const ReviewSample = namedObject('ReviewSample', {
  rows: Type.Integer({ minimum: 1, maximum: 2147483647, description: 'The number of rows.' }),
  seed: Type.Integer({
    minimum: 0,
    maximum: 2147483647,
    description:
      'Chooses the rows: those with the smallest SHA-256 hashes of the seed, a colon and the scenario id. Default: 0.',
  }),
})
const NewSample = namedObject('NewSample', {
  rows: ReviewSample.properties.rows,
  seed: Type.Optional(ReviewSample.properties.seed),
})

/** Query parameters by name, as for lists of scenarios. */
const filters = Type.Unsafe<Record<string, string[]>>({
  type: 'object',
  additionalProperties: { type: 'array', items: { type: 'string' } },
  description:
    'Only rows that match all filters: the query parameters of the list of scenarios with their values, such as `{ "result.judge": ["is.false"] }`. They cannot refer to an evaluator of the review.',
})

const ReviewPair = namedObject('ReviewPair', {
  scenario_id: Type.String({ description: 'The scenario of the candidate.' }),
  base_scenario_id: Type.String({ description: 'The scenario of the baseline.' }),
  candidate_side: Type.Enum([...SIDES], { description: 'Where reviewers see the output of the candidate.' }),
})
export type ReviewPair = Static<typeof ReviewPair>

const pairs = nullable(
  Type.Array(ReviewPair, {
    description:
      'For a review of a comparison: the pairs that reviewers see, with the random side of the candidate. Otherwise null.',
  }),
)

const name = nullable(Type.String({ format: 'name', description: 'The name that reviewers see.' }))
const instructions = nullable(Type.String({ description: 'What reviewers read before the first row.' }))
const base_id = nullable(
  idSchema('The baseline of the filter `delta`, and the baseline of a review of a comparison.'),
)
const reviewers_per_row = Type.Integer({
  minimum: 1,
  maximum: 20,
  description: 'How many reviewers answer each row. Default: 1.',
})
const overlap = Type.Number({
  minimum: 0,
  maximum: 1,
  description:
    'The share of rows that one more reviewer answers, so that agreement can be measured. These rows come first. Default: 0.',
})

const reviewMembers = {
  id: Type.String(),
  evaluation_id: Type.String({ description: 'The evaluation whose rows are reviewed.' }),
  name,
  instructions,
  filters,
  base_id,
  sample: nullable(ReviewSample),
  questions: Type.Array(ReviewQuestion),
  reviewers_per_row,
  overlap,
  pairs,
  created_at: timeSchema('UTC, with milliseconds.'),
  updated_at: timeSchema('The time of the last change of the review itself. Answers do not change it.'),
}

export const Review = namedObject('Review', reviewMembers)
export type Review = Static<typeof Review>

const writableMembers = optionalMembers({
  name,
  instructions,
  filters: nullable(filters),
  base_id,
  sample: nullable(NewSample),
  reviewers_per_row: nullable(reviewers_per_row),
  overlap: nullable(overlap),
})
const questions = Type.Array(NewQuestion, { minItems: 1, maxItems: MAX_QUESTIONS })

export const ReviewWrite = namedObject('ReviewWrite', {
  id: Type.Optional(nullable(idSchema('1 to 200 characters, unique in the project. Generated if omitted.'))),
  ...writableMembers,
  questions,
})
export type ReviewWrite = Static<typeof ReviewWrite>

const { base_id: _base, ...comparedMembers } = writableMembers

export const ComparisonReviewWrite = namedObject('ComparisonReviewWrite', {
  id: ReviewWrite.properties.id,
  ...comparedMembers,
  evaluations: Type.Array(idSchema('The id of an evaluation.'), {
    minItems: 2,
    maxItems: 2,
    description: 'The ids of the baseline and of the candidate, to which the review belongs.',
  }),
  questions,
})
export type ComparisonReviewWrite = Static<typeof ComparisonReviewWrite>

export const ReviewPatch = namedObject('ReviewPatch', {
  ...writableMembers,
  questions: Type.Optional(questions),
})
export type ReviewPatch = Static<typeof ReviewPatch>

function findInvalidMembers({ filters, questions = [] }: ReviewPatch): ValidationError[] {
  const names = questions.map(({ evaluator }) => evaluator)
  const repeated = names.findIndex((name, index) => names.indexOf(name) < index)
  const unknown = Object.keys(filters ?? {}).find((parameter) => !findRowField(parameter))
  return [
    ...(repeated === -1
      ? []
      : [
          {
            pointer: `/questions/${repeated}/evaluator`,
            detail: 'Each question needs an evaluator of its own.',
          },
        ]),
    ...(unknown === undefined
      ? []
      : [{ pointer: '/filters', detail: `'${unknown}' is not a filter of scenarios.` }]),
  ]
}

export const checkReview = createValidator(ReviewWrite, ({ value }) => findInvalidMembers(value))
export const checkComparisonReview = createValidator(ComparisonReviewWrite, ({ value }) =>
  findInvalidMembers(value),
)
export const checkReviewPatch = createValidator(ReviewPatch, ({ value }) => findInvalidMembers(value))

/** A review in a full export. */
const ReviewRecord = strictObject({
  ...reviewMembers,
  pairs: Type.Optional(pairs),
  id: idSchema('The id of the review.'),
  created_at: timestampSchema('When it was created.'),
  updated_at: timestampSchema('When it was last changed.'),
})
export const checkReviewRecord = createValidator(ReviewRecord, ({ value }) => findInvalidMembers(value))

const ReviewProgress = namedObject('ReviewProgress', {
  rows: countSchema('Number of rows of the review.'),
  answered: countSchema('Number of rows that at least one reviewer has answered, or that are decided.'),
  complete: countSchema('Number of rows that need no further answer.'),
  disputed: countSchema('Number of rows with a disputed answer, which have no result.'),
})

const ReviewerProgress = namedObject('ReviewerProgress', {
  name: Type.String(),
  answered: countSchema('Number of rows that this reviewer has answered.'),
  rows_per_hour: statisticSchema(
    'Rows per hour of work. Pauses of more than 5 minutes are left out. Null below two rows without such a pause.',
  ),
  last_answer_at: timeSchema('When this reviewer answered last.'),
})

export const MIN_ROWS_FOR_KAPPA = 20

const interval = (description: string) => nullable(rangeSchema(description))

const ReviewerPair = namedObject('ReviewerPair', {
  reviewers: Type.Array(Type.String(), { minItems: 2, maxItems: 2 }),
  rows: countSchema('Number of rows with a definite answer of both.'),
  agreeing: countSchema('Number of these rows with equal answers.'),
  agreement: statisticSchema('Fraction of these rows with equal answers.'),
  kappa: statisticSchema(
    `Cohen's kappa of verdicts: agreement beyond chance. Null below ${MIN_ROWS_FOR_KAPPA} rows, if all verdicts are equal, and for other questions.`,
  ),
  interval: interval('95 % confidence interval of `kappa`.'),
  rank_correlation: statisticSchema("Spearman's rank correlation. Only for numbers."),
  mean_absolute_difference: statisticSchema('Mean of the absolute differences. Only for numbers.'),
})
export type ReviewerPair = Static<typeof ReviewerPair>

const LabelCount = namedObject('LabelCount', {
  label: Type.String(),
  rows: countSchema('Number of rows with this label.'),
})
export type LabelCount = Static<typeof LabelCount>

const PassRatePrecision = namedObject('PassRatePrecision', {
  rows: countSchema('Number of rows.'),
  margin: Type.Number({ description: 'Half the width of the 95 % confidence interval of the pass rate.' }),
})

const DisputedRow = namedObject('DisputedRow', {
  scenario_id: Type.String(),
  answers: Type.Array(ReviewAnswer, { description: 'The answers to this question.' }),
})

/** How many more rows the expected precision refers to. */
export const MORE_ROWS = 60
export const MAX_DISPUTED_ROWS = 200

const AnswerReport = namedObject('AnswerReport', {
  evaluator: Type.String(),
  type,
  answered: countSchema('Number of rows with a definite answer.'),
  results: countSchema('Number of rows with a result.'),
  disputed: countSchema(
    'Number of rows whose answers have no majority. They have no result until someone decides.',
  ),
  cannot_tell: countSchema('Number of answers "cannot tell".'),
  passed: nullable(countSchema('Number of results that pass. Only for verdicts.')),
  pass_rate: statisticSchema('Fraction of results that pass. Only for verdicts.'),
  pass_rate_interval: interval('95 % confidence interval of `pass_rate`.'),
  precision: nullable(PassRatePrecision),
  expected_precision: nullable(PassRatePrecision),
  preference: nullable(PreferenceCounts),
  labels: Type.Array(LabelCount, {
    description:
      'The labels of rows with a definite answer, the most frequent first. A row has the labels of its decision, or otherwise of all its reviewers. For a label question, the value is a label too.',
  }),
  agreeing: countSchema(
    'Number of rows with definite answers of two or more reviewers, which are all equal.',
  ),
  overlapping: countSchema('Number of rows with definite answers of two or more reviewers.'),
  pairs: Type.Array(ReviewerPair, { description: 'The agreement of each two reviewers with common rows.' }),
  disputed_rows: Type.Array(DisputedRow, {
    description: `The first ${MAX_DISPUTED_ROWS} disputed rows, in the order of the review.`,
  }),
})
export type AnswerReport = Static<typeof AnswerReport>

export const ReviewReport = namedObject('ReviewReport', {
  ...reviewMembers,
  progress: ReviewProgress,
  reviewers: Type.Array(ReviewerProgress, { description: 'The reviewers with answers, by name.' }),
  results: Type.Array(AnswerReport, { description: 'One entry per question.' }),
  warnings: Type.Array(
    Type.String({ description: 'Why rows cannot be selected, such as a deleted baseline.' }),
  ),
})
export type ReviewReport = Static<typeof ReviewReport>

const OwnProgress = namedObject('OwnProgress', {
  answered: countSchema('Number of rows that this reviewer has answered.'),
  remaining: countSchema('Number of rows that this reviewer can still answer.'),
})
export type OwnProgress = Static<typeof OwnProgress>

const FormQuestion = namedObject('FormQuestion', {
  evaluator,
  type,
  ...texts,
  labels: Type.Array(LabelCount, {
    description:
      'The suggested labels and those that this reviewer has used, with the number of rows in which this reviewer has used them. The most frequent first.',
  }),
})

export const ReviewForm = namedObject('ReviewForm', {
  id: Type.String(),
  name,
  instructions,
  reviewer: Type.String({ description: 'The name in the link.' }),
  questions: Type.Array(FormQuestion),
  progress: OwnProgress,
})
export type ReviewForm = Static<typeof ReviewForm>

const BlindOutput = namedObject('BlindOutput', {
  result: ScenarioResult.properties.result,
})

const BlindScenario = namedObject(
  'BlindScenario',
  {
    id: Type.String(),
    inputs: EvaluationScenario.properties.inputs,
    outputs: Type.Array(BlindOutput, { description: 'Empty in a review of a comparison.' }),
    left: Type.Optional(
      Type.Array(BlindOutput, {
        description: 'Only in a review of a comparison: the outputs of one evaluation.',
      }),
    ),
    right: Type.Optional(
      Type.Array(BlindOutput, {
        description: 'Only in a review of a comparison: the outputs of the other evaluation.',
      }),
    ),
    correct_answers: EvaluationScenario.properties.correct_answers,
  },
  {
    description:
      'A scenario without results, cost, latency, note, extra data and the name of its evaluation.',
  },
)

export const ReviewRow = namedObject('ReviewRow', {
  scenario: BlindScenario,
  answers: Type.Array(ReviewAnswer, {
    description: 'The answers of this reviewer. For a key of the project: of all reviewers.',
  }),
})

export const NextReviewRow = namedObject('NextReviewRow', {
  row: nullable(ReviewRow),
  progress: OwnProgress,
})

export const ReviewRowAnswers = namedObject('ReviewRowAnswers', {
  scenario_id: Type.String(),
  is_open: Type.Boolean({
    description: 'Whether this reviewer can still answer it. For a key of the project: any reviewer.',
  }),
  answers: Type.Array(ReviewAnswer, {
    description: 'The answers of this reviewer. For a key of the project: of all reviewers.',
  }),
})
export type ReviewRowAnswers = Static<typeof ReviewRowAnswers>

export const StoredAnswers = namedObject('StoredAnswers', {
  id: Type.String({ description: 'The id of the scenario.' }),
  answers: Type.Array(ReviewAnswer, { description: 'The answers with this key.' }),
})

export const LabelMerge = namedObject('LabelMerge', {
  evaluator: Type.String({ description: 'The evaluator of a question of the review.' }),
  labels: Type.Array(labelSchema('A label.'), {
    minItems: 1,
    maxItems: MAX_LABELS,
    uniqueItems: true,
    description: 'The labels to replace.',
  }),
  to: labelSchema('The label that replaces them. It can exist already.'),
})
export type LabelMerge = Static<typeof LabelMerge>
export const checkLabelMerge = createValidator(LabelMerge)

export const MergedLabels = namedObject('MergedLabels', {
  answers: countSchema('Number of changed answers.'),
})
