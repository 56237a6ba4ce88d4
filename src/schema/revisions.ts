// What one revision of a variant looks like on the wire.
import type { Static } from 'typebox'
import { checker } from './check.ts'
import { ChangesBefore } from './revision-changes.ts'
import { MAX_REVISION, wrongRevision, wrongTime } from './rules.ts'
import { EvaluationOfRevision } from './scores.ts'
import { closed, freeForm, nullable } from './shapes.ts'
import { Type } from './type.ts'

/** So many characters of a message are shown with a revision. */
export const MAX_MESSAGE = 2000

export const RevisionConfig = closed({
  config_name: Type.String(),
  parameters: Type.Optional(freeForm('Free form: prompt, model, settings, exactly as they were written.')),
})

export const VariantRevision = closed({
  revision: Type.Integer({ minimum: 0, maximum: MAX_REVISION }),
  modified_by: Type.String({ description: 'A display name.' }),
  config: RevisionConfig,
  created_at: Type.String({ format: 'date-time', description: 'UTC, with milliseconds.' }),
  message: Type.Optional(
    nullable(
      Type.String({
        description: `What was changed and why, its first ${MAX_MESSAGE} characters; present only with include=message.`,
      }),
    ),
  ),
  evaluations: Type.Optional(
    Type.Array(EvaluationOfRevision, {
      description: 'Those that ran it, newest first; present only with include=evaluations.',
    }),
  ),
  changes: Type.Optional(nullable(ChangesBefore)),
})
export type VariantRevision = Static<typeof VariantRevision>

export const RevisionWrite = closed({
  revision: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_REVISION,
      description: 'In plain digits. Without it: the highest there is and one more, 1 for the first.',
    }),
  ),
  modified_by: Type.String({ description: 'A display name.' }),
  config: RevisionConfig,
  created_at: Type.Optional(Type.String({ description: 'A time of RFC 3339. Without it: now.' })),
  message: Type.Optional(nullable(Type.String({ description: 'What was changed and why.' }))),
})
export type RevisionWrite = Static<typeof RevisionWrite>

export const checkRevision = checker(RevisionWrite, (written) => [
  ...wrongRevision(written),
  ...wrongTime(written.value),
])
