// The JSON schema of the import report. Its members `refused` and `refusals` are about rejected records.
import type { Static } from 'typebox'
import { Appended } from './scenarios.ts'
import { countSchema, freeForm, namedObject, nullable, Type } from './schema-builders.ts'

const ImportNote = namedObject('ImportNote', {
  record: nullable(
    Type.Integer({
      minimum: 1,
      description: 'The number of the record, counted from 1. Null if the note is about the whole file.',
    }),
  ),
  line: Type.Integer({ minimum: 1, description: 'The line in the file, counted from 1.' }),
  pointer: Type.String({ description: 'JSON pointer (RFC 6901) inside the record.' }),
  detail: Type.String({ description: 'What was rejected, repaired or omitted, and why.' }),
})

const Imported = namedObject('Imported', {
  id: Type.String({ description: 'The id of the evaluation or variant.' }),
  ...Appended.properties,
})

const ImportedEvaluation = namedObject('ImportedEvaluation', {
  id: Imported.properties.id,
  name: Type.String({ description: 'The name of the evaluation, or its id if it has no name.' }),
  updated: Type.Array(Type.String(), {
    description: 'The members of an existing evaluation that the file changed, such as `status`.',
  }),
  ...Appended.properties,
})

export const ImportReport = namedObject('ImportReport', {
  file: Type.String({ description: 'The file name.' }),
  format: Type.String({ description: 'The format the file was read as.' }),
  stored: Type.Boolean({
    description: 'Whether the data was stored. False for a dry run and for a rejected import.',
  }),
  read: countSchema(
    'Number of records read from the file. Records that become one scenario together count as one.',
  ),
  evaluations: Type.Array(ImportedEvaluation, {
    description: 'The imported evaluations, with the number of their scenarios.',
  }),
  variants: Type.Array(Imported, {
    description: 'The imported variants, with the number of their revisions.',
  }),
  refused: countSchema('Number of rejected records.'),
  refusals: Type.Array(ImportNote, { description: 'Why records were rejected. At most 1000 notes.' }),
  repaired: countSchema('Number of values that were imported in another form.'),
  repairs: Type.Array(ImportNote, { description: 'What was repaired. At most 1000 notes.' }),
  omitted: countSchema('Number of kinds of data that were read but not kept.'),
  omissions: Type.Array(ImportNote, { description: 'What was not kept. At most 1000 notes.' }),
  first: Type.Array(freeForm('A scenario as it would be stored.'), {
    description: 'The first scenarios of a dry run. Empty otherwise.',
  }),
})
export type ImportReport = Static<typeof ImportReport>
export type Imported = Static<typeof Imported>
export type ImportedEvaluation = Static<typeof ImportedEvaluation>
