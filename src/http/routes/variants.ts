// GET /variants: the variants of the key's project, newest first.
import { pageQuery } from '../../schema/pages.ts'
import { closed } from '../../schema/shapes.ts'
import { VARIANTS } from '../../store/variants.ts'
import { describeList } from '../describe.ts'
import { answerList } from '../lists.ts'
import type { App, RouteContext } from '../route.ts'

const VARIANT_EXAMPLE = {
  id: 'support-answer',
  name: 'Support answer',
  created_at: '2026-09-03T09:15:00.123Z',
  revision_count: 7,
  latest_revision: 7,
}

export function variantRoutes(app: App, { reader, settings }: RouteContext): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/variants',
    config: { scope: 'read' },
    schema: describeList({
      operationId: 'listVariants',
      summary: 'The variants of the project',
      description: 'Every variant of the project that the key belongs to, newest first.',
      tag: 'variants',
      querystring: closed(pageQuery),
      element: 'Variant',
      example: VARIANT_EXAMPLE,
    }),
    async handler(request, reply) {
      const path = '/api/variants'
      return answerList(request, reply, { reader, list: VARIANTS, path, publicUrl: settings.public_url })
    },
  })
}
