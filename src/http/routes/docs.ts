// /docs and /api/openapi.json: the committed OpenAPI document and the HTML reference generated from it.
import { readFile } from 'node:fs/promises'
import { docsPage, errorsPage, type OpenApi, STYLE } from '../openapi/docs-page.ts'
import { describeService } from '../openapi/operations.ts'
import { PAGE_HEADERS } from '../response/page-headers.ts'
import type { App } from '../route-context.ts'

const OPENAPI_FILE = new URL('../../../openapi.json', import.meta.url)

const NO_CACHE = { 'cache-control': 'no-cache' }

export function docsRoutes(app: App): void {
  let text: Promise<string> | undefined
  /** Read on the first request, because most processes never need it. */
  function readDocument(): Promise<string> {
    text ??= readFile(OPENAPI_FILE, 'utf8')
    return text
  }

  app.route({
    method: ['GET', 'HEAD'],
    url: '/api/openapi.json',
    schema: describeService({
      operationId: 'openapi',
      summary: 'Retrieve the OpenAPI document',
      mediaType: 'application/json',
      schema: { type: 'object' },
    }),
    handler: async (_request, reply) =>
      reply
        .headers(NO_CACHE)
        .type('application/json')
        .serializer(String)
        .send(await readDocument()),
  })

  const pages: Record<string, () => Promise<string>> = {
    '/docs': async () => docsPage(JSON.parse(await readDocument()) as OpenApi),
    '/docs/errors': async () => errorsPage(),
  }
  for (const [url, buildPage] of Object.entries(pages)) {
    app.route({
      method: ['GET', 'HEAD'],
      url,
      handler: async (_request, reply) =>
        reply
          .headers({ ...PAGE_HEADERS, ...NO_CACHE })
          .type('text/html; charset=utf-8')
          .send(await buildPage()),
    })
  }
  app.route({
    method: ['GET', 'HEAD'],
    url: '/docs/style.css',
    handler: async (_request, reply) => reply.headers(NO_CACHE).type('text/css; charset=utf-8').send(STYLE),
  })
}
