// The JSON schema of variants, and of the body that creates them.
import type { Static } from 'typebox'
import { invalidIds, invalidTime } from './rules.ts'
import { nullable, strictObject, Type } from './schema-builders.ts'
import { createValidator } from './validation/validator.ts'

export const Variant = strictObject({
  id: Type.String(),
  name: nullable(Type.String()),
  created_at: Type.String({ format: 'date-time', description: 'UTC, with milliseconds.' }),
  revision_count: Type.Integer({ minimum: 0 }),
  latest_revision: nullable(
    Type.Integer({ description: 'The highest revision number. Null without revisions.' }),
  ),
})
export type Variant = Static<typeof Variant>

export const VariantWrite = strictObject({
  id: Type.Optional(
    nullable(
      Type.String({ description: '1 to 200 characters, unique in the project. Generated if omitted.' }),
    ),
  ),
  name: Type.Optional(nullable(Type.String())),
})
export type VariantWrite = Static<typeof VariantWrite>

export const checkVariant = createValidator(VariantWrite, ({ value }) => invalidIds(value, 'id'))

/** A variant in a full export. */
export const checkVariantRecord = createValidator(
  strictObject({ ...VariantWrite.properties, id: Type.String(), created_at: Type.String() }),
  ({ value }) => [...invalidIds(value, 'id'), ...invalidTime(value)],
)
