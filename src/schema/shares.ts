// The JSON schema of API keys in responses, and of share links: keys that are restricted and expire.
import type { Static } from 'typebox'
import { MAX_COMPARED_EVALUATIONS } from './comparisons.ts'
import { idSchema, isId } from './ids.ts'
import { SCOPES, type Scope } from './keys.ts'
import { namedObject, nullable, Type, timeSchema } from './schema-builders.ts'
import { timestampSchema } from './times.ts'
import { defineFormat } from './validation/formats.ts'
import { createValidator, type ValidationError } from './validation/validator.ts'

export const KeyRestriction = namedObject(
  'KeyRestriction',
  {
    evaluation_id: Type.Optional(idSchema('The id of the only readable evaluation.')),
    comparison: Type.Optional(
      Type.Array(idSchema('The id of an evaluation.'), {
        minItems: 2,
        maxItems: MAX_COMPARED_EVALUATIONS,
        uniqueItems: true,
        description: 'The ids of the readable evaluations, the baseline first. They can be compared.',
      }),
    ),
    variant_id: Type.Optional(idSchema('The id of the only readable variant.')),
    review_id: Type.Optional(
      idSchema('The id of the review that the key can answer. It can read nothing else.'),
    ),
  },
  {
    minProperties: 1,
    maxProperties: 1,
    description: 'What the key can read or answer. Exactly one member must be set.',
  },
)
export type KeyRestriction = Static<typeof KeyRestriction>

const keyMembers = {
  public_id: Type.String({ description: 'The public part of the key, used to revoke it and in logs.' }),
  last_four: Type.String({ description: 'The last four characters of the key.' }),
  name: nullable(Type.String({ description: 'The name given at creation.' })),
  created_at: timeSchema('When the key was created.'),
}

export const OwnKey = namedObject('OwnKey', {
  ...keyMembers,
  project: Type.String({ description: 'The name of the project.' }),
  scopes: Type.Array(Type.Enum([...SCOPES]), {
    description:
      'What the key can do: `read`, `write`, or `review` (answer one review, only in share links).',
  }),
  confined_to: nullable(KeyRestriction),
  expires_at: nullable(timeSchema('When the key expires. Null if it does not expire.')),
})

export const SHARE_SCOPES = ['read', 'review'] as const satisfies Scope[]

const shareMembers = {
  ...keyMembers,
  scopes: Type.Array(Type.Enum([...SHARE_SCOPES]), {
    description: 'What the share link can do: `read`, or `review` for a link to a review.',
  }),
  confined_to: KeyRestriction,
  expires_at: timeSchema('When the share link expires.'),
}

export const Share = namedObject('Share', shareMembers)
export type Share = Static<typeof Share>

export const NewShare = namedObject('NewShare', {
  key: Type.String({ description: 'The whole key. It is returned only once.' }),
  ...shareMembers,
})
export type NewShare = Static<typeof NewShare>

defineFormat('name', isId, 'This must be a name of 1 to 200 printable characters.')

export const ShareWrite = namedObject('ShareWrite', {
  confined_to: KeyRestriction,
  name: Type.Optional(
    nullable(
      Type.String({
        format: 'name',
        description:
          'A name for the share link. Required for a review: it is the name of the reviewer. Links to a review with the same name belong to the same reviewer.',
      }),
    ),
  ),
  scopes: Type.Optional(
    nullable(
      Type.Array(Type.Enum([...SHARE_SCOPES]), {
        uniqueItems: true,
        description:
          'What the share link can do: `review` for a link to a review, otherwise `read`. Default: the allowed one.',
      }),
    ),
  ),
  expires_at: Type.Optional(
    nullable(
      timestampSchema(
        'When the share link expires, as an RFC 3339 timestamp. It must not be later than the expiry of the key that creates it. Default: in seven days, or with that key if it expires earlier.',
      ),
    ),
  ),
})
export type ShareWrite = Static<typeof ShareWrite>

export const checkShare = createValidator(ShareWrite, ({ value }) => [
  ...findInvalidScopes(value),
  ...(value.confined_to.review_id !== undefined && value.name == null
    ? [{ pointer: '/name', detail: 'A link to a review needs the name of the reviewer.' }]
    : []),
])

/** The only scope of a share link with this restriction. */
export function scopeOf({ review_id }: KeyRestriction): (typeof SHARE_SCOPES)[number] {
  return review_id === undefined ? 'read' : 'review'
}

function findInvalidScopes({ scopes, confined_to }: ShareWrite): ValidationError[] {
  const scope = scopeOf(confined_to)
  if (scopes == null || (scopes.length === 1 && scopes[0] === scope)) return []
  const detail =
    scope === 'review'
      ? "A link to a review has the scope 'review' only."
      : "This share link has the scope 'read' only. The scope 'review' needs confined_to.review_id."
  return [{ pointer: '/scopes', detail }]
}
