// What changed between two revisions, on the wire.
import type { TProperties } from 'typebox'
import { closed, nullable } from './shapes.ts'
import { Type } from './type.ts'

/** So many changes are listed of a difference, and with every revision of a list. */
export const MAX_CHANGES = 10_000
export const MAX_CHANGES_A_REVISION = 100

const change = {
  path: Type.String({
    description:
      'Where it is: names with dots, places in a list in brackets, other names in brackets and quotes. Of what was removed: where it was.',
  }),
  old_path: nullable(Type.String({ description: 'Where it was, if that is another path.' })),
  kind: Type.Enum(['added', 'removed', 'changed', 'moved'], {
    type: 'string',
    description: 'moved: an element of a list whose order among those on both sides changed.',
  }),
}

const lines = nullable(closed({ added: Type.Integer({ minimum: 0 }), removed: Type.Integer({ minimum: 0 }) }))

function comparison(changes: TProperties, most: number) {
  return {
    config_name: nullable(closed({ old: Type.String(), new: Type.String() })),
    parameter_count: Type.Integer({
      minimum: 0,
      description: 'How many there are in both together: scalars and empty containers, by path.',
    }),
    change_count: Type.Integer({ minimum: 0 }),
    changes: Type.Array(closed(changes), {
      description: `The first ${most} of them, or fewer where paths are very long.`,
    }),
  }
}

export const RevisionDiff = closed({
  variant_id: Type.String(),
  from: Type.Integer({ minimum: 0 }),
  to: Type.Integer({ minimum: 0 }),
  ...comparison(
    {
      ...change,
      old: Type.Optional(
        Type.Unknown({ description: 'Exactly as it was written; absent where there was none.' }),
      ),
      new: Type.Optional(
        Type.Unknown({ description: 'Exactly as it was written; absent where there is none.' }),
      ),
      lines,
    },
    MAX_CHANGES,
  ),
})

/** What `include=changes` adds to a revision; null for the first. */
export const ChangesBefore = closed({
  against: Type.Integer({ minimum: 0, description: 'The revision before it.' }),
  ...comparison({ ...change, lines }, MAX_CHANGES_A_REVISION),
})
