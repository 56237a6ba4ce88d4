// What a variant looks like on the wire, and what may be written of it.
import type { Static } from 'typebox'
import { checker } from './check.ts'
import { wrongIds, wrongTime } from './rules.ts'
import { closed, nullable } from './shapes.ts'
import { Type } from './type.ts'

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

export const VariantWrite = closed({
  id: Type.Optional(
    nullable(
      Type.String({ description: '1 to 200 characters, unique in the project; without it one is made.' }),
    ),
  ),
  name: Type.Optional(nullable(Type.String())),
})
export type VariantWrite = Static<typeof VariantWrite>

export const checkVariant = checker(VariantWrite, ({ value }) => wrongIds(value, 'id'))

/** A variant as a full export has it. */
export const checkVariantRecord = checker(
  closed({ id: Type.String(), name: nullable(Type.String()), created_at: Type.String() }),
  ({ value }) => [...wrongIds(value, 'id'), ...wrongTime(value)],
)
