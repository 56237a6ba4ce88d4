// The names of the import formats, and the JSON schema of the import report. Its members `refused` and `refusals` are about rejected records.
import type { Static } from 'typebox'
import { Appended } from './scenarios.ts'
import { countSchema, freeForm, namedObject, nullable, Type } from './schema-builders.ts'

/** The names of the importers in src/import/formats.ts, in their order. */
export const IMPORT_FORMATS = [
  'scenarios',
  'revisions',
  'promptfoo',
  'inspect',
  'deepeval',
  'lm-eval',
  'phoenix',
  'openai',
  'ragas',
  'langsmith',
  'braintrust',
  'mlflow',
  'langfuse',
  'parquet',
  'table',
]

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
  missing: Type.Optional(
    countSchema(
      'Number of stored scenarios that no record of the file has. They stay; `on_conflict=replace_all` deletes them. Absent if there are none, if the file has only new scenarios, and if records were rejected.',
    ),
  ),
  missing_ids: Type.Optional(
    Type.Array(Type.String(), { description: 'The ids of the first 5 missing scenarios.' }),
  ),
})

/** What a table column can contain. */
export const COLUMN_ROLES = [
  ...(['id', 'input', 'output', 'expected', 'score', 'reason'] as const),
  ...(['cost', 'latency', 'error', 'note', 'is_pinned', 'repetition', 'provider', 'extra'] as const),
] as const
export type ColumnRole = (typeof COLUMN_ROLES)[number]

const ImportColumn = namedObject('ImportColumn', {
  name: Type.String({ description: 'The name of the column in the file.' }),
  role: Type.Enum(COLUMN_ROLES, { description: 'What the column contains.' }),
  key: nullable(
    Type.String({
      description:
        'The name of the input, the key of the correct answer, or the evaluator. Null for other roles.',
    }),
  ),
  type: nullable(
    Type.String({
      description:
        'How values are read. Score: bool, number, percent, rating or text. Latency: s, ms, us or min. Cost: usd or cents. Repetition: 1-based or 0-based. Null: each value as it is.',
    }),
  ),
  provider: nullable(
    Type.String({
      description:
        'The model or provider, if the table has columns of several. Each is an evaluation of its own. Null if the column belongs to all evaluations.',
    }),
  ),
  origin: Type.Enum(['option', 'name', 'values', 'preset', 'default'], {
    description:
      'Where the role comes from: an option, the name of the column, its values, the format of a tool, or none of them.',
  }),
  examples: Type.Array(Type.String(), {
    description: 'Up to 3 values from the first rows, each with up to 200 characters.',
  }),
})

export const ImportReport = namedObject('ImportReport', {
  file: Type.String({ description: 'The file name.' }),
  format: Type.String({ description: 'The format the file was read as.' }),
  stored: Type.Boolean({
    description: 'Whether the data was stored. False for a dry run and for a rejected import.',
  }),
  read: countSchema(
    'Number of records read from the file. Records that become one scenario together count as one, and a table row with the outputs of several models counts once per model.',
  ),
  evaluations: Type.Array(ImportedEvaluation, {
    description: 'The imported evaluations, with the number of their scenarios.',
  }),
  variants: Type.Array(Imported, {
    description: 'The imported variants, with the number of their revisions.',
  }),
  deleted: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'With `on_conflict=replace_all`: the ids of deleted evaluations. They belong to the same family, and the file no longer contains them.',
    }),
  ),
  refused: countSchema('Number of rejected records.'),
  refusals: Type.Array(ImportNote, {
    description: 'Why records were rejected. A service lists at most 1000 notes.',
  }),
  repaired: countSchema('Number of values that were imported in another form.'),
  repairs: Type.Array(ImportNote, { description: 'What was repaired. A service lists at most 1000 notes.' }),
  omitted: countSchema('Number of notes about data that was read but not kept.'),
  omissions: Type.Array(ImportNote, {
    description: 'What was read but not kept. A service lists at most 1000 notes.',
  }),
  notes: Type.Array(ImportNote, { description: 'What else to know about the imported data.' }),
  columns: Type.Array(ImportColumn, {
    description: 'How the columns of a table were read. Empty for other formats.',
  }),
  first: Type.Array(freeForm('A scenario as it would be stored.'), {
    description: 'The first scenarios of a dry run. Empty otherwise.',
  }),
})
export type ImportReport = Static<typeof ImportReport>
export type ImportColumn = Static<typeof ImportColumn>
export type Imported = Static<typeof Imported>
export type ImportedEvaluation = Static<typeof ImportedEvaluation>
