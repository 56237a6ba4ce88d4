// The JSON schema of row windows: a range of filtered and sorted rows, with long texts truncated.

import { MAX_LIMIT } from './pages.ts'
import { EvaluationScenario } from './scenarios.ts'
import { nullable, strictObject, Type } from './schema-builders.ts'

export const WINDOW = { limit: 200, preview: 200 }

export const windowQuery = {
  offset: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Number of rows to skip. Default 0.',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_LIMIT,
      description: `Maximum number of rows to return. Default ${WINDOW.limit}.`,
    }),
  ),
  preview: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100_000,
      description: `Texts are truncated after this many characters. Default ${WINDOW.preview}.`,
    }),
  ),
}

const { evaluation_id: _id, extra: _extra, ...members } = EvaluationScenario.properties

export const Row = strictObject({
  position: Type.Integer({ minimum: 0, description: 'The position in the evaluation, counted from 0.' }),
  ...members,
  cut: Type.Array(Type.String(), {
    description: 'JSON pointers (RFC 6901) to the truncated texts of this row.',
  }),
})

const RowDelta = strictObject({
  evaluator: Type.String(),
  base: nullable(Type.Number({ description: 'The score in the baseline.' })),
  delta: nullable(Type.Number({ description: 'Score minus the score of the baseline, if both exist.' })),
})

const ComparedRow = strictObject({
  ...Row.properties,
  base: Type.Optional(
    nullable(
      strictObject({
        id: Type.String({ description: 'The matched scenario of the baseline.' }),
        position: Type.Integer({ minimum: 0 }),
        deltas: Type.Array(RowDelta, { description: 'One element per evaluator of this evaluation.' }),
      }),
    ),
  ),
})

export const Rows = strictObject({
  total: Type.Integer({ minimum: 0, description: 'Number of rows that match the filters.' }),
  offset: Type.Integer({ minimum: 0, description: 'Number of rows before the first row of this window.' }),
  before: Type.Optional(
    Type.Integer({
      minimum: 0,
      description:
        'With `locate`: number of matching rows before that scenario, even if the scenario itself does not match the filters.',
    }),
  ),
  located: Type.Optional(
    nullable(
      Type.Integer({
        minimum: 0,
        description:
          'With `locate`: the index of that scenario among the matching rows. Null if it does not match the filters.',
      }),
    ),
  ),
  base: Type.Optional(
    strictObject({
      id: Type.String(),
      by: Type.String({ description: 'The join key.' }),
      matched: Type.Integer({ minimum: 0, description: 'Number of matched rows.' }),
      match_rate: Type.Number(),
    }),
  ),
  rows: Type.Array(ComparedRow),
})
