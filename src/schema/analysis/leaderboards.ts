// The JSON schema of leaderboards: evaluations ranked over the rows that all of them have, and windows of such rows.
import type { Static } from 'typebox'
import { difference, joinSchema } from '../comparisons.ts'
import { Row } from '../rows.ts'
import { revisionSchema } from '../rules.ts'
import {
  countSchema,
  namedObject,
  nullable,
  rangeSchema,
  statisticSchema,
  Type,
  timeSchema,
} from '../schema-builders.ts'

export const MAX_RANKED_EVALUATIONS = 50

export const LEADERBOARD_WARNINGS = [
  'evaluator-missing',
  'rows-missing',
  'inputs-differ',
  'unfinished',
] as const

const Warning = namedObject('LeaderboardWarning', {
  code: Type.Enum([...LEADERBOARD_WARNINGS]),
  evaluation: nullable(Type.String({ description: 'The id of the affected evaluation.' })),
  rows: nullable(countSchema('Number of affected rows.')),
  detail: Type.String({ description: 'A readable explanation.' }),
})
export type LeaderboardWarning = Static<typeof Warning>

const onFrontier = (measure: string) =>
  nullable(
    Type.Boolean({
      description: `True if no other evaluation has a score at least as good and a ${measure} at least as low, with one of them better. Null without a ${measure}.`,
    }),
  )

const RankedEvaluation = namedObject('RankedEvaluation', {
  id: Type.String(),
  name: nullable(Type.String()),
  variant_id: nullable(Type.String()),
  revision: nullable(revisionSchema('The revision of the variant that ran.')),
  label: nullable(Type.String({ description: 'The prompt of this evaluation in its family.' })),
  provider: nullable(Type.String({ description: 'The provider of this evaluation in its family.' })),
  created_at: timeSchema('UTC, with milliseconds.'),
  row_count: countSchema('Number of rows of the evaluation, shared or not.'),
  rank: Type.Array(Type.Integer({ minimum: 1 }), {
    minItems: 2,
    maxItems: 2,
    description:
      'The best and the worst rank that the data allow: one more than the number of evaluations that are certainly better, and the number of those that are not certainly worse, with itself.',
  }),
  mean: statisticSchema('Mean score over the shared rows. For verdicts, the pass rate.'),
  interval: nullable(rangeSchema('95 % confidence interval of `mean`, over rows.')),
  change: nullable(
    namedObject('ChangeToBest', difference, {
      description:
        'The paired change relative to the first evaluation, at the confidence of the leaderboard. Null for the first evaluation.',
    }),
  ),
  cost: namedObject('RankedCost', {
    mean: statisticSchema('Mean cost of a run of a row. Null without a cost.'),
    on_frontier: onFrontier('cost'),
  }),
  latency: namedObject('RankedLatency', {
    p50: statisticSchema('Median over the shared rows. Null without a latency.'),
    p95: statisticSchema('95 % of the shared rows are at most as slow.'),
    on_frontier: onFrontier('median latency'),
  }),
})
export type RankedEvaluation = Static<typeof RankedEvaluation>

const shared = {
  on: Type.String({ description: 'The evaluator.' }),
  higher_is_better: Type.Boolean(),
  is_verdict: Type.Boolean({ description: 'True if all scores of the shared rows are verdicts.' }),
  join: joinSchema,
}

export const Leaderboard = namedObject('Leaderboard', {
  ...shared,
  shared_rows: countSchema(
    'Number of rows that have a score in all ranked evaluations. All statistics refer to these rows.',
  ),
  confidence: Type.Number({
    description:
      'The confidence of each comparison of two evaluations: so high that all pairs together have at least 95 %.',
  }),
  evaluations: Type.Array(RankedEvaluation, {
    description: 'The highest score first, or the lowest if that is better.',
  }),
  warnings: Type.Array(Warning),
})
export type Leaderboard = Static<typeof Leaderboard>

export const CELL_STATES = ['pass', 'fail', 'mixed', 'scored', 'error', 'not-evaluated', 'missing'] as const

const Cell = namedObject('LeaderboardCell', {
  scenario: nullable(
    Type.String({ description: 'The id of the first scenario of the row. Null if the row is missing.' }),
  ),
  state: Type.Enum([...CELL_STATES], {
    description:
      '`mixed` if some repeats pass and others fail. `scored` if the score is a number without a threshold. `missing` if the evaluation does not have the row.',
  }),
  score: statisticSchema('The mean score of the repeats of the row.'),
})
export type Cell = Static<typeof Cell>

export const LeaderboardRows = namedObject('LeaderboardRows', {
  ...shared,
  evaluations: Type.Array(Type.String(), {
    description: 'The ids of the evaluations, in the order of `cells`.',
  }),
  shared_rows: countSchema('Number of rows that have a score in all evaluations.'),
  total: countSchema('Number of rows.'),
  offset: countSchema('Number of rows before the first row of this window.'),
  rows: Type.Array(
    namedObject('LeaderboardRow', {
      row: Row,
      spread: statisticSchema(
        'The standard deviation of the scores of the row. Null if fewer than two evaluations have a score.',
      ),
      cells: Type.Array(Cell, { description: 'One element per evaluation, in their order.' }),
    }),
    { description: 'The rows with the largest `spread` first.' },
  ),
})
