// CORS headers for the origins in the setting cors-origin. Browsers block all other origins.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ALL_METHODS } from './unmatched-requests.ts'

/** Returns a function that adds the headers to a reply. */
export function allowOrigins(origins: readonly string[]) {
  return ({ method, headers }: FastifyRequest, reply: FastifyReply): void => {
    if (origins.length === 0) return
    reply.header('vary', 'Origin')
    const { origin } = headers
    if (origin === undefined || !origins.includes(origin)) return
    reply.header('access-control-allow-origin', origin)
    reply.header(
      'access-control-expose-headers',
      'ETag, Idempotent-Replayed, Link, Location, Retry-After, X-Request-Id',
    )
    if (method === 'OPTIONS') {
      reply.header('access-control-allow-methods', ALL_METHODS)
      reply.header(
        'access-control-allow-headers',
        'Authorization, Accept, If-Match, If-None-Match, Content-Type, Content-Encoding, Idempotency-Key',
      )
      reply.header('access-control-max-age', '600')
    }
  }
}
