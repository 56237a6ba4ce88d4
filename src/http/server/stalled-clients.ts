// Disconnects clients that read nothing of their response for too long. Slow clients stay connected.
import { readFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Connections } from './connections.ts'

const CHECKS_PER_TIMEOUT = 10

export function disconnectStalledClients(server: Server, connections: Connections, timeoutMs: number): void {
  const lastProgress = new WeakMap<Socket, { progress: string; since: number }>()

  async function checkConnections(): Promise<void> {
    // Only bytes that the kernel has not accepted yet wait for the client.
    const waitingSockets = connections.activeSockets().filter((socket) => socket.writableLength > 0)
    if (waitingSockets.length === 0) return
    const queues = await readSendQueues()
    for (const socket of waitingSockets) {
      const progress = `${socket.bytesWritten} ${queues.get(portPair(socket.localPort, socket.remotePort))}`
      const previous = lastProgress.get(socket)
      if (previous?.progress !== progress) lastProgress.set(socket, { progress, since: performance.now() })
      // Reset, because a response that ends normally would look complete.
      else if (performance.now() - previous.since >= timeoutMs) socket.resetAndDestroy()
    }
  }

  const timer = setInterval(() => void checkConnections(), timeoutMs / CHECKS_PER_TIMEOUT).unref()
  server.once('close', () => clearInterval(timer))
}

function portPair(localPort: number | undefined, remotePort: number | undefined): string {
  return `${localPort} ${remotePort}`
}

/**
 * Bytes in kernel buffers per connection (Linux only): the send queue and, for a client on the same machine, its
 * receive queue. A slow client can read megabytes from them before the socket accepts the next byte, which
 * without these numbers would look like a stalled client.
 */
async function readSendQueues(): Promise<Map<string, number>> {
  const queues = new Map<string, number>()
  const addBytes = (senderPort: number, receiverPort: number, bytes: number) => {
    const ports = portPair(senderPort, receiverPort)
    queues.set(ports, (queues.get(ports) ?? 0) + bytes)
  }
  // Not /proc/net, which the systemd unit hides (ProcSubset=pid).
  for (const table of ['/proc/self/net/tcp', '/proc/self/net/tcp6']) {
    const text = await readFile(table, 'utf8').catch(() => '')
    for (const [, ...columns] of text.matchAll(CONNECTION_LINE)) {
      const [localPort = 0, remotePort = 0, sendQueue = 0, receiveQueue = 0] = columns.map((column) =>
        Number.parseInt(column, 16),
      )
      addBytes(localPort, remotePort, sendQueue)
      addBytes(remotePort, localPort, receiveQueue)
    }
  }
  return queues
}

/** A line of /proc/self/net/tcp: slot, local address:port, remote address:port, state, send queue:receive queue. */
const CONNECTION_LINE =
  /^\s*\d+: [0-9A-F]+:([0-9A-F]{4}) [0-9A-F]+:([0-9A-F]{4}) [0-9A-F]{2} ([0-9A-F]{8}):([0-9A-F]{8}) /gm
