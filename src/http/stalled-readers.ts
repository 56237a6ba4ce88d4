// Cuts off clients that take nothing of their answer, and leaves those alone that take it slowly.
import { readFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Connections } from './connections.ts'

/** How often within the limit the connections are looked at. */
const LOOKS = 10

export function cutStalledReaders(server: Server, connections: Connections, limitMs: number): void {
  const seen = new WeakMap<Socket, { mark: string; since: number }>()

  async function look(): Promise<void> {
    // What has not been handed to the system is what waits for the client; without any, it waits for us.
    const waiting = connections.answering().filter((socket) => socket.writableLength > 0)
    if (waiting.length === 0) return
    const queues = await sendQueues()
    for (const socket of waiting) {
      const mark = `${socket.bytesWritten} ${queues.get(endpoints(socket))}`
      const last = seen.get(socket)
      if (last?.mark !== mark) seen.set(socket, { mark, since: performance.now() })
      // An answer that merely ends looks complete: reset.
      else if (performance.now() - last.since >= limitMs) socket.resetAndDestroy()
    }
  }

  const timer = setInterval(() => void look(), limitMs / LOOKS).unref()
  server.once('close', () => clearInterval(timer))
}

function endpoints({ localPort, remotePort }: Socket): string {
  return `${localPort} ${remotePort}`
}

/**
 * How many bytes the system holds on their way to each client, where it tells (Linux): in the send queue here
 * and, for a client on this machine, in its receive queue. A slow client empties megabytes of them before the
 * socket takes a single byte more, which from here looks like a standstill.
 */
async function sendQueues(): Promise<Map<string, number>> {
  const queues = new Map<string, number>()
  const add = (from: number, to: number, bytes: number) => {
    queues.set(`${from} ${to}`, (queues.get(`${from} ${to}`) ?? 0) + bytes)
  }
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    const text = await readFile(table, 'utf8').catch(() => '')
    for (const [, ...fields] of text.matchAll(CONNECTION)) {
      const [local = 0, remote = 0, sending = 0, received = 0] = fields.map((field) =>
        Number.parseInt(field, 16),
      )
      add(local, remote, sending)
      add(remote, local, received)
    }
  }
  return queues
}

/** slot: local address:port remote address:port state send-queue:receive-queue … */
const CONNECTION =
  /^\s*\d+: [0-9A-F]+:([0-9A-F]{4}) [0-9A-F]+:([0-9A-F]{4}) [0-9A-F]{2} ([0-9A-F]{8}):([0-9A-F]{8}) /gm
