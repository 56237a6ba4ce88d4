// What is asked of the store for a client that has gone meanwhile is not asked any more.
import type { ServerResponse } from 'node:http'
import type { Connection } from '../store/store.ts'
import { ClientGone } from './send.ts'

/** The same connection, for as long as there is somebody to answer. Throws ClientGone. */
export function unlessGone(connection: Connection, response: ServerResponse): Connection {
  const { socket } = response.req
  function there(): Connection {
    // Who breaks off closes its half first, like one that has merely said everything; waiting for both would take
    // the thread from those who stay.
    if (socket.destroyed || socket.readableEnded) throw new ClientGone()
    return connection
  }
  return {
    sql: connection.sql,
    get: async (statement, ...values) => there().get(statement, ...values),
    all: async (statement, ...values) => there().all(statement, ...values),
    join: async (statement, separator, ...values) => there().join(statement, separator, ...values),
    numbers: async (statement, ...values) => there().numbers(statement, ...values),
  }
}
