// Tracks the open connections: their limit, pending responses, the order of pipelined requests, and the graceful shutdown.
import { readFileSync } from 'node:fs'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setTimeout as delay, setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { Semaphore } from '../../semaphore.ts'

interface ConnectionState {
  /** Requests without a finished response, including pipelined requests that wait for their turn. */
  pendingResponses: number
  /** The last request if its response was sent before its body had arrived. */
  drainedRequest: IncomingMessage | undefined
  /** Pipelined requests run one after the other, so that those that wait use no snapshot and no memory. */
  turns: Semaphore
  closesAfterResponses: boolean
  /** Whether a request on this connection had a valid key. */
  isAuthenticated: boolean
}

/** After the response: how long a client can continue to send an unused body, and how fast it must send it. */
const MAX_BODY_DRAIN_MS = 60_000
/** A client on a busy machine can stop sending for a second. */
const BODY_DRAIN_CHECK_MS = 5000
const MIN_BODY_DRAIN_BYTES = 320 * 1024

/**
 * The maximum number of open connections of a process, if it can have enough open files. A new connection then closes the one
 * that is idle longest.
 */
export const MAX_CONNECTIONS = 4096
/** More pipelined requests on one connection reset it: each one needs memory while it waits. */
const MAX_PIPELINED = 100

/** After the stop signal: how long the server still accepts requests that were already sent. */
const GRACE_MS = 200

/** Lets the event loop accept connections and start requests that have already arrived. */
async function processArrivedRequests(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await yieldToEventLoop()
}

export class Connections {
  readonly #server: Server
  readonly #maxConnections: number
  readonly #states = new Map<Socket, ConnectionState>()
  /** Connections without a pending response, in the order in which they became idle. */
  readonly #idleSockets = { anonymous: new Set<Socket>(), authenticated: new Set<Socket>() }
  readonly #turns = new WeakMap<IncomingMessage, Promise<unknown>>()
  #isDraining = false
  /** Whether idle connections are closed. Not set during the grace period: a new connection looks idle too. */
  #isClosing = false
  #onIdle: (() => void) | undefined

  constructor(server: Server, maxConnections: number) {
    this.#server = server
    this.#maxConnections = maxConnections
    server.on('connection', (socket) => this.#accept(socket))
  }

  get isDraining(): boolean {
    return this.#isDraining
  }

  /** The connections with a pending response. */
  activeSockets(): Socket[] {
    return [...this.#states]
      .filter(([, { pendingResponses }]) => pendingResponses > 0)
      .map(([socket]) => socket)
  }

  /** Whether bytes written to this socket now would end up inside a response. */
  hasPendingResponse(socket: Socket): boolean {
    return (this.#states.get(socket)?.pendingResponses ?? 0) > 0
  }

  /** Whether the client still sends the body of a request that has a response. */
  isDrainingBody(socket: Socket): boolean {
    return this.#states.get(socket)?.drainedRequest?.complete === false
  }

  /** Whether the connection closes after the current response, because the server is draining. */
  isLastResponse(socket: Socket): boolean {
    return this.#isDraining && (this.#states.get(socket)?.pendingResponses ?? 0) <= 1
  }

  /** The end of the wait for earlier pipelined requests. Undefined if the request can run now. */
  getTurn(request: IncomingMessage): Promise<unknown> | undefined {
    return this.#turns.get(request)
  }

  /** Anonymous connections are closed before this one when the limit of connections is reached. */
  markAuthenticated(socket: Socket): void {
    const state = this.#states.get(socket)
    if (state) state.isAuthenticated = true
  }

  /** Closes the connection after its pending responses, because the client sent invalid bytes after the requests. */
  closeAfterResponses(socket: Socket): void {
    const state = this.#states.get(socket)
    if (state) state.closesAfterResponses = true
  }

  /**
   * Shuts down gracefully: waits a short grace period, stops accepting connections, closes idle connections,
   * waits for pending responses, then closes all other connections. After `limitMs`, or when `forceClose`
   * resolves, it resets unfinished responses, so that clients do not mistake them for complete ones.
   */
  async drain(limitMs: number, forceClose: Promise<unknown> = new Promise(() => undefined)): Promise<void> {
    this.#isDraining = true
    await delay(GRACE_MS)
    await processArrivedRequests()
    // http.Server.close would immediately close connections that were just accepted and not read yet.
    const serverClosed = new Promise<void>((resolve) =>
      NetServer.prototype.close.call(this.#server, () => resolve()),
    )
    await processArrivedRequests()
    this.#isClosing = true
    this.#server.closeIdleConnections()
    if (this.activeSockets().length > 0) await this.#waitUntilIdle(limitMs, forceClose)
    for (const socket of this.activeSockets()) socket.resetAndDestroy()
    this.#server.closeAllConnections()
    await serverClosed
  }

  async #waitUntilIdle(limitMs: number, forceClose: Promise<unknown>): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, limitMs)
      this.#onIdle = () => {
        clearTimeout(timer)
        resolve()
      }
      void forceClose.then(this.#onIdle)
    })
  }

  /**
   * At the limit, closes the connection that has been idle longest, so that idle clients cannot keep others out. A
   * connection with half-sent headers is idle. If none is idle, the new connection is closed.
   */
  #accept(socket: Socket): void {
    if (this.#states.size >= this.#maxConnections) {
      const { anonymous, authenticated } = this.#idleSockets
      const [idleSocket = socket] = anonymous.size > 0 ? anonymous : authenticated
      // Now, and not with the close event, which follows after other new connections.
      this.#forget(idleSocket)
      idleSocket.destroy()
    }
    if (!socket.destroyed) this.#track(socket)
  }

