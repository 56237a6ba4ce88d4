// /variants: the variants of the key's project, newest first, and each of them; made and deleted.

import { VARIANT_FILTERS } from '../../schema/list-filters.ts'
import { listFilterQuery } from '../../schema/list-queries.ts'
import { pageQuery } from '../../schema/pages.ts'
import { closed } from '../../schema/shapes.ts'
import { Type } from '../../schema/type.ts'
import { checkVariant } from '../../schema/variants.ts'
import {
  addVariant,
  deleteVariant,
  getVariant,
  getVariantText,
  takeVariant,
  VARIANTS,
} from '../../store/variants.ts'
import { describeDocument, describeList, describeWrite } from '../describe.ts'
import { answerDocument, whole } from '../document.ts'
import { answerList } from '../lists.ts'
import type { App, RouteContext } from '../route.ts'
import { readDocument } from '../uploads.ts'

const params = closed({ variant_id: Type.String({ description: 'The id of the variant.' }) })

const VARIANT_EXAMPLE = {
  id: 'support-answer',
  name: 'Support answer',
  created_at: '2026-09-03T09:15:00.123Z',
  revision_count: 7,
  latest_revision: 7,
}

export function variantRoutes(app: App, context: RouteContext): void {
  const { writes, settings } = context
  app.route({
    method: ['GET', 'HEAD'],
    url: '/variants',
    config: { scope: 'read' },
    schema: describeList({
      operationId: 'listVariants',
      summary: 'The variants of the project',
      description:
        'Every variant of the project that the key belongs to, newest first; with filters, those that fit all of them.',
      tag: 'variants',
      querystring: closed({ ...pageQuery, ...listFilterQuery(VARIANT_FILTERS) }),
      element: 'Variant',
      example: VARIANT_EXAMPLE,
    }),
    async handler(request, reply) {
      const path = '/api/variants'
      return answerList(request, reply, { ...context, list: VARIANTS, path })
    },
  })

  app.route({
    method: ['GET', 'HEAD'],
    url: '/variants/:variant_id',
    config: { scope: 'read', isConfinable: true },
    schema: describeDocument({
      operationId: 'getVariant',
      summary: 'One variant',
      description: 'What the list of variants has of it. Its revisions are a read of their own.',
      tag: 'variants',
      params,
      querystring: closed({}),
      element: 'Variant',
      example: VARIANT_EXAMPLE,
      notFound: ['variant-not-found'],
    }),
    async handler(request, reply) {
      return answerDocument(request, reply, context, async (snapshot) => {
        const { key, version } = await getVariant(snapshot, request.viewer, request.params.variant_id)
        return { version, open: async () => whole(() => getVariantText(snapshot, key)) }
      })
    },
  })

  app.route({
    method: 'POST',
    url: '/variants',
    config: { scope: 'write' },
    schema: describeWrite({
      operationId: 'addVariant',
      summary: 'Make a variant',
      description:
        'Makes a variant without revisions. Sending a revision to an id that is not there makes one too. The same request again changes nothing.',
      tag: 'variants',
      params: closed({}),
      body: { schema: 'VariantWrite', example: { id: 'support-answer', name: 'Support answer' } },
      answer: { status: 201, schema: 'Variant', example: VARIANT_EXAMPLE, hasLocation: true },
      errors: ['conflict'],
    }),
    async handler(request, reply) {
      return writes.answer(request, reply, {
        read: (seen) => readDocument(request, settings, checkVariant, seen),
        async store(transaction, variant) {
          const key = await addVariant(transaction, request.viewer.project, variant)
          const body = await getVariantText(transaction, key)
          const { id } = JSON.parse(body) as { id: string }
          return { status: 201, location: `/api/variants/${encodeURIComponent(id)}`, body }
        },
      })
    },
  })

  app.route({
    method: 'DELETE',
    url: '/variants/:variant_id',
    config: { scope: 'write' },
    schema: describeWrite({
      operationId: 'deleteVariant',
      summary: 'Delete a variant',
      description: 'With its revisions. Evaluations of it keep its name and the number of the revision.',
      tag: 'variants',
      params,
      answer: { status: 204 },
      errors: ['variant-not-found'],
    }),
    async handler(request, reply) {
      return writes.answer(request, reply, {
        read: async () => undefined,
        async store(transaction) {
          const { key } = await takeVariant(transaction, request.viewer, request.params.variant_id)
          await deleteVariant(transaction, key)
          return { status: 204 }
        },
      })
    },
  })
}
