// The JSON schema of errors (RFC 9457).
import type { Static } from 'typebox'
import { ERRORS } from '../errors.ts'
import { ImportReport } from './imports.ts'
import { namedObject, Type } from './schema-builders.ts'

const ContentError = namedObject('ContentError', {
  pointer: Type.String({
    description: 'JSON pointer (RFC 6901) into the body. For an imported file: into the record.',
  }),
  line: Type.Integer({ minimum: 1, description: 'The line on which the record begins.' }),
  detail: Type.String({ description: 'What is wrong with the value.' }),
})

const ScenarioConflict = namedObject('ScenarioConflict', {
  id: Type.String({ description: 'The id of the scenario.' }),
  pointer: Type.String({ description: 'JSON pointer (RFC 6901) into the body.' }),
  line: Type.Integer({ minimum: 1, description: 'The line on which the record begins.' }),
})

export const Problem = namedObject('Problem', {
  type: Type.String({ description: 'URL of the documentation for this error.' }),
  title: Type.String({ description: 'What the error code means, in a few words.' }),
  status: Type.Integer({ minimum: 400, maximum: 599, description: 'The HTTP status code.' }),
  code: Type.String({
    description: 'A stable error code for programs. Later versions can add codes.',
    // Not an enum: generated clients would fail on a code that a later version adds.
    'x-extensible-enum': Object.keys(ERRORS).sort(),
  }),
  detail: Type.String({ description: 'What went wrong and what to do, for people.' }),
  instance: Type.String({ description: 'The request id, as in the log.' }),
  line: Type.Optional(Type.Integer({ minimum: 1, description: 'For `invalid-json`: the line in the body.' })),
  offset: Type.Optional(
    Type.Integer({ minimum: 0, description: 'For `invalid-json`: the byte offset in the body.' }),
  ),
  errors: Type.Optional(
    Type.Array(ContentError, {
      maxItems: 100,
      description: 'For `invalid-content`: the validation errors, at most 100.',
    }),
  ),
  error_count: Type.Optional(
    Type.Integer({ minimum: 1, description: 'For `invalid-content`: the total number of errors.' }),
  ),
  conflicts: Type.Optional(
    Type.Array(ScenarioConflict, {
      maxItems: 100,
      description: 'For `conflict`: the scenarios that exist already with different content, at most 100.',
    }),
  ),
  conflict_count: Type.Optional(
    Type.Integer({ minimum: 1, description: 'For `conflict`: the total number of these scenarios.' }),
  ),
  report: Type.Optional(ImportReport),
})
export type Problem = Static<typeof Problem>
