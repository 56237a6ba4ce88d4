// /shares: lists, creates and revokes share links (restricted keys for one evaluation, comparison or variant).

import { Problem } from '../../errors.ts'
import { strictObject, Type } from '../../schema/schema-builders.ts'
import { checkShare, NewShare, Share, ShareWrite } from '../../schema/shares.ts'
import { addShare, listShares, revokeShare } from '../../store/access/shares.ts'
import { respondWithText } from '../reads/document.ts'
import { readDocument } from '../request/parse-body.ts'
import type { App, RouteContext } from '../route-context.ts'

export function shareRoutes(app: App, context: RouteContext): void {
  const { writes, settings, clock } = context
  app.route({
    method: ['GET', 'HEAD'],
    url: '/shares',
    config: { scope: 'read' },
    schema: {
      operationId: 'listShares',
      summary: 'List shares',
      description: 'Returns the active shares of the project, newest first, without their keys.',
      tag: 'keys',
      returns: Type.Array(Share),
      isUnversioned: true,
    },
    async handler(request, reply) {
      return respondWithText(reply, context, async (snapshot) => ({
        open: () => async () => JSON.stringify(await listShares(snapshot, request.viewer.project, clock())),
      }))
    },
  })

  app.route({
    method: 'POST',
    url: '/shares',
    // A key without the scope read must not create keys that can read.
    config: { scope: ['read', 'write'] },
    schema: {
      operationId: 'createShare',
      summary: 'Create a share',
      description:
        'Creates a restricted key that can read only one evaluation, comparison or variant until it expires. With the scope `review`, it can also add results of human evaluators to its evaluation. Revoking the key of this request also revokes the share. The response contains the key; it is not stored and cannot be retrieved later. Idempotency-Key is not supported: repeating the request creates another share.',
      tag: 'keys',
      body: ShareWrite,
      returns: NewShare,
      isSecret: true,
      isUnversioned: true,
    },
    async handler(request, reply) {
      if (request.headers['idempotency-key'] !== undefined) {
        throw new Problem(
          'invalid-request',
          'Idempotency-Key is not supported for shares, because responses with a secret are never stored. Omit the header.',
        )
      }
      return writes.handle(reply, {
        read: () => readDocument(request, settings, checkShare),
        async store(transaction, { value }) {
          const { project } = request.viewer
          const creator = { project, keyId: request.keyId, now: clock() }
          return { status: 201, body: JSON.stringify(await addShare(transaction, creator, value)) }
        },
      })
    },
  })

  app.route({
    method: 'DELETE',
    url: '/shares/:public_id',
    config: { scope: ['read', 'write'] },
    schema: {
      operationId: 'revokeShare',
      summary: 'Revoke a share',
      description: 'Revokes the key of the share. Later requests with this key return 401.',
      tag: 'keys',
      params: strictObject({
        public_id: Type.String({
          pattern: '^[0-9A-Za-z]{12}$',
          description: 'The public part of the key of the share.',
        }),
      }),
      isUnversioned: true,
    },
    async handler(request, reply) {
      return writes.handle(reply, {
        read: async () => undefined,
        async store(transaction) {
          await revokeShare(transaction, request.viewer.project, request.params.public_id, clock())
          return { status: 204 }
        },
      })
    },
  })
}
