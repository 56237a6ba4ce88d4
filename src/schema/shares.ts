// The JSON schema of share links: read-only keys that are restricted and expire.
import type { Static } from 'typebox'
import { MAX_COMPARED_EVALUATIONS } from './comparisons.ts'
import { ID_RULES, isId } from './ids.ts'
import { invalidTime } from './rules.ts'
import { nullable, strictObject, Type } from './schema-builders.ts'
import { createValidator, type ValidationError } from './validation/validator.ts'

export const KeyRestriction = Type.Object(
  {
    evaluation_id: Type.Optional(Type.String({ description: 'The id of the only readable evaluation.' })),
    comparison: Type.Optional(
      Type.Array(Type.String(), {
        minItems: 2,
        maxItems: MAX_COMPARED_EVALUATIONS,
        uniqueItems: true,
        description: 'The ids of the readable evaluations, the baseline first. They can be compared.',
      }),
    ),
    variant_id: Type.Optional(Type.String({ description: 'The id of the only readable variant.' })),
  },
  {
    additionalProperties: false,
    minProperties: 1,
    maxProperties: 1,
    description: 'What the key can read. Exactly one member must be set.',
  },
)
export type KeyRestriction = Static<typeof KeyRestriction>

const timeSchema = (description: string) => Type.String({ format: 'date-time', description })

const shareMembers = {
  public_id: Type.String({ description: 'The public part of the key. Use it to revoke the share link.' }),
  last_four: Type.String({ description: 'The last four characters of the key.' }),
  name: nullable(Type.String({ description: 'The name given at creation.' })),
  confined_to: KeyRestriction,
  created_at: timeSchema('When the share link was created.'),
  expires_at: timeSchema('When the share link expires.'),
}

export const Share = strictObject(shareMembers)
export type Share = Static<typeof Share>

export const NewShare = strictObject({
  key: Type.String({ description: 'The whole key. It is returned only once.' }),
  ...shareMembers,
})
export type NewShare = Static<typeof NewShare>

export const ShareWrite = strictObject({
  confined_to: KeyRestriction,
  name: Type.Optional(nullable(Type.String({ description: 'A name for the share link.' }))),
  expires_at: Type.Optional(
    nullable(
      Type.String({
        description:
          'When the share link expires, as an RFC 3339 timestamp. It must not be later than the expiry of the key that creates it. Default: in seven days, or with that key if it expires earlier.',
      }),
    ),
  ),
})
export type ShareWrite = Static<typeof ShareWrite>

export const checkShare = createValidator(ShareWrite, ({ value }) => [
  ...invalidRestriction(value.confined_to),
  ...invalidName(value),
  ...invalidTime(value, 'expires_at'),
])

function invalidRestriction({
  evaluation_id,
  comparison = [],
  variant_id,
}: KeyRestriction): ValidationError[] {
  const ids = Object.entries({ evaluation_id, variant_id, ...comparisonIds(comparison) })
  return ids
    .filter(([, id]) => id !== undefined && !isId(id))
    .map(([path]) => ({ pointer: `/confined_to/${path}`, detail: ID_RULES }))
}

function comparisonIds(comparison: string[]): Record<string, string> {
  return Object.fromEntries(comparison.map((id, index) => [`comparison/${index}`, id]))
}

function invalidName({ name }: ShareWrite): ValidationError[] {
  if (name == null || isId(name)) return []
  return [{ pointer: '/name', detail: 'This must be a name of 1 to 200 printable characters.' }]
}
