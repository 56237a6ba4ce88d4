// /key: the API key of the request and its permissions.
import { OwnKey } from '../../schema/shares.ts'
import { getKey } from '../../store/access/keys.ts'
import { respondWithText } from '../reads/document.ts'
import type { App, RouteContext } from '../route-context.ts'

export function keyRoutes(app: App, context: RouteContext): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/key',
    // A restricted key can read its own properties; they contain nothing else of the project.
    config: { allowsRestrictedKeys: true },
    schema: {
      operationId: 'getKey',
      summary: 'Retrieve the API key of the request',
      description:
        'Returns the project, scopes, restriction and expiry of the API key of the request. Every valid key can use this operation.',
      tag: 'keys',
      returns: OwnKey,
      isUnversioned: true,
    },
    async handler(request, reply) {
      return respondWithText(reply, context, async (snapshot) => ({
        async open() {
          const { revoked_at: _, ...key } = await getKey(snapshot, request.keyId ?? '')
          return async () => JSON.stringify(key)
        },
      }))
    },
  })
}
