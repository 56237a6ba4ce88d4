// /key: the API key of the request and its permissions.
import { strictObject } from '../../schema/schema-builders.ts'
import { getKey } from '../../store/access/keys.ts'
import { describeDocument } from '../openapi/operations.ts'
import { respondWithDocument, singlePart } from '../reads/document.ts'
import type { App, RouteContext } from '../route-context.ts'

const KEY_EXAMPLE = {
  project: 'default',
  name: 'dashboard',
  scopes: ['read'],
  confined_to: null,
  expires_at: '2026-12-15T09:15:00.123Z',
  created_at: '2026-11-15T09:15:00.123Z',
  last_four: 'x7Qf',
  public_id: '0FNaIItLTdVu',
}

export function keyRoutes(app: App, context: RouteContext): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/key',
    // A restricted key can read its own properties; they contain nothing else of the project.
    config: { allowsRestrictedKeys: true },
    schema: describeDocument({
      operationId: 'getKey',
      summary: 'Retrieve the API key of the request',
      description:
        'Returns the project, scopes, restriction and expiry of the API key of the request. Every valid key can use this operation.',
      tag: 'keys',
      params: strictObject({}),
      querystring: strictObject({}),
      element: 'OwnKey',
      example: KEY_EXAMPLE,
      notFound: [],
      isUnversioned: true,
    }),
    async handler(request, reply) {
      return respondWithDocument(request, reply, context, async (snapshot) => ({
        async open() {
          const { revoked_at: _, ...key } = await getKey(snapshot, request.keyId ?? '')
          return singlePart(async () => JSON.stringify(key))
        },
      }))
    },
  })
}
