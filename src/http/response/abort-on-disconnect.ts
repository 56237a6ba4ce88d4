// Stops database work for clients that have disconnected.
import type { ServerResponse } from 'node:http'
import type { Connection } from '../../store/store.ts'
import { ClientDisconnected } from './send.ts'

/** Wraps a connection: every statement first checks that the client is connected. Throws ClientDisconnected. */
export function abortOnDisconnect(connection: Connection, response: ServerResponse): Connection {
  const { socket } = response.req
  function checkedConnection(): Connection {
    // A half-closed socket counts as disconnected: waiting for the full close would block the query thread.
    if (socket.destroyed || socket.readableEnded) throw new ClientDisconnected()
    return connection
  }
  return {
    sql: connection.sql,
    get: async (statement, ...values) => checkedConnection().get(statement, ...values),
    all: async (statement, ...values) => checkedConnection().all(statement, ...values),
    joinElements: async (statement, separator, ...values) =>
      checkedConnection().joinElements(statement, separator, ...values),
    readNumbers: async (statement, ...values) => checkedConnection().readNumbers(statement, ...values),
  }
}
