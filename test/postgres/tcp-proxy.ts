// A TCP proxy between a service and its database that can simulate network failures.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { Transform } from 'node:stream'

export interface TcpProxy {
  port: number
  /** Replaces host and port of a database URL with those of the proxy. */
  url(databaseUrl: string): string
  /** The number of open client connections. */
  countConnections(): number
  /** Resets every open connection to the client and to the server. */
  resetConnections(): void
  /** Drops all traffic from now on, including the end of connections. New connections are accepted and stay silent. */
  blackhole(): void
  /** Forwards new connections again. Connections whose traffic was dropped stay silent. */
  forwardConnections(): void
  /** Closes new connections immediately. */
  rejectConnections(): void
  close(): Promise<void>
}

/** A client connection and the connection to the server that it is forwarded to. */
interface ProxiedConnection {
  client: Socket
  /** Undefined for a client that connected while traffic was dropped. */
  server?: Socket
  dropsTraffic: boolean
}

/** `rewrite` can replace the bytes that a client sends, by bytes of the same length. */
export async function startProxy(
  target: { host: string; port: number },
  rewrite?: (bytes: Buffer) => Buffer,
): Promise<TcpProxy> {
  const connections = new Set<ProxiedConnection>()
  let mode: 'forward' | 'blackhole' | 'reject' = 'forward'

  function track(connection: ProxiedConnection): void {
    connections.add(connection)
    const sockets = [connection.client, connection.server].filter((socket) => socket !== undefined)
    const untrack = () => sockets.every(({ destroyed }) => destroyed) && connections.delete(connection)
    for (const socket of sockets) socket.on('close', untrack)
  }

  // Half-open sockets let the proxy decide whether to forward the end of a connection.
  const listener = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    client.on('error', () => undefined)
    if (mode === 'reject') client.destroy()
    else if (mode === 'blackhole') track(dropTraffic({ client, dropsTraffic: true }))
    else track(forwardTraffic(client, connect({ ...target, allowHalfOpen: true, noDelay: true }), rewrite))
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address() as AddressInfo

  function resetConnections(): void {
    for (const { client, server } of connections) {
      client.resetAndDestroy()
      server?.resetAndDestroy()
    }
    connections.clear()
  }

  return {
    port,
    url(databaseUrl) {
      const url = new URL(databaseUrl)
      url.hostname = '127.0.0.1'
      url.port = `${port}`
      return url.href
    },
    countConnections: () =>
      [...connections].filter(({ client }) => !client.readableEnded && !client.destroyed).length,
    resetConnections,
    blackhole() {
      mode = 'blackhole'
      for (const connection of connections) dropTraffic(connection)
    },
    forwardConnections() {
      mode = 'forward'
    },
    rejectConnections() {
      mode = 'reject'
    },
    async close() {
      const closeEvent = once(listener, 'close')
      listener.close()
      resetConnections()
      await closeEvent
    },
  }
}

function forwardTraffic(
  client: Socket,
  server: Socket,
  rewrite?: (bytes: Buffer) => Buffer,
): ProxiedConnection {
  const connection = { client, server, dropsTraffic: false }
  const forward = (from: Socket, to: Socket, change?: (bytes: Buffer) => Buffer) => {
    const transform = (bytes: Buffer, _: unknown, done: (error: null, bytes: Buffer) => void) =>
      done(null, change?.(bytes) ?? bytes)
    if (change) from.pipe(new Transform({ transform })).pipe(to)
    else from.pipe(to)
    from.on('error', () => {
      if (!connection.dropsTraffic) to.resetAndDestroy()
    })
  }
  forward(client, server, rewrite)
  forward(server, client)
  return connection
}

function dropTraffic(connection: ProxiedConnection): ProxiedConnection {
  connection.dropsTraffic = true
  for (const socket of [connection.client, connection.server]) socket?.unpipe().resume()
  return connection
}
