// Windows of a view of an evaluation: as many rows as a screen shows, with long texts cut.

import { MAX_LIMIT } from './pages.ts'
import { EvaluationScenario } from './scenarios.ts'
import { closed, nullable } from './shapes.ts'
import { Type } from './type.ts'

export const WINDOW = { limit: 200, preview: 200 }

export const windowQuery = {
  offset: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'How many rows to leave out before the first. Default 0.',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_LIMIT,
      description: `How many rows to answer at most. Default ${WINDOW.limit}.`,
    }),
  ),
  preview: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100_000,
      description: `After how many characters a text is cut. Default ${WINDOW.preview}.`,
    }),
  ),
}

const { evaluation_id: _id, extra: _extra, ...members } = EvaluationScenario.properties

export const Row = closed({
  position: Type.Integer({ minimum: 0, description: 'Its place in the evaluation, counted from 0.' }),
  ...members,
  cut: Type.Array(Type.String(), {
    description: 'JSON pointers (RFC 6901) to the texts of this row that are not whole.',
  }),
})

const RowDelta = closed({
  evaluator: Type.String(),
  base: nullable(Type.Number({ description: 'The score in the base.' })),
  delta: nullable(Type.Number({ description: 'The score less that of the base, where there are both.' })),
})

const ComparedRow = closed({
  ...Row.properties,
  base: Type.Optional(
    nullable(
      closed({
        id: Type.String({ description: 'The scenario of the base that this row is paired with.' }),
        position: Type.Integer({ minimum: 0 }),
        deltas: Type.Array(RowDelta, { description: 'One for each evaluator of this evaluation.' }),
      }),
    ),
  ),
})

export const Rows = closed({
  total: Type.Integer({ minimum: 0, description: 'How many rows the filters leave.' }),
  offset: Type.Integer({ minimum: 0, description: 'How many of them come before the first one here.' }),
  before: Type.Optional(
    Type.Integer({
      minimum: 0,
      description:
        'With locate: how many rows come before that scenario, whether or not it is one of them itself. That many rows on is the first one behind it, or the scenario.',
    }),
  ),
  located: Type.Optional(
    nullable(
      Type.Integer({
        minimum: 0,
        description:
          'With locate: the same number where that scenario is one of the rows; null where the filters leave it out.',
      }),
    ),
  ),
  base: Type.Optional(
    closed({
      id: Type.String(),
      by: Type.String({ description: 'What the rows are paired by.' }),
      matched: Type.Integer({ minimum: 0, description: 'How many rows are paired.' }),
      match_rate: Type.Number(),
    }),
  ),
  rows: Type.Array(ComparedRow),
})
