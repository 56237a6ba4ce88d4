// One line a request, written when its answer is over, and the id that ties line, answer and problem together.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { maskKeys } from '../schema/keys.ts'

/** An onRequest hook. The end of the response is the one event that every outcome has, a reset included. */
export async function logRequest(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.header('x-request-id', request.id)
  reply.header('x-content-type-options', 'nosniff')
  const started = performance.now()
  reply.raw.once('close', () => {
    request.log.info(
      {
        method: request.method,
        url: maskKeys(request.url),
        status: reply.raw.statusCode,
        ms: Math.round(performance.now() - started),
        key: request.keyId,
        cut: reply.raw.writableFinished ? undefined : true,
      },
      'request',
    )
  })
}
