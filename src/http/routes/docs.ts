// /api, /api/openapi.json and /docs: an index of the API, the committed OpenAPI document and the HTML reference
// generated from it.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifySchema } from 'fastify'
import type { Static } from 'typebox'
import { freeForm, namedObject, Type } from '../../schema/schema-builders.ts'
import { listLimits } from '../../settings/settings.ts'
import type { OpenApi } from '../openapi/document-types.ts'
import type { App } from '../route-context.ts'
import { pathPrefixOf, prefixLinks } from '../server/path-prefix.ts'
import { WebFile } from '../server/web-files.ts'
import { sendFile } from './web.ts'

/** The response to GET /api. */
const ApiIndex = namedObject('ApiIndex', {
  name: Type.String({ description: 'The name of the service.' }),
  version: Type.String({ description: 'The version of the service and of the OpenAPI document.' }),
  links: Type.Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'The path of each resource, by its name.',
  }),
})
type ApiIndex = Static<typeof ApiIndex>

const OPENAPI_FILE = new URL('../../../openapi.json', import.meta.url)

/** `web` is the folder of the built page, which contains the font. */
export function docsRoutes(app: App, web: string, publicUrl?: string): void {
  const prefix = pathPrefixOf({ public_url: publicUrl })
  const readDocument = once(() => readFile(OPENAPI_FILE, 'utf8'))
  const parseDocument = async () => JSON.parse(await readDocument()) as OpenApi
  const addPage = (url: string, name: string, content: () => Promise<string>) =>
    addFile(url, name, async () => prefixLinks(await content(), prefix))

  function addFile(url: string, name: string, content: () => Promise<string>, schema: FastifySchema = {}) {
    // Built on the first request, because most processes never need it.
    const getFile = once(async () => new WebFile(name, Buffer.from(await content())))
    app.route({
      method: ['GET', 'HEAD'],
      url,
      schema,
      handler: async (_request, reply) => sendFile(reply, await getFile()),
    })
  }

  const service = { tag: 'service', errors: ['not-acceptable'] } as const
  addFile('/api', 'index.json', async () => JSON.stringify(buildIndex(await parseDocument(), publicUrl)), {
    operationId: 'getApiIndex',
    summary: 'Retrieve the index of the API',
    ...service,
    returns: ApiIndex,
  })
  addFile('/api/openapi.json', 'openapi.json', async () => withServer(await readDocument(), publicUrl), {
    operationId: 'getOpenApiDocument',
    summary: 'Retrieve the OpenAPI document',
    ...service,
    returns: freeForm('An OpenAPI 3.1 document.'),
  })
  addPage('/docs', 'docs.html', async () => {
    const { docsPage } = await import('../openapi/docs-page.ts')
    return docsPage(await parseDocument(), listLimits(), publicUrl)
  })
  addPage('/docs/errors', 'errors.html', async () => {
    const { errorsPage } = await import('../openapi/docs-page.ts')
    return errorsPage()
  })
  addFile('/docs/style.css', 'style.css', async () => {
    const { docsStyle } = await import('../openapi/docs-style.ts')
    return docsStyle(await findFont(web))
  })
}

/** The font of the page, relative to /docs/style.css. Undefined if the page is not built. */
async function findFont(web: string): Promise<string | undefined> {
  const names = await readdir(join(web, 'assets')).catch(() => [])
  const name = names.find((name) => /^inter-latin-wght-normal-[\w-]+\.woff2$/.test(name))
  return name && `../assets/${name}`
}

/** Links to everything that can be read without further parameters in the path. */
function buildIndex({ info, paths }: OpenApi, publicUrl = ''): ApiIndex {
  const resources = Object.entries(paths).flatMap(([path, { get }]) =>
    get && path.startsWith('/api/') && !path.includes('{') ? [path] : [],
  )
  const links = resources.map((path) => [
    path.slice('/api/'.length).replace('.json', ''),
    `${publicUrl}${path}`,
  ])
  const docs = `${publicUrl}/docs`
  return { name: info.title, version: info.version, links: { docs, ...Object.fromEntries(links) } }
}

/** Without the line breaks of the committed document, whose server `/` is wrong for a service below a path. */
function withServer(document: string, publicUrl: string | undefined): string {
  const parsed = JSON.parse(document) as { servers: { url: string }[] }
  const servers = parsed.servers.map((server) => ({ ...server, url: publicUrl ?? server.url }))
  return JSON.stringify({ ...parsed, servers })
}

function once<Value>(create: () => Promise<Value>): () => Promise<Value> {
  let value: Promise<Value> | undefined
  return () => {
    value ??= create()
    return value
  }
}
