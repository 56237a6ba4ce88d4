// CORS headers for the origins in the setting cors-origin. Browsers block all other origins.
import type { FastifyInstance } from 'fastify'
import { ALL_METHODS } from './unmatched-requests.ts'

export function allowOrigins(app: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return
  app.addHook('onRequest', async (request, reply) => {
    reply.header('vary', 'Origin')
    const { origin } = request.headers
    if (origin === undefined || !origins.includes(origin)) return
    reply.header('access-control-allow-origin', origin)
    reply.header('access-control-expose-headers', 'ETag, Link, Location, Retry-After, X-Request-Id')
    if (request.method === 'OPTIONS') {
      reply.header('access-control-allow-methods', ALL_METHODS)
      reply.header(
        'access-control-allow-headers',
        'Authorization, Accept, If-Match, If-None-Match, Content-Type, Content-Encoding, Idempotency-Key',
      )
      reply.header('access-control-max-age', '600')
    }
  })
}
