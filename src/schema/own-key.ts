// A key as it is told to whoever uses it: what it is for and how long it lasts. Its secret is in no answer.

import { SCOPES } from './keys.ts'
import { closed, nullable } from './shapes.ts'
import { ConfinedTo } from './shares.ts'
import { Type } from './type.ts'

const time = (description: string) => Type.String({ format: 'date-time', description })

export const OwnKey = closed({
  project: Type.String({ description: 'The project it belongs to, by name.' }),
  name: nullable(Type.String({ description: 'What it was called when it was made.' })),
  scopes: Type.Array(Type.Unsafe<(typeof SCOPES)[number]>({ type: 'string', enum: [...SCOPES] }), {
    description: 'What it may do: read, write or both.',
  }),
  confined_to: nullable(ConfinedTo),
  expires_at: nullable(time('When it ends; null where it does not end by itself.')),
  created_at: time('When it was made.'),
  last_four: Type.String({ description: 'Its last four characters.' }),
  public_id: Type.String({ description: 'Its public part, by which commands and logs name it.' }),
})
