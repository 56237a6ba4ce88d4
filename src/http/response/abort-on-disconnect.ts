// Stops database work for clients that have disconnected.
import type { ServerResponse } from 'node:http'
import { BaseConnection } from '../../store/dialect/base-connection.ts'
import type { Connection, Read } from '../../store/dialect/dialect.ts'
import { ClientDisconnected } from './send.ts'

/** A connection that checks before every statement that the client is connected. Throws ClientDisconnected. */
export class AbortingConnection extends BaseConnection {
  readonly sql
  readonly #connection: Connection
  readonly #response: ServerResponse

  constructor(connection: Connection, response: ServerResponse) {
    super()
    this.sql = connection.sql
    this.#connection = connection
    this.#response = response
  }

  async read(read: Read): Promise<unknown> {
    const { socket } = this.#response.req
    // A half-closed socket counts as disconnected: waiting for the full close would block the query thread.
    if (socket.destroyed || socket.readableEnded) throw new ClientDisconnected()
    return this.#connection.read(read)
  }
}
