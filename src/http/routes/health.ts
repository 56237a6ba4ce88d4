// The service itself: whether it lives, whether it can answer, how it does.
import { timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { Problem } from '../../errors.ts'
import { hashKey } from '../../schema/keys.ts'
import { describeService } from '../describe.ts'
import type { App, RouteContext } from '../route.ts'

export function healthRoutes(app: App, { reader, settings, connections, metrics }: RouteContext): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/livez',
    schema: describeService({
      operationId: 'livez',
      summary: 'The process runs',
      mediaType: 'text/plain',
      example: 'ok\n',
    }),
    handler: async (_request, reply) => reply.type('text/plain').send('ok\n'),
  })

  app.route({
    method: ['GET', 'HEAD'],
    url: '/readyz',
    schema: describeService({
      operationId: 'readyz',
      summary: 'The store answers and the service takes requests',
      mediaType: 'text/plain',
      example: 'ok\n',
      errors: ['unavailable'],
    }),
    async handler(_request, reply) {
      if (connections.isDraining) throw unavailable('The service is shutting down.')
      try {
        await reader.get('SELECT name FROM migration LIMIT 1')
      } catch (error) {
        throw unavailable('The store does not answer.', error)
      }
      return reply.type('text/plain').send('ok\n')
    },
  })

  app.route({
    method: ['GET', 'HEAD'],
    url: '/metrics',
    schema: describeService({
      operationId: 'metrics',
      summary: 'Figures for Prometheus',
      mediaType: 'text/plain',
      errors: ['unauthorized', 'unavailable'],
      security: [{}, { metricsToken: [] }],
    }),
    async handler(request, reply) {
      if (settings.metrics_token !== undefined) checkToken(request, settings.metrics_token)
      const text = await metrics.text()
      if (text === undefined) throw unavailable('A process of the service does not answer.')
      return reply.type(metrics.registry.contentType).send(text)
    },
  })
}

function unavailable(detail: string, cause?: unknown): Problem {
  return new Problem('unavailable', detail, { 'retry-after': '5' }, { cause })
}

function checkToken({ headers }: FastifyRequest, token: string): void {
  const sent = headers.authorization?.replace(/^bearer\s+/i, '') ?? ''
  // Hashes have one length, which the comparison asks for.
  if (timingSafeEqual(hashKey(sent), hashKey(token))) return
  throw new Problem('unauthorized', 'Send the metrics token as "Authorization: Bearer <token>".', {
    'www-authenticate': 'Bearer realm="assay"',
  })
}
