// Stops queries whose client has disconnected, or that exceed the time limit.
import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import { Connection, type Read } from '../../store/dialect/dialect.ts'
import { queryTimeoutError } from '../../store/dialect/errors.ts'
import type { QueryQueue } from './query-queue.ts'
import { ClientDisconnected } from './send.ts'

/** A connection that runs no statement after the signal was aborted. Statements then reject with its reason. */
class AbortingConnection extends Connection {
  readonly sql
  readonly #connection: Connection
  readonly #signal: AbortSignal

  constructor(connection: Connection, signal: AbortSignal) {
    super()
    this.sql = connection.sql
    this.#connection = connection
    this.#signal = signal
  }

  async read(read: Read): Promise<unknown> {
    this.#signal.throwIfAborted()
    try {
      return await this.#connection.read(read)
    } catch (error) {
      this.#signal.throwIfAborted()
      throw error
    }
  }
}

/** Aborts its signal when the client disconnects, or when the response has not started at the end of the time limit. */
class QueryAbort {
  readonly #controller = new AbortController()
  readonly #response: ServerResponse
  #timer: NodeJS.Timeout | undefined
  readonly #onDisconnect = () => this.#controller.abort(new ClientDisconnected())

  constructor(response: ServerResponse) {
    this.#response = response
    const { socket } = response.req
    // A half-closed socket counts as disconnected: waiting for the full close would delay other queries.
    if (socket.destroyed || socket.readableEnded) this.#onDisconnect()
    socket.once('end', this.#onDisconnect)
    socket.once('close', this.#onDisconnect)
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  startTimeLimit(limitMs: number): void {
    this.#timer = setTimeout(() => {
      if (!this.#response.headersSent) this.#controller.abort(queryTimeoutError(undefined, limitMs))
    }, limitMs)
  }

  close(): void {
    clearTimeout(this.#timer)
    const { socket } = this.#response.req
    socket.off('end', this.#onDisconnect)
    socket.off('close', this.#onDisconnect)
  }
}

/**
 * Runs a query on a snapshot when it is its turn. Queries can be slow and wait for each other, so they have a time limit and
 * are aborted when their client disconnects.
 */
export async function runQuery<Result>(
  { request, raw }: FastifyReply,
  queryQueue: QueryQueue,
  work: (snapshot: Connection) => Promise<Result>,
): Promise<Result> {
  const { keyId: key = '', latestReader, viewer } = request
  const query = new QueryAbort(raw)
  const { signal } = query
  try {
    return await queryQueue.run({ project: viewer.project, key }, signal, () => {
      query.startTimeLimit(queryQueue.timeLimitMs)
      const workOn = (snapshot: Connection) => work(new AbortingConnection(snapshot, signal))
      return latestReader.snapshot('query', workOn, signal)
    })
  } finally {
    query.close()
  }
}

/** Ends a request whose client has disconnected. Throws every other error. */
export function endDisconnected(reply: FastifyReply, error: unknown): void {
  if (!(error instanceof ClientDisconnected) || reply.sent) throw error
  reply.hijack()
  reply.raw.req.socket.destroy()
}
