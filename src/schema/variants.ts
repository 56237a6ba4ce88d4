// What a variant looks like in a list.
import Type, { type Static } from 'typebox'
import { closed, nullable } from './shapes.ts'

export const Variant = closed({
  id: Type.String(),
  name: nullable(Type.String()),
  created_at: Type.String({ format: 'date-time', description: 'UTC, with milliseconds.' }),
  revision_count: Type.Integer({ minimum: 0 }),
  latest_revision: nullable(
    Type.Integer({ description: 'The highest revision number; null without a revision.' }),
  ),
})
export type Variant = Static<typeof Variant>
