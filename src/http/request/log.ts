// Logs one line per request when its response ends. The request id is in the log, the response and the problem.
import type { HookHandlerDoneFunction as Done, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { maskKeys } from '../../schema/keys.ts'

/** Longer lines are not written atomically to a pipe and could mix with lines of other processes. */
const MAX_URL_CHARACTERS = 3000

/** An onRequest hook. It logs on the response's close event, which is emitted in every case, also for a reset. */
export function logRequest(request: FastifyRequest, reply: FastifyReply, done: Done): void {
  reply.header('x-request-id', request.id)
  reply.header('x-content-type-options', 'nosniff')
  const startTime = performance.now()
  reply.raw.once('close', () => {
    if (!(request.log as Logger).isLevelEnabled('info')) return
    request.log.info(
      {
        request_id: request.id,
        method: request.method,
        url: maskKeys(request.originalUrl).slice(0, MAX_URL_CHARACTERS),
        status: reply.raw.statusCode,
        ms: Math.round(performance.now() - startTime),
        address: request.ip,
        key: request.keyId,
        key_name: request.keyName ?? undefined,
        cut: reply.raw.writableFinished ? undefined : true,
      },
      'request',
    )
  })
  done()
}
