// /shares: keys that read one evaluation, comparison or variant until they end; made, listed and revoked.

import { Problem } from '../../errors.ts'
import { closed } from '../../schema/shapes.ts'
import { checkShare } from '../../schema/shares.ts'
import { Type } from '../../schema/type.ts'
import { addShareOf, listShares, revokeShare } from '../../store/shares.ts'
import { describeDocument, describeWrite } from '../describe.ts'
import { answerDocument, whole } from '../document.ts'
import type { App, RouteContext } from '../route.ts'
import { readDocument } from '../uploads.ts'

const CONFINED_EXAMPLE = { comparison: ['support-answer-r4', 'support-answer-r5'] }

const SHARE_EXAMPLE = {
  public_id: '0FNaIItLTdVu',
  last_four: 'x7Qf',
  name: 'for the review',
  confined_to: CONFINED_EXAMPLE,
  created_at: '2026-11-15T09:15:00.123Z',
  expires_at: '2026-11-22T09:15:00.123Z',
}

export function shareRoutes(app: App, context: RouteContext): void {
  const { writes, settings, clock } = context
  app.route({
    method: ['GET', 'HEAD'],
    url: '/shares',
    config: { scope: 'read' },
    schema: describeDocument({
      operationId: 'listShares',
      summary: 'The shares of the project',
      description: 'Those that still work, newest first, without their keys.',
      tag: 'keys',
      params: closed({}),
      querystring: closed({}),
      element: 'Share',
      isList: true,
      example: SHARE_EXAMPLE,
      notFound: [],
      isUnversioned: true,
    }),
    async handler(request, reply) {
      return answerDocument(request, reply, context, async (snapshot) => ({
        open: async () =>
          whole(async () => JSON.stringify(await listShares(snapshot, request.viewer.project, clock()))),
      }))
    },
  })

  app.route({
    method: 'POST',
    url: '/shares',
    // A key hands out no reading that it has not itself.
    config: { scope: ['read', 'write'] },
    schema: describeWrite({
      operationId: 'createShare',
      summary: 'Share a view',
      description:
        'Makes a key that reads one evaluation, one comparison or one variant and nothing else, until it ends; it is revoked with the key that asks. The answer has the key, and nothing keeps it: there is no Idempotency-Key here, and a repeat makes another share.',
      tag: 'keys',
      params: closed({}),
      body: { schema: 'ShareWrite', example: { confined_to: CONFINED_EXAMPLE, name: 'for the review' } },
      answer: {
        status: 201,
        schema: 'NewShare',
        example: { key: 'assay_0FNaIItLTdVu_…x7Qf', ...SHARE_EXAMPLE },
        isSecret: true,
      },
      errors: [],
    }),
    async handler(request, reply) {
      if (request.headers['idempotency-key'] !== undefined) {
        throw new Problem(
          'invalid-request',
          'A share takes no Idempotency-Key: its answer has a secret, which is never stored. Leave the field out.',
        )
      }
      return writes.answer(request, reply, {
        read: (seen) => readDocument(request, settings, checkShare, seen),
        async store(transaction, { value }) {
          const { project } = request.viewer
          const maker = { project, keyId: request.keyId ?? '', now: clock() }
          return { status: 201, body: JSON.stringify(await addShareOf(transaction, maker, value)) }
        },
      })
    },
  })

  app.route({
    method: 'DELETE',
    url: '/shares/:public_id',
    config: { scope: ['read', 'write'] },
    schema: describeWrite({
      operationId: 'revokeShare',
      summary: 'End a share',
      description: 'From the next request on its key is refused.',
      tag: 'keys',
      params: closed({ public_id: Type.String({ description: 'The public part of its key.' }) }),
      answer: { status: 204 },
      errors: ['share-not-found'],
    }),
    async handler(request, reply) {
      return writes.answer(request, reply, {
        read: async () => undefined,
        async store(transaction) {
          await revokeShare(transaction, request.viewer.project, request.params.public_id, clock())
          return { status: 204 }
        },
      })
    },
  })
}
