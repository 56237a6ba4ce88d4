// The query parameters for pagination and formats.
import { Type } from './schema-builders.ts'

export const MAX_LIMIT = 1000

export const pageQuery = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_LIMIT,
      description: 'Maximum number of elements per page. Without it, all elements are returned.',
    }),
  ),
  cursor: Type.Optional(
    Type.String({ description: 'The cursor of the page, from the `Link` header of the previous page.' }),
  ),
}

export const formatQuery = {
  format: Type.Optional(
    Type.Enum(['json', 'ndjson', 'csv'], {
      type: 'string',
      description: 'The response format. Overrides the `Accept` header.',
    }),
  ),
}
