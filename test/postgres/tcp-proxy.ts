// A TCP proxy in this process that can be told to fail: what stands between a service and its database.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface TcpProxy {
  port: number
  /** The same URL, through the proxy. */
  url(original: string): string
  /** How many connections clients have open. */
  connections(): number
  /** Resets every open connection, to both sides. */
  cut(): void
  /** From now on no byte gets through, not even the end of a connection; new ones are taken, and are silent. */
  hole(): void
  /** New connections work again. What went into a hole is lost: connections that were in one stay silent. */
  pass(): void
  /** New connections are closed at once. */
  refuse(): void
  close(): Promise<void>
}

interface Pair {
  client: Socket
  /** None for a client that came while there was a hole. */
  server?: Socket
  isInHole: boolean
}

export async function startProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  const pairs = new Set<Pair>()
  let mode: 'pass' | 'hole' | 'refuse' = 'pass'

  function keep(pair: Pair): void {
    pairs.add(pair)
    const sockets = [pair.client, pair.server].filter((socket) => socket !== undefined)
    const forget = () => sockets.every(({ destroyed }) => destroyed) && pairs.delete(pair)
    for (const socket of sockets) socket.on('close', forget)
  }

  // Each side may end by itself, so that it is ours to hand on an end or to swallow it.
  const listener = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    client.on('error', () => undefined)
    if (mode === 'refuse') client.destroy()
    else if (mode === 'hole') keep(swallow({ client, isInHole: true }))
    else keep(join(client, connect({ ...target, allowHalfOpen: true, noDelay: true })))
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
    hole() {
      mode = 'hole'
      for (const pair of pairs) swallow(pair)
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
  const pair = { client, server, isInHole: false }
  const handOn = (from: Socket, to: Socket) => {
    from.pipe(to)
    from.on('error', () => {
      if (!pair.isInHole) to.resetAndDestroy()
    })
  }
  handOn(client, server)
  handOn(server, client)
  return pair
}

function swallow(pair: Pair): Pair {
  pair.isInHole = true
  for (const socket of [pair.client, pair.server]) socket?.unpipe().resume()
  return pair
}
