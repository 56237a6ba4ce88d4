// The JSON schema of revisions.
import type { Static } from 'typebox'
import { ChangesFromPrevious } from './revision-changes.ts'
import { invalidRevision, invalidTime, MAX_REVISION } from './rules.ts'
import { freeForm, nullable, strictObject, Type } from './schema-builders.ts'
import { EvaluationOfRevision } from './scores.ts'
import { createValidator } from './validation/validator.ts'

/** A message is truncated to this many characters. */
export const MAX_MESSAGE_LENGTH = 2000

export const RevisionConfig = strictObject({
  config_name: Type.String(),
  parameters: Type.Optional(
    freeForm('Free-form parameters: prompt, model, settings. Returned exactly as they were sent.'),
  ),
})

export const VariantRevision = strictObject({
  revision: Type.Integer({ minimum: 0, maximum: MAX_REVISION }),
  modified_by: Type.String({ description: 'Display name of the author.' }),
  config: RevisionConfig,
  created_at: Type.String({ format: 'date-time', description: 'UTC, with milliseconds.' }),
  message: Type.Optional(
    nullable(
      Type.String({
        description: `What changed and why. Truncated to ${MAX_MESSAGE_LENGTH} characters. Present only with \`include=message\`.`,
      }),
    ),
  ),
  evaluations: Type.Optional(
    Type.Array(EvaluationOfRevision, {
      description:
        'The evaluations that ran this revision, newest first. Present only with `include=evaluations`.',
    }),
  ),
  changes: Type.Optional(nullable(ChangesFromPrevious)),
})
export type VariantRevision = Static<typeof VariantRevision>

export const RevisionWrite = strictObject({
  revision: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_REVISION,
      description:
        'The revision number, in plain digits. Default: the highest existing number plus one, starting at 1.',
    }),
  ),
  modified_by: Type.String({ description: 'Display name of the author.' }),
  config: RevisionConfig,
  created_at: Type.Optional(Type.String({ description: 'An RFC 3339 timestamp. Default: now.' })),
  message: Type.Optional(nullable(Type.String({ description: 'What changed and why.' }))),
})
export type RevisionWrite = Static<typeof RevisionWrite>

export const checkRevision = createValidator(RevisionWrite, (content) => [
  ...invalidRevision(content),
  ...invalidTime(content.value),
])
