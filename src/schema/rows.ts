// The JSON schema of row windows: a range of filtered and sorted rows, with long texts truncated.

import type { Static } from 'typebox'
import { MAX_LIMIT } from './pages.ts'
import { chosenSchema } from './rules.ts'
import { EvaluationScenario } from './scenarios.ts'
import {
  countSchema,
  namedObject,
  nullable,
  optionalMembers,
  statisticSchema,
  Type,
} from './schema-builders.ts'

export const WINDOW = { limit: 200, preview: 200 }

export const windowQuery = optionalMembers({
  offset: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'Number of rows to skip. Default 0.',
  }),
  limit: Type.Integer({
    minimum: 1,
    maximum: MAX_LIMIT,
    description: `Maximum number of rows to return. Default ${WINDOW.limit}.`,
  }),
  preview: Type.Integer({
    minimum: 1,
    maximum: 100_000,
    description: `Texts are truncated after this many characters. Default ${WINDOW.preview}.`,
  }),
})

const {
  evaluation_id: _id,
  extra: _extra,
  has_generated_id: _generated,
  ...members
} = EvaluationScenario.properties

const rowMembers = {
  position: countSchema('The position in the evaluation, counted from 0.'),
  ...members,
  conversations: Type.Optional(
    Type.Array(
      namedObject('ConversationPreview', {
        pointer: Type.String({
          description: 'JSON pointer to the value in this row, such as `/outputs/0/result/value`.',
        }),
        kind: Type.Enum(['message', 'tool_call']),
        text: Type.String({
          description:
            'The last message of the user, for an output or expected answer that of the assistant. If it ends with tool calls, the names of the tools.',
        }),
      }),
      { description: 'The values of this row that are conversations. Left out if there are none.' },
    ),
  ),
  cut: Type.Array(Type.String(), {
    description: 'JSON pointers (RFC 6901) to the truncated texts of this row.',
  }),
}

export const Row = namedObject('Row', rowMembers)

/** The position of a scenario in the result of a window. */
export const locatedMembers = {
  before: Type.Optional(
    countSchema(
      'With `locate`: number of rows before that scenario, even if the scenario is not in the result.',
    ),
  ),
  located: Type.Optional(
    nullable(
      countSchema(
        'With `locate`: the index of that scenario in the result. Null if it is not in the result.',
      ),
    ),
  ),
}

const RowDelta = namedObject('RowDelta', {
  evaluator: Type.String(),
  base: statisticSchema('The score in the baseline.'),
  delta: statisticSchema('Score minus the score of the baseline, if both exist.'),
})

/** A row can have any number of repeats. */
export const MAX_LISTED_REPEATS = 100

export const repeatIds = Type.Array(Type.String(), {
  maxItems: MAX_LISTED_REPEATS,
  description: `The ids of the first ${MAX_LISTED_REPEATS} scenarios of the row, in order.`,
})

const RowRepeats = namedObject('RowRepeats', {
  count: countSchema('Number of scenarios of the row.'),
  scenarios: repeatIds,
  scores: Type.Array(
    namedObject('RepeatScores', {
      evaluator: Type.String(),
      is_verdict: Type.Boolean({ description: 'True if all scores are verdicts.' }),
      mean: statisticSchema('The mean of all repeats with a score.'),
      scores: Type.Array(nullable(Type.Number()), {
        description:
          'The scores of `scenarios`: a number, or true as 1 and false as 0. Null without a score.',
      }),
    }),
    { description: 'One element per evaluator of this evaluation.' },
  ),
})
export type RowRepeats = Static<typeof RowRepeats>

const EvaluationRow = namedObject('EvaluationRow', {
  ...rowMembers,
  reasons: Type.Optional(
    Type.Array(
      nullable(
        namedObject('RowReason', {
          reason: nullable(
            Type.String({ description: 'Null without one. A reason that is not a text is JSON text.' }),
          ),
          by: nullable(Type.String({ description: 'Who gave the result. Null if it is not stored.' })),
        }),
      ),
      {
        description:
          'With `include=reasons`: for each element of `results`, its reason and who gave it. It ends with the last result that has one.',
      },
    ),
  ),
  repeats: Type.Optional(nullable(RowRepeats)),
  base: Type.Optional(
    nullable(
      namedObject('BaselineRow', {
        id: Type.String({ description: 'The matched scenario of the baseline.' }),
        position: countSchema('The position in the baseline, counted from 0.'),
        deltas: Type.Array(RowDelta, { description: 'One element per evaluator of this evaluation.' }),
      }),
    ),
  ),
})

export const Rows = namedObject('EvaluationRows', {
  total: countSchema('Number of rows that match the filters.'),
  offset: countSchema('Number of rows before the first row of this window.'),
  ...locatedMembers,
  base: Type.Optional(
    namedObject('RowsBaseline', {
      id: Type.String(),
      chosen: chosenSchema,
      by: Type.String({ description: 'The join key.' }),
      matched: countSchema('Number of matched rows.'),
      match_rate: Type.Number({ description: 'Matched rows as a fraction of the smaller evaluation.' }),
    }),
  ),
  rows: Type.Array(EvaluationRow),
})
