// One line a request, written when its answer is over, and the id that ties line, answer and problem together.
import type { HookHandlerDoneFunction as Done, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { maskKeys } from '../schema/keys.ts'

/** Past this a line could mix with those of other processes on its way through a pipe. */
const MOST_OF_URL = 3000

/** An onRequest hook. The end of the response is the one event that every outcome has, a reset included. */
export function logRequest(request: FastifyRequest, reply: FastifyReply, done: Done): void {
  reply.header('x-request-id', request.id)
  reply.header('x-content-type-options', 'nosniff')
  const started = performance.now()
  reply.raw.once('close', () => {
    if (!(request.log as Logger).isLevelEnabled('info')) return
    request.log.info(
      {
        request_id: request.id,
        method: request.method,
        url: maskKeys(request.url).slice(0, MOST_OF_URL),
        status: reply.raw.statusCode,
        ms: Math.round(performance.now() - started),
        key: request.keyId,
        cut: reply.raw.writableFinished ? undefined : true,
      },
      'request',
    )
  })
  done()
}
