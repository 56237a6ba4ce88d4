// Cross-origin calls from the pages that the settings name; from every other page the browser refuses them.
import type { FastifyInstance } from 'fastify'

export function allowOrigins(app: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return
  app.addHook('onRequest', async (request, reply) => {
    reply.header('vary', 'Origin')
    const { origin } = request.headers
    if (origin === undefined || !origins.includes(origin)) return
    reply.header('access-control-allow-origin', origin)
    reply.header('access-control-expose-headers', 'ETag, Link, Retry-After, X-Request-Id')
    if (request.method === 'OPTIONS') {
      reply.header('access-control-allow-methods', 'GET, HEAD')
      reply.header('access-control-allow-headers', 'Authorization, Accept, If-None-Match')
      reply.header('access-control-max-age', '600')
    }
  })
}
