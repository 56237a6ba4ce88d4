// What a path takes: the answer to OPTIONS, to a method it does not take, and to a path that is not there.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../errors.ts'

/** What is served somewhere. */
export const ALL_METHODS = 'DELETE, GET, HEAD, OPTIONS, PATCH, POST'

interface Route {
  /** The segments of the path; one that begins with a colon stands for any. */
  segments: string[]
  methods: Set<string>
}

/** Collects the routes as they are added, and answers for everything that none of them takes. */
export function answerOtherMethods(app: FastifyInstance): void {
  const routes = new Map<string, Route>()

  app.addHook('onRoute', ({ url, method }) => {
    const route = routes.get(url) ?? { segments: segmentsOf(url), methods: new Set(['OPTIONS']) }
    for (const name of [method].flat()) route.methods.add(name)
    routes.set(url, route)
  })

  function allowedAt(path: string): string | undefined {
    const segments = segmentsOf(path)
    const methods = [...routes.values()]
      .filter((route) => fits(route, segments))
      .flatMap((route) => [...route.methods])
    return methods.length === 0 ? undefined : [...new Set(methods)].sort().join(', ')
  }

  // In a hook, because behind it a body would be looked at, and a wrong path is to be told before a wrong body.
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done()
    answerFor(request, reply).catch(done)
  })

  async function answerFor(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const path = pathOf(request.url)
    const isAboutTheServer = path === '*' && request.method === 'OPTIONS'
    const allow = isAboutTheServer ? ALL_METHODS : allowedAt(path)
    if (allow === undefined) throw nothingAt(path)
    if (request.method !== 'OPTIONS') {
      throw new Problem('method-not-allowed', `${request.method} is not taken at ${path}, but ${allow}.`, {
        allow,
      })
    }
    reply.code(204).header('allow', allow).send()
  }
}

export function nothingAt(path: string): Problem {
  const detail = `Nothing is served at ${path}. The API is under /api, and /docs describes it.`
  return new Problem('route-not-found', detail)
}

/** Decoded as the router does it: what is written with a percent sign is the same path. */
function segmentsOf(path: string): string[] {
  return path.replace(/\/$/, '').split('/').map(decodeURIComponent)
}

function fits({ segments }: Route, path: string[]): boolean {
  return (
    segments.length === path.length &&
    segments.every((segment, index) => segment.startsWith(':') || segment === path[index])
  )
}

/** Without the query, and without the origin of an absolute target. */
function pathOf(url: string): string {
  return url.replace(/^https?:\/\/[^/?]*/i, '').replace(/[?#].*$/s, '')
}
