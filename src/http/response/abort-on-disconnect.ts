// Stops queries whose client has disconnected, or that exceed the time limit.
import type { FastifyReply } from 'fastify'
import type { Connection } from '../../store/dialect/dialect.ts'
import { queryTimeoutError } from '../../store/dialect/errors.ts'
import type { QueryQueue } from './query-queue.ts'
import { ClientDisconnected } from './send.ts'

/**
 * Runs a query on a snapshot when it is its turn. Queries can be slow and wait for each other, so they are aborted when their
 * client disconnects, or when the response has not started at the end of the time limit.
 */
export async function runQuery<Result>(
  { request, raw }: FastifyReply,
  queryQueue: QueryQueue,
  work: (snapshot: Connection) => Promise<Result>,
): Promise<Result> {
  const { keyId: key = '', latestReader, viewer } = request
  const { socket } = raw.req
  const controller = new AbortController()
  const { signal } = controller
  const onDisconnect = () => controller.abort(new ClientDisconnected())
  let timer: NodeJS.Timeout | undefined
  // A half-closed socket counts as disconnected: waiting for the full close would delay other queries.
  if (socket.destroyed || socket.readableEnded) onDisconnect()
  socket.once('end', onDisconnect)
  socket.once('close', onDisconnect)
  try {
    return await queryQueue.run({ project: viewer.project, key }, signal, () => {
      const { timeLimitMs } = queryQueue
      timer = setTimeout(() => {
        if (!raw.headersSent) controller.abort(queryTimeoutError(undefined, timeLimitMs))
      }, timeLimitMs)
      return latestReader.snapshot('query', work, signal)
    })
  } finally {
    clearTimeout(timer)
    socket.off('end', onDisconnect)
    socket.off('close', onDisconnect)
  }
}

/** Ends a request whose client has disconnected. Throws every other error. */
export function endDisconnected(reply: FastifyReply, error: unknown): void {
  if (!(error instanceof ClientDisconnected) || reply.sent) throw error
  reply.hijack()
  reply.raw.req.socket.destroy()
}
