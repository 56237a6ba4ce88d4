// What an error looks like on the wire (RFC 9457).
import Type, { type Static } from 'typebox'
import { closed } from './shapes.ts'

export const Problem = closed({
  type: Type.String({ description: 'Where this error is described.' }),
  title: Type.String(),
  status: Type.Integer({ minimum: 400, maximum: 599 }),
  code: Type.String({ description: 'The error, for programs.' }),
  detail: Type.String({ description: 'What was wrong and what to do, for people.' }),
  instance: Type.String({ description: 'The id of the request, as in the log.' }),
})
export type Problem = Static<typeof Problem>
