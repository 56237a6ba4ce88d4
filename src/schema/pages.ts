// The query parameters for pagination and formats.
import { optionalMembers, Type } from './schema-builders.ts'

export const MAX_LIMIT = 1000

export const pageQuery = optionalMembers({
  limit: Type.Integer({
    minimum: 1,
    maximum: MAX_LIMIT,
    description: 'Maximum number of elements per page. Without it, all elements are returned.',
  }),
  cursor: Type.String({
    description: 'The cursor of the page, from the `Link` header of the previous page.',
  }),
})

const csvQuery = Type.Enum(['excel'], {
  description:
    'For CSV only. `excel` adds an apostrophe to cells that a spreadsheet could read as a formula: those that begin with `=`, `+`, `-`, `@`, a tab or a carriage return. This changes the data.',
})

const formatDescription = { description: 'The response format. Overrides the `Accept` header.' }

export const formatQuery = optionalMembers({
  format: Type.Enum(['json', 'ndjson', 'csv'], formatDescription),
  csv: csvQuery,
})

/** For documents, which have no NDJSON. */
export const documentFormatQuery = optionalMembers({
  format: Type.Enum(['json', 'csv'], formatDescription),
  csv: csvQuery,
})
