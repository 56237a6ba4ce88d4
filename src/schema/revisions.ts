// What one revision of a variant looks like on the wire.
import Type, { type Static } from 'typebox'
import { closed } from './shapes.ts'

export const RevisionConfig = closed({
  config_name: Type.String(),
  parameters: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description: 'Free form: prompt, model, settings, exactly as they were written.',
    }),
  ),
})

export const VariantRevision = closed({
  revision: Type.Integer({ minimum: 0, maximum: 2147483647 }),
  modified_by: Type.String({ description: 'A display name.' }),
  config: RevisionConfig,
  created_at: Type.String({ format: 'date-time', description: 'UTC, with milliseconds.' }),
})
export type VariantRevision = Static<typeof VariantRevision>
