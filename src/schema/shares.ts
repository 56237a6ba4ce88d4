// A share: a key that reads what it is confined to until it ends, as it is asked for and as it is answered.
import type { Static } from 'typebox'
import { type ContentError, checker } from './check.ts'
import { MOST_COMPARED } from './comparisons.ts'
import { ID_RULES, isId } from './ids.ts'
import { wrongTime } from './rules.ts'
import { closed, nullable } from './shapes.ts'
import { Type } from './type.ts'

export const ConfinedTo = Type.Object(
  {
    evaluation_id: Type.Optional(Type.String({ description: 'The one evaluation that it reads.' })),
    comparison: Type.Optional(
      Type.Array(Type.String(), {
        minItems: 2,
        maxItems: MOST_COMPARED,
        uniqueItems: true,
        description: 'The evaluations that it reads and compares, by their ids, the base first.',
      }),
    ),
    variant_id: Type.Optional(Type.String({ description: 'The one variant that it reads.' })),
  },
  {
    additionalProperties: false,
    minProperties: 1,
    maxProperties: 1,
    description: 'What a key reads, in exactly one of these members: nothing else is open to it.',
  },
)
export type ConfinedTo = Static<typeof ConfinedTo>

const time = (description: string) => Type.String({ format: 'date-time', description })

const told = {
  public_id: Type.String({ description: 'Its public part, by which it is revoked.' }),
  last_four: Type.String({ description: 'Its last four characters.' }),
  name: nullable(Type.String({ description: 'What it was called when it was made.' })),
  confined_to: ConfinedTo,
  created_at: time('When it was made.'),
  expires_at: time('When it ends.'),
}

export const Share = closed(told)
export type Share = Static<typeof Share>

export const NewShare = closed({
  key: Type.String({ description: 'The key itself. This is the only answer that has it.' }),
  ...told,
})
export type NewShare = Static<typeof NewShare>

export const ShareWrite = closed({
  confined_to: ConfinedTo,
  name: Type.Optional(nullable(Type.String({ description: 'A name to know it by.' }))),
  expires_at: Type.Optional(
    nullable(
      Type.String({
        description:
          'When it ends: a time of RFC 3339, not behind the end of the key that asks. Without it: in seven days, or with that key if it ends earlier.',
      }),
    ),
  ),
})
export type ShareWrite = Static<typeof ShareWrite>

export const checkShare = checker(ShareWrite, ({ value }) => [
  ...wrongConfinement(value.confined_to),
  ...wrongName(value),
  ...wrongTime(value, 'expires_at'),
])

function wrongConfinement({ evaluation_id, comparison = [], variant_id }: ConfinedTo): ContentError[] {
  const ids = Object.entries({ evaluation_id, variant_id, ...named(comparison) })
  return ids
    .filter(([, id]) => id !== undefined && !isId(id))
    .map(([place]) => ({ pointer: `/confined_to/${place}`, detail: ID_RULES }))
}

function named(comparison: string[]): Record<string, string> {
  return Object.fromEntries(comparison.map((id, place) => [`comparison/${place}`, id]))
}

function wrongName({ name }: ShareWrite): ContentError[] {
  if (name == null || isId(name)) return []
  return [{ pointer: '/name', detail: 'This must be a name of 1 to 200 printable characters.' }]
}
