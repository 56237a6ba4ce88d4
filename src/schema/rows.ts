// Windows of rows: as many as a screen shows, with long texts cut.
import Type from 'typebox'
import { MAX_LIMIT } from './pages.ts'
import { EvaluationScenario } from './scenarios.ts'
import { closed } from './shapes.ts'

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
