// The web page: one HTML document for all page URLs, and its assets. No API key is needed, because the page loads all
// data from the API.
import type { FastifyReply } from 'fastify'
import { ENCODINGS } from '../../serialize/encoding.ts'
import { routeNotFound } from '../request/unmatched-requests.ts'
import { etag, matchesEtag } from '../response/etag.ts'
import { negotiateEncoding } from '../response/negotiate.ts'
import type { App } from '../route-context.ts'
import { prefixLinks } from '../server/path-prefix.ts'
import { readPreloads, readWebFiles, type WebFile } from '../server/web-files.ts'

/** URLs of the page, and what is open at each. The page itself reports unknown evaluations and variants. */
const PAGE_URLS: [url: string, scripts: (query: string) => (string | false)[]][] = [
  ['/', () => ['evaluations']],
  ['/evaluations/:evaluation_id', (query) => ['evaluation', hasOpenRow(query) && 'scenario']],
  ['/evaluations/:evaluation_id/scenarios/:scenario_id', () => ['scenario']],
  ['/evaluations/:evaluation_id/agreement', () => ['agreement']],
  [
    '/compare',
    (query) =>
      query.split('evaluation=').length > 2
        ? ['comparison', hasOpenRow(query) && 'row-panel']
        : ['comparison-start'],
  ],
  ['/leaderboard', (query) => ['leaderboard', /(?:^|&)tab=rows(?:&|$)/.test(query) && 'rows-view']],
  ['/reviews/:review_id', () => ['review']],
  ['/variants', () => ['variants']],
  ['/variants/:variant_id', () => ['variant']],
  ['/variants/:variant_id/revisions/:revision', () => ['revision']],
  ['/variants/:variant_id/revisions/:from/diff/:to', () => ['revision-diff']],
]

function hasOpenRow(query: string): boolean {
  return /(?:^|&)row=/.test(query)
}

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
]

/** Security headers of all HTML pages. (X-Content-Type-Options is set on every response.) */
const PAGE_HEADERS = {
  'content-security-policy': POLICY.join('; '),
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
}

const NO_CACHE = 'no-cache'
/** Asset names contain a hash of the content. */
const IMMUTABLE = 'public, max-age=31536000, immutable'

/** Why there is no page, and what to do. */
const MISSING_PAGE = {
  'not-built': {
    log: 'the web page is not built; run npm run build',
    title: 'The page is not built',
    text: 'Run <code>npm run build</code> in the folder of Assay and restart the service.',
  },
  unreadable: {
    log: 'the web page cannot be read; check the permissions of web/dist',
    title: 'The page cannot be read',
    text: 'Give the user of the service read access to the folder <code>web/dist</code> and restart the service.',
  },
}

/** `prefix` is the path of --public-url. */
export async function webRoutes(app: App, folder: string, prefix: string): Promise<void> {
  const method = ['GET', 'HEAD']
  let missing = MISSING_PAGE['not-built']
  const files = await readWebFiles(folder, prefix).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') missing = MISSING_PAGE.unreadable
    app.log.warn({ reason: String(error) }, missing.log)
    return new Map<string, WebFile>()
  })
  const preloads = await readPreloads(folder, prefix)
  const index = files.get('index.html')
  for (const [url, scripts] of PAGE_URLS) {
    app.route({
      method,
      url,
      handler(request, reply) {
        if (!index) return sendMissingPage(reply, missing, prefix)
        const [, query = ''] = request.url.split('?')
        const links = new Set(scripts(query).flatMap((name) => (name && preloads.get(name)) || []))
        if (links.size > 0) reply.header('link', [...links].join(', '))
        return sendFile(reply, index)
      },
    })
  }
  app.setNotFoundHandler((request, reply) => {
    if (!index) throw routeNotFound(request.url, prefix)
    return sendFile(reply.code(404).header('vary', joinNames(reply.getHeader('vary'), 'Accept')), index)
  })
  for (const [name, file] of files) {
    if (file === index || name.includes('/')) continue
    app.route({
      method,
      url: `/${name}`,
      handler: (_request, reply) => sendFile(reply, file),
    })
  }
  app.route({
    method,
    url: '/assets/:name',
    handler(request, reply) {
      const { name } = request.params as { name: string }
      const file = files.get(`assets/${name}`)
      if (!file) throw routeNotFound(`/assets/${name}`, prefix)
      return sendFile(reply, file, IMMUTABLE)
    },
  })
}

/** Sends a compressed file with its ETag, or 304. An error page has no ETag, because a 304 would replace its status. */
export async function sendFile(
  reply: FastifyReply,
  file: WebFile,
  cacheControl = NO_CACHE,
): Promise<FastifyReply> {
  const { 'accept-encoding': acceptEncoding, 'if-none-match': ifNoneMatch } = reply.request.headers
  const encoding = file.isText ? negotiateEncoding(acceptEncoding, ENCODINGS) : 'identity'
  const vary = joinNames(reply.getHeader('vary'), 'Accept-Encoding')
  const headers = file.type === 'application/json' ? {} : PAGE_HEADERS
  reply.headers({ ...headers, 'cache-control': cacheControl, vary })
  if (reply.statusCode === 200) {
    const fileEtag = etag(file.digest, 'file', encoding)
    reply.header('etag', fileEtag)
    if (matchesEtag(ifNoneMatch, fileEtag)) return reply.code(304).send()
  }
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  return reply.type(file.type).send(await file.bytes(encoding))
}

function joinNames(...names: unknown[]): string {
  return names.filter((name) => name !== undefined).join(', ')
}

async function sendMissingPage(
  reply: FastifyReply,
  { title, text }: { title: string; text: string },
  prefix: string,
): Promise<FastifyReply> {
  return reply
    .code(503)
    .headers({ ...PAGE_HEADERS, 'cache-control': 'no-store' })
    .type('text/html; charset=utf-8')
    .send(
      prefixLinks(
        `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Assay</title><link rel="icon" href="data:,"></head>
<body><h1>${title}</h1>
<p>${text} The API is available; see the <a href="/docs">API reference</a>.</p></body></html>
`,
        prefix,
      ),
    )
}