  /**
   * Must be called for each request, before anything else uses it. Returns whether its response can be sent now, on a
   * connection that stays open.
   */
  begin(request: IncomingMessage, response: ServerResponse): boolean {
    const { socket } = request
    const state = this.#states.get(socket) ?? this.#track(socket)
    this.#removeIdle(socket)
    state.pendingResponses += 1
    if (state.pendingResponses > MAX_PIPELINED) socket.resetAndDestroy()
    response.on('close', () => this.#finish(request, state))
    if (state.turns.tryAcquire()) return !this.#isDraining
    this.#turns.set(request, state.turns.acquire())
    return false
  }

  #track(socket: Socket): ConnectionState {
    const state: ConnectionState = {
      pendingResponses: 0,
      drainedRequest: undefined,
      turns: new Semaphore(1),
      closesAfterResponses: false,
      isAuthenticated: false,
    }
    this.#states.set(socket, state)
    this.#idleSockets.anonymous.add(socket)
    // Responses to pipelined requests that still wait for their turn emit no close event.
    socket.once('close', () => {
      this.#forget(socket)
      if (this.#isClosing) this.#closeIdleConnections()
    })
    return state
  }

  #forget(socket: Socket): void {
    this.#states.delete(socket)
    this.#removeIdle(socket)
  }

  #removeIdle(socket: Socket): void {
    this.#idleSockets.anonymous.delete(socket)
    this.#idleSockets.authenticated.delete(socket)
  }

  #finish(request: IncomingMessage, state: ConnectionState): void {
    const { socket } = request
    state.pendingResponses -= 1
    state.turns.release()
    if (state.pendingResponses === 0 && this.#states.has(socket))
      this.#idleSockets[state.isAuthenticated ? 'authenticated' : 'anonymous'].add(socket)
    if (state.closesAfterResponses && state.pendingResponses === 0) socket.destroySoon()
    state.drainedRequest = request.complete ? undefined : request
    if (state.drainedRequest) drainRequestBody(request)
    if (this.#isClosing) this.#closeIdleConnections()
  }

  #closeIdleConnections(): void {
    // Node marks a connection as idle only after the current event loop turn.
    setImmediate(() => {
      this.#server.closeIdleConnections()
      if (this.activeSockets().length === 0) this.#onIdle?.()
    })
  }
}

/**
 * Reads and discards the rest of a rejected body. Many clients read the response only after they have sent the
 * whole body, and would not see it if the connection closed earlier.
 */
function drainRequestBody(request: IncomingMessage): void {
  const { socket } = request
  const deadline = Date.now() + MAX_BODY_DRAIN_MS
  let bytesRead = socket.bytesRead
  request.resume()
  const timer = setInterval(() => {
    if (request.complete) return end()
    if (socket.bytesRead < bytesRead + MIN_BODY_DRAIN_BYTES || Date.now() > deadline) socket.destroy()
    bytesRead = socket.bytesRead
  }, BODY_DRAIN_CHECK_MS)
  timer.unref()
  const stopTimer = () => clearInterval(timer)
  function end(): void {
    stopTimer()
    // The connection can stay open, and its next requests would add more listeners.
    socket.off('close', stopTimer)
    const isCloseRequested = /close/i.test(request.headers.connection ?? '') || request.httpVersion === '1.0'
    if (isCloseRequested) socket.destroySoon()
  }
  request.once('end', end)
  socket.once('close', stopTimer)
}

/** The rest is for the store, buffered responses and cached files. */
const SHARE_OF_CONNECTIONS = 0.75

/** Without a free descriptor, the operating system closes every new connection, whatever the state of the others. */
export function limitByOpenFiles(maxConnections: number, log: FastifyBaseLogger): number {
  const maxOpenFiles = readOpenFilesLimit()
  const limit = Math.max(1, Math.min(maxConnections, Math.floor(maxOpenFiles * SHARE_OF_CONNECTIONS)))
  if (limit < maxConnections)
    log.info({ max_connections: limit, max_open_files: maxOpenFiles }, 'the open files limit the connections')
  return limit
}

/** The soft limit, which Node raises at the start if it can. Linux only; elsewhere unlimited. */
function readOpenFilesLimit(): number {
  try {
    const [, limit] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return Number(limit ?? Infinity)
  } catch {
    return Infinity
  }
}
