// The JSON schema of breakdowns: statistics of the groups of an evaluation's rows.
import type { Static } from 'typebox'
import { countSchema, namedObject, nullable, statisticSchema, Type } from '../schema-builders.ts'
import { BaselineStatistics, SummaryBaseline } from '../summaries.ts'

/** Only the groups with the most rows are listed. The others are combined. */
export const MAX_GROUPS = 200

const GroupChange = namedObject('GroupChange', {
  ...BaselineStatistics.properties,
  confidence: statisticSchema(
    'The confidence level of `interval`. With several groups it is higher than 0.95, so that all intervals of an evaluator together have a confidence of 95 %.',
  ),
  contribution: statisticSchema(
    'The part of the mean difference of all rows that this group causes: `delta` times `n`, divided by `n` of all rows. The contributions of all groups add up to the mean difference.',
  ),
})
export type GroupChange = Static<typeof GroupChange>

const change = Type.Optional(GroupChange)

const EvaluatorGroupStatistics = namedObject('EvaluatorGroupStatistics', {
  name: Type.String({ description: 'The name of the evaluator.' }),
  n: countSchema('Number of rows with a score: a number, or true as 1 and false as 0.'),
  mean: statisticSchema('Mean score. Null without scores.'),
  pass_rate: statisticSchema(
    'Fraction of passed verdicts. If the evaluator has a threshold, scores count as verdicts. Null without verdicts.',
  ),
  base: change,
})

const statistics = {
  rows: countSchema('Number of rows.'),
  output_errors: countSchema('Number of rows where the application failed.'),
  evaluators: Type.Array(EvaluatorGroupStatistics, {
    description: 'All evaluators of the evaluation, in the order of their first occurrence.',
  }),
  cost: namedObject('GroupCost', {
    n: countSchema('Number of rows with a cost.'),
    total: statisticSchema('Total cost in US dollars.'),
    mean: statisticSchema('Mean cost per row in US dollars.'),
    base: change,
  }),
  latency: namedObject('GroupLatency', {
    n: countSchema('Number of rows with a latency.'),
    mean: statisticSchema('Mean latency in seconds.'),
    base: change,
  }),
}

export const GROUP_KINDS = ['value', 'missing', 'error'] as const

const BreakdownGroup = namedObject('BreakdownGroup', {
  kind: Type.Enum([...GROUP_KINDS], {
    description:
      '`value`: the rows with this value. `missing`: the rows without a value. `error`: with `by=result.<evaluator>`, the rows where the evaluator failed.',
  }),
  value: Type.Optional(
    Type.Unknown({
      description:
        'The value of the input, the result, or the error group. Only for the kind `value`. A long value is cut to a text.',
    }),
  ),
  is_cut: Type.Optional(
    Type.Boolean({
      description:
        'True if `value` is only the start of its JSON text. `first` is the id of a scenario with the whole value.',
    }),
  ),
  first: Type.String({ description: 'The id of the first scenario of the group.' }),
  ...statistics,
})
export type BreakdownGroup = Static<typeof BreakdownGroup>

const GroupStatistics = namedObject('GroupStatistics', statistics)
export type GroupStatistics = Static<typeof GroupStatistics>

export const Breakdown = namedObject('Breakdown', {
  id: Type.String({ description: 'The id of the evaluation.' }),
  by: Type.String({ description: 'What the rows are grouped by.' }),
  evaluators: Type.Array(
    namedObject('BrokenDownEvaluator', {
      name: Type.String(),
      higher_is_better: Type.Boolean({ description: 'As declared. Default true.' }),
      threshold: statisticSchema('As declared by the evaluation.'),
    }),
  ),
  base: Type.Optional(SummaryBaseline),
  total: GroupStatistics,
  group_count: countSchema('Number of all groups.'),
  groups: Type.Array(BreakdownGroup, {
    maxItems: MAX_GROUPS,
    description: `The ${MAX_GROUPS} groups with the most rows, in the requested order.`,
  }),
  rest: nullable(GroupStatistics),
})
export type Breakdown = Static<typeof Breakdown>
