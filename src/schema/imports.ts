// What becomes of a file that is imported.
import type { Static } from 'typebox'
import { Appended } from './scenarios.ts'
import { closed, freeForm, nullable } from './shapes.ts'
import { Type } from './type.ts'

const Remark = closed({
  record: nullable(
    Type.Integer({ minimum: 1, description: 'Which record; null where it is the whole file.' }),
  ),
  line: Type.Integer({ minimum: 1, description: 'The line of the file.' }),
  pointer: Type.String({ description: 'RFC 6901, inside the record.' }),
  detail: Type.String(),
})

const Imported = closed({
  id: Type.String(),
  accepted: Appended.properties.accepted,
  unchanged: Appended.properties.unchanged,
})

export const ImportReport = closed({
  file: Type.String({ description: 'Its name.' }),
  format: Type.String({ description: 'What it was read as.' }),
  stored: Type.Boolean({ description: 'Whether what is listed is in the store now.' }),
  evaluations: Type.Array(Imported, { description: 'With the number of their scenarios.' }),
  variants: Type.Array(Imported, { description: 'With the number of their revisions.' }),
  refused: Type.Integer({ minimum: 0, description: 'How many records were refused.' }),
  refusals: Type.Array(Remark, { description: 'Why; the first thousand.' }),
  repaired: Type.Integer({ minimum: 0, description: 'How often something was kept in another form.' }),
  repairs: Type.Array(Remark, { description: 'What; the first thousand.' }),
  first: Type.Array(freeForm('A scenario, as it would be read.'), {
    description: 'The first scenarios of a dry run; empty otherwise.',
  }),
})
export type ImportReport = Static<typeof ImportReport>
export type Imported = Static<typeof Imported>
