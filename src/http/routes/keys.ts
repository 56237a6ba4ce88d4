// /key: what the key that asks is, and what it may do.
import { closed } from '../../schema/shapes.ts'
import { getKey } from '../../store/keys.ts'
import { describeDocument } from '../describe.ts'
import { answerDocument, whole } from '../document.ts'
import type { App, RouteContext } from '../route.ts'

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
    // A key reads itself here, and nothing of its project.
    config: { isConfinable: true },
    schema: describeDocument({
      operationId: 'getKey',
      summary: 'The key that asks',
      description:
        'Which project the key belongs to, what it may do, what it is confined to, and when it ends. Every key may ask.',
      tag: 'keys',
      params: closed({}),
      querystring: closed({}),
      element: 'OwnKey',
      example: KEY_EXAMPLE,
      notFound: [],
      isUnversioned: true,
    }),
    async handler(request, reply) {
      return answerDocument(request, reply, context, async (snapshot) => ({
        async open() {
          const { revoked_at: _, ...key } = await getKey(snapshot, request.keyId ?? '')
          return whole(async () => JSON.stringify(key))
        },
      }))
    },
  })
}
