// A TCP proxy between a service and its database that can simulate network failures.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface TcpProxy {
  port: number
  /** The same URL, through the proxy. */
  url(original: string): string
  /** The number of open client connections. */
  connections(): number
  /** Resets every open connection on both sides. */
  cut(): void
  /** Drops all traffic from now on, including the end of connections. New connections are accepted and stay silent. */
  blackhole(): void
  /** Forwards new connections again. Connections whose traffic was dropped stay silent. */
  pass(): void
  /** Closes new connections immediately. */
  refuse(): void
  close(): Promise<void>
}

interface Pair {
  client: Socket
  /** Missing for a client that connected while traffic was dropped. */
  server?: Socket
  isDropped: boolean
}

export async function startProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  const pairs = new Set<Pair>()
  let mode: 'pass' | 'blackhole' | 'refuse' = 'pass'

  function track(pair: Pair): void {
    pairs.add(pair)
    const sockets = [pair.client, pair.server].filter((socket) => socket !== undefined)
    const untrack = () => sockets.every(({ destroyed }) => destroyed) && pairs.delete(pair)
    for (const socket of sockets) socket.on('close', untrack)
  }

  // Half-open sockets let the proxy decide whether to forward the end of a connection.
  const listener = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    client.on('error', () => undefined)
    if (mode === 'refuse') client.destroy()
    else if (mode === 'blackhole') track(dropTraffic({ client, isDropped: true }))
    else track(join(client, connect({ ...target, allowHalfOpen: true, noDelay: true })))
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address() as AddressInfo

  function cut(): void {
    for (const { client, server } of pairs) {
      client.resetAndDestroy()
      server?.resetAndDestroy()
    }
    pairs.clear()
  }

  return {
    port,
    url(original) {
      const url = new URL(original)
      url.hostname = '127.0.0.1'
      url.port = `${port}`
      return url.href
    },
    connections: () => [...pairs].filter(({ client }) => !client.readableEnded && !client.destroyed).length,
    cut,
    blackhole() {
      mode = 'blackhole'
      for (const pair of pairs) dropTraffic(pair)
    },
    pass() {
      mode = 'pass'
    },
    refuse() {
      mode = 'refuse'
    },
    async close() {
      const closed = once(listener, 'close')
      listener.close()
      cut()
      await closed
    },
  }
}

function join(client: Socket, server: Socket): Pair {
  const pair = { client, server, isDropped: false }
  const forward = (from: Socket, to: Socket) => {
    from.pipe(to)
    from.on('error', () => {
      if (!pair.isDropped) to.resetAndDestroy()
    })
  }
  forward(client, server)
  forward(server, client)
  return pair
}

function dropTraffic(pair: Pair): Pair {
  pair.isDropped = true
  for (const socket of [pair.client, pair.server]) socket?.unpipe().resume()
  return pair
}
