// The reference: the OpenAPI document as it is committed, and pages made from it that need nothing else.
import { readFile } from 'node:fs/promises'
import { describeService } from '../describe.ts'
import { docsPage, errorsPage, type OpenApi, STYLE } from '../docs-page.ts'
import type { App } from '../route.ts'

const DOCUMENT = new URL('../../../openapi.json', import.meta.url)

const PAGE_FIELDS = {
  'cache-control': 'no-cache',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
}

export function docsRoutes(app: App): void {
  let text: Promise<string> | undefined
  /** Read when first asked for: most processes never are. */
  function document(): Promise<string> {
    text ??= readFile(DOCUMENT, 'utf8')
    return text
  }

  app.route({
    method: ['GET', 'HEAD'],
    url: '/api/openapi.json',
    schema: describeService({
      operationId: 'openapi',
      summary: 'This document',
      mediaType: 'application/json',
      schema: { type: 'object' },
    }),
    handler: async (_request, reply) =>
      reply
        .header('cache-control', 'no-cache')
        .type('application/json')
        .serializer(String)
        .send(await document()),
  })

  const pages: Record<string, () => Promise<string>> = {
    '/docs': async () => docsPage(JSON.parse(await document()) as OpenApi),
    '/docs/errors': async () => errorsPage(),
  }
  for (const [url, page] of Object.entries(pages)) {
    app.route({
      method: ['GET', 'HEAD'],
      url,
      handler: async (_request, reply) =>
        reply
          .headers(PAGE_FIELDS)
          .type('text/html; charset=utf-8')
          .send(await page()),
    })
  }
  app.route({
    method: ['GET', 'HEAD'],
    url: '/docs/style.css',
    handler: async (_request, reply) =>
      reply.header('cache-control', 'no-cache').type('text/css; charset=utf-8').send(STYLE),
  })
}
