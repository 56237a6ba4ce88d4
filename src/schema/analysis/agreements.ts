// The JSON schema of the agreement of two evaluators, for example a judge and a person.
import type { Static } from 'typebox'
import { EVALUATOR_KINDS } from '../evaluations.ts'
import { countSchema, namedObject, nullable, rangeSchema, statisticSchema, Type } from '../schema-builders.ts'

const proportionSchema = (name: string) =>
  nullable(rangeSchema(`Exact 95 % confidence interval of \`${name}\`.`))

const verdictCounts = {
  n: countSchema(
    'Number of rows with a verdict of both evaluators. All statistics here refer to these rows.',
  ),
  both_pass: countSchema('Number of rows that pass with both evaluators.'),
  both_fail: countSchema('Number of rows that fail with both evaluators.'),
  only_evaluator: countSchema('Number of rows that pass only with `evaluator`.'),
  only_with: countSchema('Number of rows that pass only with `with`.'),
  agreement: statisticSchema('Fraction of rows with equal verdicts.'),
  agreement_interval: proportionSchema('agreement'),
  kappa: statisticSchema(
    "Cohen's kappa: agreement beyond chance. 1 is perfect, 0 is what chance would give. Null if all verdicts are equal.",
  ),
  interval: nullable(rangeSchema('95 % confidence interval of `kappa`.')),
  precision: statisticSchema('Fraction of the rows that pass with `evaluator` that also pass with `with`.'),
  recall: statisticSchema('Fraction of the rows that pass with `with` that also pass with `evaluator`.'),
  recall_interval: proportionSchema('recall'),
  specificity: statisticSchema(
    'Fraction of the rows that fail with `with` that also fail with `evaluator`: the failures that it finds.',
  ),
  specificity_interval: proportionSchema('specificity'),
}

const VerdictAgreement = namedObject('VerdictAgreement', verdictCounts)
export type VerdictAgreement = Static<typeof VerdictAgreement>

const NumberAgreement = namedObject('NumberAgreement', {
  n: countSchema('Number of rows with a number of both evaluators.'),
  rank_correlation: statisticSchema(
    "Spearman's rank correlation, with mean ranks for ties. Null if all numbers of an evaluator are equal.",
  ),
  mean_absolute_difference: statisticSchema('Mean of the absolute differences of the two numbers.'),
})
export type NumberAgreement = Static<typeof NumberAgreement>

const BestThreshold = namedObject('BestThreshold', {
  threshold: Type.Number({
    description: 'The threshold of `evaluator` with the highest kappa. One of its scores.',
  }),
  ...verdictCounts,
})
export type BestThreshold = Static<typeof BestThreshold>

const ThresholdKappa = namedObject('ThresholdKappa', {
  threshold: Type.Number({ description: 'One of the scores of `evaluator`.' }),
  kappa: verdictCounts.kappa,
  interval: verdictCounts.interval,
})

/** Enough for a plot. */
export const MAX_THRESHOLDS = 50

const AgreeingEvaluator = namedObject('AgreeingEvaluator', {
  name: Type.String(),
  kind: nullable(Type.Enum([...EVALUATOR_KINDS], { description: 'As declared by the evaluation.' })),
  higher_is_better: Type.Boolean({ description: 'As declared by the evaluation. Default true.' }),
  threshold: statisticSchema('As declared by the evaluation.'),
})

const CorrectedPassRate = namedObject('CorrectedPassRate', {
  rows: countSchema('Number of rows with a verdict of `evaluator`.'),
  passed: countSchema('Number of these rows that pass.'),
  pass_rate: statisticSchema('Fraction of these rows that pass.'),
  judged: countSchema('Number of these rows that also have a verdict of `with`.'),
  corrected: Type.Number({
    description:
      'The pass rate that `with` would have in all these rows: its pass rates in the rows that pass and in those that fail with `evaluator`, weighted by the number of all such rows.',
  }),
  interval: rangeSchema('95 % confidence interval of `corrected`.'),
  assumption_met: Type.Boolean({
    description:
      'Whether the judged rows are a random sample: all rows, or the complete sample of a review without filters. If not, a warning says why.',
  }),
})
export type CorrectedPassRate = Static<typeof CorrectedPassRate>

export const AGREEMENT_WARNINGS = [
  'few-rows',
  'judge-changed',
  'no-threshold',
  'not-a-random-sample',
  'nothing-to-compare',
  'unjudged-verdict',
] as const

export const Agreement = namedObject('Agreement', {
  id: Type.String({ description: 'The id of the evaluation.' }),
  evaluator: AgreeingEvaluator,
  with: AgreeingEvaluator,
  rows: countSchema('Number of rows that match the filters.'),
  n: countSchema('Number of these rows with a score of both evaluators.'),
  verdicts: nullable(VerdictAgreement),
  numbers: nullable(NumberAgreement),
  best_threshold: nullable(BestThreshold),
  thresholds: Type.Array(ThresholdKappa, {
    description: `Kappa with up to ${MAX_THRESHOLDS} thresholds, from the lowest score to the highest. Empty if \`best_threshold\` is null.`,
  }),
  corrected_pass_rate: nullable(CorrectedPassRate),
  warnings: Type.Array(
    namedObject('AgreementWarning', {
      code: Type.Enum([...AGREEMENT_WARNINGS]),
      detail: Type.String({ description: 'A readable explanation.' }),
    }),
  ),
})
export type Agreement = Static<typeof Agreement>
