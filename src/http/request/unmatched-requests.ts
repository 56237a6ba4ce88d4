// Handles requests that no route matches: OPTIONS, unsupported methods (405) and unknown paths (404).
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../errors.ts'
import { acceptsHtml } from '../response/negotiate.ts'

/** All methods that at least one route supports. */
export const ALL_METHODS = 'DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT'

/** Folders without pages. */
const OTHER_FOLDERS = new Set(['api', 'docs', 'assets'])

interface Route {
  segments: string[]
  methods: Set<string>
}

/**
 * Collects the routes as they are added. Returns a function that responds to a request that matches none of them. It
 * returns false if the page responds, and throws problems.
 */
export function respondToUnmatchedRequests(app: FastifyInstance, prefix: string) {
  const routes = new Map<string, Route>()

  app.addHook('onRoute', ({ url, method }) => {
    const route = routes.get(url) ?? { segments: splitPath(url), methods: new Set(['OPTIONS']) }
    for (const name of [method].flat()) route.methods.add(name)
    routes.set(url, route)
  })

  function allowedMethods(path: string): string | undefined {
    const segments = splitPath(path)
    const methods = [...routes.values()]
      .filter((route) => matchesSegments(route.segments, segments))
      .flatMap((route) => [...route.methods])
    return methods.length === 0 ? undefined : [...new Set(methods)].sort().join(', ')
  }

  return (request: FastifyRequest, reply: FastifyReply): boolean => {
    if (isPageRequest(request)) return false
    const path = parsePath(request.url)
    const isServerWide = path === '*' && request.method === 'OPTIONS'
    const methods = isServerWide ? ALL_METHODS : allowedMethods(path)
    if (methods === undefined) throw routeNotFound(path, prefix)
    if (request.method !== 'OPTIONS') {
      throw new Problem(
        'method-not-allowed',
        `${request.method} is not supported at ${prefix}${path}. Use ${methods}.`,
        {
          allow: methods,
        },
      )
    }
    reply.code(204).header('allow', methods).send()
    return true
  }
}

/** Whether a browser opens an unknown address. The page itself reports it, see routes/web.ts. */
function isPageRequest({ method, url, headers }: FastifyRequest): boolean {
  const [, folder = ''] = splitPath(parsePath(url))
  return ['GET', 'HEAD'].includes(method) && !OTHER_FOLDERS.has(folder) && acceptsHtml(headers.accept)
}

/** `prefix` is the path of --public-url. */
export function routeNotFound(path: string, prefix: string): Problem {
  const detail = `There is no route ${prefix}${path}. The API is under ${prefix}/api; see ${prefix}/docs.`
  return new Problem('route-not-found', detail)
}

/** Decodes percent-encoding like the router, so that both spellings of a path match. */
export function splitPath(path: string): string[] {
  return path.replace(/\/$/, '').split('/').map(decodeURIComponent)
}

/** A segment of a route that starts with a colon matches any value. */
export function matchesSegments(route: string[], path: string[]): boolean {
  return (
    route.length === path.length &&
    route.every((segment, index) => segment.startsWith(':') || segment === path[index])
  )
}

/** Removes the query, and the origin of an absolute URL. */
function parsePath(url: string): string {
  return url.replace(/^https?:\/\/[^/?]*/i, '').replace(/\?.*$/s, '')
}
