// What the summary of an evaluation looks like on the wire.
import type { Static } from 'typebox'
import { closed, nullable } from './shapes.ts'
import { Type } from './type.ts'

const count = (description: string) => Type.Integer({ minimum: 0, description })
const figure = (description: string) => nullable(Type.Number({ description }))

const spread = {
  mean: figure('Null where there is no number.'),
  minimum: figure('The least of them.'),
  maximum: figure('The greatest of them.'),
  quantiles: closed({
    p05: figure('5 % lie below.'),
    p25: figure('25 % lie below.'),
    p50: figure('The median.'),
    p75: figure('75 % lie below.'),
    p95: figure('95 % lie below.'),
  }),
  bins: Type.Array(
    closed({
      from: Type.Number({ description: 'The least number of the bin.' }),
      to: Type.Number({ description: 'Where the next bin begins; the last one has this number in it.' }),
      count: count('How many lie in it.'),
    }),
    {
      description:
        '20 of equal width from minimum to maximum; one where these are the same, none without a number.',
    },
  ),
}

const against = {
  base: Type.Optional(
    closed({
      n: count('Pairs with a number on both sides: what this is about.'),
      mean: figure('Of the base, over these pairs.'),
      delta: figure('The mean of the differences, this evaluation less its base.'),
      interval: nullable(
        Type.Array(Type.Number(), {
          minItems: 2,
          maxItems: 2,
          description: 'delta less and plus 1.96 standard errors.',
        }),
      ),
      outcome: nullable(
        Type.Enum(['better', 'worse', 'tied'], {
          type: 'string',
          description: 'tied where the interval holds 0 or is not known.',
        }),
      ),
      regressed: count('Pairs that are worse than in the base.'),
      improved: count('Pairs that are better.'),
    }),
  ),
}

const Spread = closed({
  n: count('Scenarios that have one.'),
  missing: count('Scenarios that have none.'),
  total: figure('All of them added up.'),
  ...spread,
  ...against,
})

const EvaluatorSummary = closed({
  name: Type.String({ description: 'The string in results[].evaluator_config.' }),
  higher_is_better: Type.Boolean({ description: 'As the evaluation declares it, else true.' }),
  threshold: nullable(Type.Number({ description: 'As the evaluation declares it.' })),
  n: count('Scenarios with a score: a number, or true as 1 and false as 0.'),
  texts: count('Scenarios with a text for a result, which is no score.'),
  errors: count('Scenarios where the evaluator failed.'),
  output_errors: count('Scenarios where the application failed, so that nothing was scored.'),
  unscored: count('All other scenarios.'),
  passed: nullable(count('Scores that are true, or numbers that reach the threshold.')),
  failed: nullable(count('Scores that are false, or numbers that do not reach the threshold.')),
  pass_rate: figure('Passed out of passed and failed. Null where there is no verdict.'),
  ...spread,
  ...against,
})

export const EvaluationSummary = closed({
  id: Type.String({ description: 'The id of the evaluation.' }),
  scenario_count: count('All scenarios of the evaluation.'),
  matched: count('Those that everything else here is about.'),
  output_errors: count('Scenarios where the application failed.'),
  pinned: count('Scenarios that are pinned.'),
  noted: count('Scenarios with a note.'),
  columns: closed({
    inputs: Type.Array(Type.String()),
    expected: Type.Array(Type.String()),
    evaluators: Type.Array(Type.String()),
  }),
  evaluators: Type.Array(EvaluatorSummary),
  cost: Spread,
  latency: Spread,
  error_groups: Type.Array(
    closed({
      group: Type.String({ description: 'The message, with numbers, names and keys taken out.' }),
      evaluator: nullable(Type.String({ description: 'The evaluator that failed; null: the application.' })),
      count: count('How many scenarios have it.'),
      first: Type.String({ description: 'The id of the first of them.' }),
    }),
    { description: 'The most frequent first, at most 50.' },
  ),
  error_group_count: count('How many groups there are.'),
  base: Type.Optional(
    closed({
      id: Type.String({ description: 'The evaluation that this one is beside.' }),
      name: nullable(Type.String()),
      variant_id: nullable(Type.String({ description: 'What it ran.' })),
      revision: nullable(Type.Integer({ minimum: 0 })),
      by: Type.String({ description: 'What rows are paired by: id, input or position.' }),
      matched: count('Rows with a partner.'),
      match_rate: Type.Number({ description: 'The same as a part of the smaller evaluation.' }),
    }),
  ),
})
export type EvaluationSummary = Static<typeof EvaluationSummary>
