// /livez, /readyz and /metrics: health checks and Prometheus metrics.
import { timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { Problem } from '../../errors.ts'
import { hashKey } from '../../schema/keys.ts'
import { Type } from '../../schema/schema-builders.ts'
import type { App, RouteContext } from '../route-context.ts'

const plainText = { tag: 'service', mediaType: 'text/plain', isUnversioned: true } as const
const healthCheck = { ...plainText, returns: Type.String({ examples: ['ok\n'] }) }

export function healthRoutes(app: App, { reader, settings, connections, metrics }: RouteContext): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/livez',
    schema: { operationId: 'getLiveness', summary: 'Check that the process runs', ...healthCheck },
    handler: async (_request, reply) => reply.type('text/plain').send('ok\n'),
  })

  app.route({
    method: ['GET', 'HEAD'],
    url: '/readyz',
    schema: {
      operationId: 'getReadiness',
      summary: 'Check that the service is ready for requests',
      ...healthCheck,
      errors: ['unavailable'],
    },
    async handler(_request, reply) {
      if (connections.isDraining) throw unavailableProblem('The service is shutting down. Retry later.')
      try {
        await reader.get('SELECT name FROM migration LIMIT 1')
      } catch (error) {
        throw unavailableProblem('The database is not available. Retry later.', error)
      }
      return reply.type('text/plain').send('ok\n')
    },
  })

  app.route({
    method: ['GET', 'HEAD'],
    url: '/metrics',
    schema: {
      operationId: 'getMetrics',
      summary: 'Retrieve Prometheus metrics',
      ...plainText,
      returns: Type.String(),
      errors: ['unauthorized', 'unavailable'],
      security: [{}, { metricsToken: [] }],
    },
    async handler(request, reply) {
      if (settings.metrics_token !== undefined) checkToken(request, settings.metrics_token)
      const text = await metrics.toPrometheusText()
      if (text === undefined) throw unavailableProblem('A worker process does not respond. Retry later.')
      return reply.type(metrics.registry.contentType).send(text)
    },
  })
}

function unavailableProblem(detail: string, cause?: unknown): Problem {
  return new Problem('unavailable', detail, { 'retry-after': '5' }, { cause })
}

function checkToken({ headers }: FastifyRequest, token: string): void {
  const sentToken = headers.authorization?.replace(/^bearer\s+/i, '') ?? ''
  // timingSafeEqual requires inputs of the same length, so it compares hashes.
  if (timingSafeEqual(hashKey(sentToken), hashKey(token))) return
  throw new Problem('unauthorized', 'Send the metrics token as "Authorization: Bearer <token>".', {
    'www-authenticate': 'Bearer realm="assay"',
  })
}
