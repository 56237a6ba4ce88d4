// The JSON schema of the response to GET /key: the API key of the request, without its secret.

import { SCOPES } from './keys.ts'
import { nullable, strictObject, Type } from './schema-builders.ts'
import { KeyRestriction } from './shares.ts'

const timeSchema = (description: string) => Type.String({ format: 'date-time', description })

export const OwnKey = strictObject({
  project: Type.String({ description: 'The name of the project.' }),
  name: nullable(Type.String({ description: 'The name given at creation.' })),
  scopes: Type.Array(Type.Unsafe<(typeof SCOPES)[number]>({ type: 'string', enum: [...SCOPES] }), {
    description: 'What the key can do: `read`, `write` or both.',
  }),
  confined_to: nullable(KeyRestriction),
  expires_at: nullable(timeSchema('When the key expires. Null if it does not expire.')),
  created_at: timeSchema('When the key was created.'),
  last_four: Type.String({ description: 'The last four characters of the key.' }),
  public_id: Type.String({ description: 'The public part of the key, used in commands and logs.' }),
})
