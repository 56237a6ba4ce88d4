// What an error looks like on the wire (RFC 9457).
import type { Static } from 'typebox'
import { ImportReport } from './imports.ts'
import { closed } from './shapes.ts'
import { Type } from './type.ts'

export const Problem = closed({
  type: Type.String({ description: 'Where this error is described.' }),
  title: Type.String(),
  status: Type.Integer({ minimum: 400, maximum: 599 }),
  code: Type.String({ description: 'The error, for programs.' }),
  detail: Type.String({ description: 'What was wrong and what to do, for people.' }),
  instance: Type.String({ description: 'The id of the request, as in the log.' }),
  line: Type.Optional(Type.Integer({ minimum: 1, description: 'Of invalid-json: the line in the body.' })),
  offset: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Of invalid-json: how many bytes of the body come before.' }),
  ),
  errors: Type.Optional(
    Type.Array(
      closed({
        pointer: Type.String({ description: 'Leads to the place in the body (RFC 6901).' }),
        line: Type.Integer({ minimum: 1, description: 'The line on which the record begins.' }),
        detail: Type.String(),
      }),
      { maxItems: 100, description: 'Of invalid-content: what does not fit, the first hundred.' },
    ),
  ),
  error_count: Type.Optional(
    Type.Integer({ minimum: 1, description: 'Of invalid-content: how many errors there are in all.' }),
  ),
  report: Type.Optional(ImportReport),
})
export type Problem = Static<typeof Problem>
