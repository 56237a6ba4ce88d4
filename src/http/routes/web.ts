// The web page: one HTML document at each of its addresses, and the files that it loads. It asks the API for everything
// else, so none of it needs a key.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { etag, matches } from '../etag.ts'
import { nothingAt } from '../methods.ts'
import { pickCoding } from '../negotiate.ts'
import { PAGE_FIELDS } from '../page-fields.ts'
import type { App } from '../route.ts'
import { readWebFiles, type WebFile } from '../web-files.ts'

/** The addresses of the page. Whether there is such an evaluation or variant is the page's to find out. */
const ADDRESSES = [
  '/',
  '/evaluations/:evaluation_id',
  '/evaluations/:evaluation_id/scenarios/:scenario_id',
  '/compare',
  '/variants',
  '/variants/:variant_id',
  '/variants/:variant_id/revisions/:revision',
  '/variants/:variant_id/revisions/:from/diff/:to',
]

const ASK_AGAIN = 'no-cache'
/** The name of an asset has a hash of its content in it. */
const FOR_EVER = 'public, max-age=31536000, immutable'

const NOT_BUILT = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Assay</title><link rel="icon" href="data:,"></head>
<body><h1>The page is not built</h1>
<p>Run <code>npm run build</code> where Assay is installed, and start it again. The API is served all the same;
<a href="/docs">its reference</a> is here.</p></body></html>
`

export async function webRoutes(app: App, folder: string): Promise<void> {
  const method = ['GET', 'HEAD']
  const files = await readWebFiles(folder).catch((error: unknown) => {
    app.log.warn({ reason: String(error) }, 'the page is not served: npm run build makes it')
    return new Map<string, WebFile>()
  })
  const index = files.get('index.html')
  for (const url of ADDRESSES) {
    app.route({
      method,
      url,
      handler: (request, reply) => (index ? sendFile(request, reply, index, ASK_AGAIN) : sendNotBuilt(reply)),
    })
  }
  for (const [name, file] of files) {
    if (file === index || name.includes('/')) continue
    app.route({
      method,
      url: `/${name}`,
      handler: (request, reply) => sendFile(request, reply, file, ASK_AGAIN),
    })
  }
  app.route({
    method,
    url: '/assets/:name',
    handler(request, reply) {
      const { name } = request.params as { name: string }
      const file = files.get(`assets/${name}`)
      if (!file) throw nothingAt(`/assets/${name}`)
      return sendFile(request, reply, file, FOR_EVER)
    },
  })
}

async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: WebFile,
  caching: string,
): Promise<FastifyReply> {
  const { 'accept-encoding': accepted, 'if-none-match': known } = request.headers
  const coding = file.isText ? pickCoding(accepted) : 'identity'
  const tag = etag(file.digest, 'file', coding)
  const vary = [reply.getHeader('vary'), 'Accept-Encoding'].filter((name) => name !== undefined).join(', ')
  reply.headers({ ...PAGE_FIELDS, 'cache-control': caching, etag: tag, vary })
  if (matches(known, tag)) return reply.code(304).send()
  if (coding !== 'identity') reply.header('content-encoding', coding)
  return reply.type(file.type).send(await file.bytes(coding))
}

async function sendNotBuilt(reply: FastifyReply): Promise<FastifyReply> {
  return reply
    .code(503)
    .headers({ ...PAGE_FIELDS, 'cache-control': 'no-store' })
    .type('text/html; charset=utf-8')
    .send(NOT_BUILT)
}
