// The JSON schema of the index of the API, the response to GET /api.
import type { Static } from 'typebox'
import { namedObject, Type } from './schema-builders.ts'

export const ApiIndex = namedObject('ApiIndex', {
  name: Type.String({ description: 'The name of the service.' }),
  version: Type.String({ description: 'The version of the service and of the OpenAPI document.' }),
  links: Type.Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'The path of each resource, by its name.',
  }),
})
export type ApiIndex = Static<typeof ApiIndex>
