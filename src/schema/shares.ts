// The JSON schema of API keys in responses, and of share links: keys that are restricted and expire.
import type { Static } from 'typebox'
import { MAX_COMPARED_EVALUATIONS } from './comparisons.ts'
import { idSchema, isId } from './ids.ts'
import { SCOPES, type Scope } from './keys.ts'
import { namedObject, nullable, Type, timeSchema } from './schema-builders.ts'
import { timestampSchema } from './times.ts'
import { defineFormat } from './validation/formats.ts'
import { createValidator } from './validation/validator.ts'

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
  },
  {
    minProperties: 1,
    maxProperties: 1,
    description: 'What the key can read. Exactly one member must be set.',
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
      'What the key can do: `read`, `write`, or `review` (add results of human evaluators, only in share links).',
  }),
  confined_to: nullable(KeyRestriction),
  expires_at: nullable(timeSchema('When the key expires. Null if it does not expire.')),
})

export const SHARE_SCOPES = ['read', 'review'] as const satisfies Scope[]

const shareMembers = {
  ...keyMembers,
  scopes: Type.Array(Type.Enum([...SHARE_SCOPES]), {
    description: 'What the share link can do: `read`, or `read` and `review`.',
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
  name: Type.Optional(nullable(Type.String({ format: 'name', description: 'A name for the share link.' }))),
  scopes: Type.Optional(
    nullable(
      Type.Array(Type.Enum([...SHARE_SCOPES]), {
        uniqueItems: true,
        description:
          'What the share link can do. `read` is required. With `review`, which needs `confined_to.evaluation_id`, it can also add results of evaluators with the kind `human` to this evaluation. Default: `read`.',
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

export const checkShare = createValidator(ShareWrite, ({ value: { scopes, confined_to } }) => {
  const detail = invalidScopes(scopes ?? ['read'], confined_to)
  return detail === undefined ? [] : [{ pointer: '/scopes', detail }]
})

function invalidScopes(scopes: readonly Scope[], { evaluation_id }: KeyRestriction): string | undefined {
  if (!scopes.includes('read')) return "A share link needs the scope 'read'."
  if (scopes.includes('review') && evaluation_id === undefined)
    return "The scope 'review' needs a share link of one evaluation. Set confined_to.evaluation_id."
  return undefined
}
