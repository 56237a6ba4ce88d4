// What a comparison of evaluations looks like on the wire: figures over paired rows, and windows of such rows.
import type { Static } from 'typebox'
import { Row } from './rows.ts'
import { closed, nullable } from './shapes.ts'
import { Type } from './type.ts'

/** What became of a row: for one evaluator and one candidate each row is in exactly one of them. */
export const CLASSES = ['regressed', 'improved', 'same', 'incomparable', 'missing'] as const
export type RowClass = (typeof CLASSES)[number]

export const MOST_COMPARED = 4

const count = (description: string) => Type.Integer({ minimum: 0, description })
const figure = (description: string) => nullable(Type.Number({ description }))

const OUTCOMES = ['better', 'worse', 'tied'] as const
export type Outcome = (typeof OUTCOMES)[number]

const figures = {
  n: count('Pairs that have a number on both sides: what the figures are about.'),
  base_mean: figure('Of verdicts it is the pass rate.'),
  mean: figure('The same of the candidate.'),
  delta: figure('The mean of the differences, candidate less base.'),
  interval: nullable(
    Type.Array(Type.Number(), {
      minItems: 2,
      maxItems: 2,
      description: 'delta less and plus 1.96 standard errors. Null for fewer than two independent pairs.',
    }),
  ),
  outcome: nullable(
    Type.Enum([...OUTCOMES], {
      type: 'string',
      description: 'tied where the interval holds 0 or is not known; null where nothing can be compared.',
    }),
  ),
}

export const Measured = closed(figures)
export type Measured = Static<typeof Measured>

const classes = closed({
  regressed: count('Pairs in which the candidate is worse.'),
  improved: count('Pairs in which it is better.'),
  same: count('Pairs with equal scores.'),
  incomparable: count('Pairs with an error or no score on either side, or a verdict against a number.'),
  missing: count('Rows that only one of the two evaluations has.'),
})

export const ComparedEvaluator = closed({
  name: Type.String(),
  higher_is_better: Type.Boolean({
    description: 'As the base declares it, else the candidate; without either true.',
  }),
  ...figures,
  p_value: figure('Of verdicts: the exact McNemar test, two-sided.'),
  classes,
})
export type ComparedEvaluator = Static<typeof ComparedEvaluator>

export const ComparedCandidate = closed({
  id: Type.String(),
  matched: count('Rows with a partner in the base.'),
  match_rate: Type.Number({
    description: 'The same as a part of the smaller evaluation; 1 where it is empty.',
  }),
  only_in_base: count('Rows of the base without a partner.'),
  only_in_candidate: count('Rows of the candidate without a partner.'),
  outputs_changed: count('Pairs with different outputs.'),
  answers_differ: count('Pairs with different expected answers.'),
  evaluators: Type.Array(ComparedEvaluator, {
    description: 'Those of the base in their order, then those that only candidates have.',
  }),
  cost: Measured,
  latency: Measured,
})
export type ComparedCandidate = Static<typeof ComparedCandidate>

const ComparedEvaluation = closed({
  id: Type.String(),
  name: nullable(Type.String()),
  variant_id: nullable(Type.String()),
  revision: nullable(Type.Integer()),
  scenario_count: count('Scenarios it has.'),
  inputs: Type.Array(Type.String(), {
    description: 'The names of its inputs, which rows can be paired and filtered by.',
  }),
})

const join = closed({
  by: Type.String({ description: 'What rows are paired by: id, input, input.<name> or position.' }),
  asked: Type.String({ description: 'What was asked for.' }),
  tried: Type.Array(
    closed({
      by: Type.String(),
      match_rate: Type.Number({ description: 'The lowest of the candidates.' }),
    }),
    { description: 'The keys that were looked at, in order; the last one is taken.' },
  ),
})

export const WARNINGS = [
  'answers-differ',
  'evaluator-missing',
  'evaluator-differs',
  'rows-missing',
  'rows-repeated',
  'types-differ',
  'joined-by-position',
  'unfinished',
] as const

const Warning = closed({
  code: Type.Enum([...WARNINGS], { type: 'string' }),
  evaluation: nullable(Type.String({ description: 'The id of the evaluation it is about.' })),
  evaluator: nullable(Type.String({ description: 'The name of the evaluator it is about.' })),
  rows: nullable(count('How many rows it is about.')),
  detail: Type.String({ description: 'The same as a sentence.' }),
})
export type Warning = Static<typeof Warning>

export const Comparison = closed({
  evaluations: Type.Array(ComparedEvaluation, { description: 'The base first, as they were asked for.' }),
  join,
  candidates: Type.Array(ComparedCandidate),
  warnings: Type.Array(Warning),
})
export type Comparison = Static<typeof Comparison>

const ComparedRow = closed({
  row: nullable(Row),
  class: Type.Enum([...CLASSES], { type: 'string' }),
  delta: figure('The score less that of the base, where they can be compared.'),
  output_changed: nullable(Type.Boolean({ description: 'Null where there is no pair.' })),
})

export const ComparisonRows = closed({
  join,
  show: Type.Enum(['all', ...CLASSES], { type: 'string' }),
  on: nullable(Type.String({ description: 'The evaluator that classes and deltas are about.' })),
  total: count('Rows in the class that is shown.'),
  offset: count('How many of them come before the first one here.'),
  before: Type.Optional(
    count('With locate: how many rows come before that scenario, whether or not it is one of them itself.'),
  ),
  located: Type.Optional(
    nullable(count('With locate: the same number where it is one of the rows; null where it is not.')),
  ),
  classes,
  rows: Type.Array(
    closed({
      base: nullable(Row),
      candidates: Type.Array(ComparedRow, { description: 'One for each candidate, in their order.' }),
    }),
  ),
})
