// The query parameters that pages and representations have in common.
import { Type } from './type.ts'

export const MAX_LIMIT = 1000

export const pageQuery = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_LIMIT,
      description: 'Answer one page of at most this many elements, in plain digits. Without it: everything.',
    }),
  ),
  cursor: Type.Optional(
    Type.String({ description: 'Where the page begins: the cursor in the Link field of the page before.' }),
  ),
}

export const formatQuery = {
  format: Type.Optional(
    Type.Enum(['json', 'ndjson', 'csv'], {
      type: 'string',
      description: 'The representation; wins over the Accept field.',
    }),
  ),
}
