// /variants: lists, retrieves, creates, updates and deletes variants.

import { VARIANT_FILTERS } from '../../schema/filters/fields.ts'
import { listFilterQuery } from '../../schema/filters/filter-params.ts'
import { idSchema } from '../../schema/ids.ts'
import { pageQuery } from '../../schema/pages.ts'
import { strictObject, Type } from '../../schema/schema-builders.ts'
import {
  checkVariant,
  checkVariantPatch,
  Variant,
  VariantPatch,
  VariantWrite,
} from '../../schema/variants.ts'
import {
  createVariant,
  deleteVariant,
  getVariant,
  getVariantText,
  getVariantVersion,
  lockVariant,
  updateVariant,
  VARIANTS,
} from '../../store/variants/variants.ts'
import { respondWithText } from '../reads/document.ts'
import { respondWithList } from '../reads/lists.ts'
import { readDocument } from '../request/parse-body.ts'
import type { App, RouteContext } from '../route-context.ts'

const params = strictObject({ variant_id: idSchema('The id of the variant.') })

export function variantRoutes(app: App, context: RouteContext): void {
  const { reader, writes, settings } = context
  app.route({
    method: ['GET', 'HEAD'],
    url: '/variants',
    config: { scope: 'read' },
    schema: {
      operationId: 'listVariants',
      summary: 'List variants',
      description:
        'Returns the variants of the project of the API key, newest first. With filters, returns the variants that match all of them.',
      tag: 'variants',
      querystring: strictObject({ ...pageQuery, ...listFilterQuery(VARIANT_FILTERS) }),
      returns: Type.Array(Variant),
      errors: ['too-many-queries', 'query-timeout'],
    },
    async handler(_request, reply) {
      const path = '/api/variants'
      return respondWithList(reply, { ...context, list: VARIANTS, path })
    },
  })

  app.route({
    method: ['GET', 'HEAD'],
    url: '/variants/:variant_id',
    config: { scope: 'read', allowsRestrictedKeys: true },
    schema: {
      operationId: 'getVariant',
      summary: 'Retrieve a variant',
      description: 'Returns one variant, as in the list of variants. It does not contain the revisions.',
      tag: 'variants',
      params,
      returns: Variant,
    },
    async handler(request, reply) {
      return respondWithText(reply, context, async (snapshot) => {
        const { key, version } = await getVariant(snapshot, request.viewer, request.params.variant_id)
        return { version, open: () => () => getVariantText(snapshot, key) }
      })
    },
  })

  app.route({
    method: 'POST',
    url: '/variants',
    config: { scope: 'write' },
    schema: {
      operationId: 'addVariant',
      summary: 'Create a variant',
      description:
        'Creates a variant without revisions. Adding a revision to an unknown id also creates a variant. Repeating the same request has no effect.',
      tag: 'variants',
      body: VariantWrite,
      returns: Variant,
      hasLocation: true,
    },
    async handler(request, reply) {
      return writes.handle(reply, {
        read: () => readDocument(request, settings, checkVariant),
        async store(transaction, variant) {
          const key = await createVariant(transaction, request.viewer.project, variant)
          const body = await getVariantText(transaction, key)
          const { id } = JSON.parse(body) as { id: string }
          const version = await getVariantVersion(transaction, key)
          return {
            status: 201,
            location: `/api/variants/${encodeURIComponent(id)}`,
            body,
            receipt: { id },
            version,
            written: [{ noun: 'variant', id }],
          }
        },
      })
    },
  })

  app.route({
    method: 'PATCH',
    url: '/variants/:variant_id',
    config: { scope: 'write' },
    schema: {
      operationId: 'changeVariant',
      summary: 'Update a variant',
      description: 'Sets the members in the body. `null` removes a value.',
      tag: 'variants',
      params,
      body: VariantPatch,
      returns: Variant,
    },
    async handler(request, reply) {
      const { variant_id } = request.params
      return writes.handle(reply, {
        check: () => getVariant(reader, request.viewer, variant_id),
        read: () => readDocument(request, settings, checkVariantPatch),
        lock: (transaction) => lockVariant(transaction, request.viewer, variant_id),
        async store(transaction, patch, { key }) {
          await updateVariant(transaction, key, patch)
          const body = await getVariantText(transaction, key)
          const version = await getVariantVersion(transaction, key)
          return { status: 200, body, receipt: { id: variant_id }, version }
        },
      })
    },
  })

  app.route({
    method: 'DELETE',
    url: '/variants/:variant_id',
    config: { scope: 'write' },
    schema: {
      operationId: 'deleteVariant',
      summary: 'Delete a variant',
      description:
        'Deletes the variant and its revisions. Its evaluations are not changed: they keep the variant id and the revision number.',
      tag: 'variants',
      params,
    },
    async handler(request, reply) {
      return writes.handle(reply, {
        read: async () => undefined,
        lock: (transaction) => lockVariant(transaction, request.viewer, request.params.variant_id),
        async store(transaction, _content, { key }) {
          await deleteVariant(transaction, key)
          return { status: 204 }
        },
      })
    },
  })
}
