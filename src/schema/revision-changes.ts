// The JSON schema of changes between two revisions.
import type { TProperties } from 'typebox'
import { nullable, strictObject, Type } from './schema-builders.ts'

/** The maximum number of changes in a diff, and per revision in a list. */
export const MAX_CHANGES = 10_000
export const MAX_CHANGES_PER_REVISION = 100

const changeMembers = {
  path: Type.String({
    description:
      'The path: names separated by dots, list indexes in brackets, special names in brackets and quotes. For removed values, the old path.',
  }),
  old_path: nullable(Type.String({ description: 'The old path, if it differs.' })),
  kind: Type.Enum(['added', 'removed', 'changed', 'moved'], {
    type: 'string',
    description: '`moved`: a list element whose order relative to the other common elements changed.',
  }),
}

const lines = nullable(
  strictObject({ added: Type.Integer({ minimum: 0 }), removed: Type.Integer({ minimum: 0 }) }),
)

function describeComparison(changes: TProperties, limit: number) {
  return {
    config_name: nullable(strictObject({ old: Type.String(), new: Type.String() })),
    parameter_count: Type.Integer({
      minimum: 0,
      description: 'Number of distinct parameters in both revisions: scalars and empty containers, by path.',
    }),
    change_count: Type.Integer({ minimum: 0 }),
    changes: Type.Array(strictObject(changes), {
      description: `The first ${limit} changes, or fewer if paths are very long.`,
    }),
  }
}

export const RevisionDiff = strictObject({
  variant_id: Type.String(),
  from: Type.Integer({ minimum: 0 }),
  to: Type.Integer({ minimum: 0 }),
  ...describeComparison(
    {
      ...changeMembers,
      old: Type.Optional(Type.Unknown({ description: 'The exact old value. Absent if there was none.' })),
      new: Type.Optional(Type.Unknown({ description: 'The exact new value. Absent if there is none.' })),
      lines,
    },
    MAX_CHANGES,
  ),
})

/** What `include=changes` adds to a revision. Null for the first revision. */
export const ChangesFromPrevious = strictObject({
  against: Type.Integer({ minimum: 0, description: 'The previous revision.' }),
  ...describeComparison({ ...changeMembers, lines }, MAX_CHANGES_PER_REVISION),
})
