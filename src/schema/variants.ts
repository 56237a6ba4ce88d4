// The JSON schema of variants, and of the bodies that create and change them.
import type { Static } from 'typebox'
import { idSchema } from './ids.ts'
import { revisionSchema } from './rules.ts'
import {
  countSchema,
  namedObject,
  nullable,
  optionalMembers,
  strictObject,
  Type,
  timeSchema,
} from './schema-builders.ts'
import { timestampSchema } from './times.ts'
import { createValidator } from './validation/validator.ts'

const name = nullable(Type.String())

export const Variant = namedObject('Variant', {
  id: Type.String(),
  name,
  created_at: timeSchema('UTC, with milliseconds.'),
  updated_at: timeSchema('The time of the last write that changed the variant or added a revision.'),
  revision_count: countSchema('Number of revisions.'),
  latest_revision: nullable(revisionSchema('The highest revision number. Null without revisions.')),
})
export type Variant = Static<typeof Variant>

export const VariantWrite = namedObject(
  'VariantWrite',
  optionalMembers({
    id: nullable(idSchema('1 to 200 characters, unique in the project. Generated if omitted.')),
    name,
  }),
)
export type VariantWrite = Static<typeof VariantWrite>

export const checkVariant = createValidator(VariantWrite)

export const VariantPatch = namedObject('VariantPatch', optionalMembers({ name }))
export type VariantPatch = Static<typeof VariantPatch>
export const checkVariantPatch = createValidator(VariantPatch)

/** A variant in a full export. */
export const checkVariantRecord = createValidator(
  strictObject({
    ...VariantWrite.properties,
    id: idSchema('The id.'),
    created_at: timestampSchema('When it was created.'),
  }),
)
