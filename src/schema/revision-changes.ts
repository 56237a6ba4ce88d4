// The JSON schema of changes between two revisions.
import type { TSchema } from 'typebox'
import { revisionSchema } from './rules.ts'
import { countSchema, namedObject, nullable, Type } from './schema-builders.ts'

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
    description: '`moved`: a list element whose order relative to the other common elements changed.',
  }),
}

const lines = nullable(
  namedObject('LineCounts', {
    added: countSchema('Number of added lines.'),
    removed: countSchema('Number of removed lines.'),
  }),
)

function describeComparison(change: TSchema, limit: number) {
  return {
    config_name: nullable(namedObject('ConfigNameChange', { old: Type.String(), new: Type.String() })),
    parameter_count: countSchema(
      'Number of distinct parameters in both revisions: scalars and empty containers, by path.',
    ),
    change_count: countSchema('Number of all changes.'),
    changes: Type.Array(change, {
      description: `The first ${limit} changes, or fewer if paths are very long.`,
    }),
  }
}

export const RevisionDiff = namedObject('RevisionDiff', {
  variant_id: Type.String(),
  from: revisionSchema('The number of the old revision.'),
  to: revisionSchema('The number of the new revision.'),
  ...describeComparison(
    namedObject('ParameterDiff', {
      ...changeMembers,
      old: Type.Optional(Type.Unknown({ description: 'The exact old value. Absent if there was none.' })),
      new: Type.Optional(Type.Unknown({ description: 'The exact new value. Absent if there is none.' })),
      lines,
    }),
    MAX_CHANGES,
  ),
})

/** What `include=changes` adds to a revision. Null for the first revision. */
export const ChangesFromPrevious = namedObject('ChangesFromPrevious', {
  against: revisionSchema('The number of the previous revision.'),
  ...describeComparison(
    namedObject('ParameterChange', { ...changeMembers, lines }),
    MAX_CHANGES_PER_REVISION,
  ),
})
