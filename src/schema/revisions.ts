// The JSON schema of revisions.
import type { Static } from 'typebox'
import { ChangesFromPrevious } from './revision-changes.ts'
import { invalidRevision, revisionSchema } from './rules.ts'
import { freeForm, namedObject, nullable, Type, timeSchema } from './schema-builders.ts'
import { EvaluationOfRevision } from './scores.ts'
import { timestampSchema } from './times.ts'
import { createValidator } from './validation/validator.ts'

/** A message is truncated to this many characters. */
export const MAX_MESSAGE_LENGTH = 2000

const RevisionConfig = namedObject('RevisionConfig', {
  config_name: Type.String(),
  parameters: Type.Optional(
    freeForm('Free-form parameters: prompt, model, settings. Returned exactly as they were sent.'),
  ),
})

const content = {
  modified_by: Type.String({ description: 'Display name of the author.' }),
  config: RevisionConfig,
}

export const VariantRevision = namedObject('VariantRevision', {
  revision: revisionSchema('The revision number.'),
  ...content,
  created_at: timeSchema('UTC, with milliseconds.'),
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

export const RevisionWrite = namedObject('RevisionWrite', {
  revision: Type.Optional(
    revisionSchema(
      'The revision number, in plain digits. Default: the highest existing number plus one, starting at 1.',
    ),
  ),
  ...content,
  created_at: Type.Optional(timestampSchema('An RFC 3339 timestamp. Default: now.')),
  message: Type.Optional(nullable(Type.String({ description: 'What changed and why.' }))),
})
export type RevisionWrite = Static<typeof RevisionWrite>

export const checkRevision = createValidator(RevisionWrite, invalidRevision)
