// The connections of the server: which have answers under way, whose turn it is, and how they end.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'

interface State {
  /** Requests whose answer has not ended, those that wait for their turn included. */
  answering: number
  /** Those that wait for their turn, in order. */
  waiting: (() => void)[]
  closesWhenAnswered: boolean
}

/** How long a client may go on sending a body that nobody wants, once it has its answer, and how fast it must. */
const REST_MS = 60_000
const REST_BYTES_PER_SECOND = 64 * 1024

/** How long requests that were sent before the service was asked to end may take to be seen. */
const GRACE_MS = 200

/** Turns of the event loop in which what has arrived meanwhile is accepted, read and begun. */
async function takeArrived(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await nextTurn()
}

export class Connections {
  readonly #server: Server
  readonly #maxPipelined: number
  readonly #states = new Map<Socket, State>()
  readonly #turns = new WeakMap<IncomingMessage, Promise<void>>()
  #isDraining = false
  /** Whether a connection without an answer under way is closed: one that was just opened looks like an idle one. */
  #isClosing = false
  #onQuiet: (() => void) | undefined

  constructor(server: Server, limits: { max_pipelined: number }) {
    this.#server = server
    this.#maxPipelined = limits.max_pipelined
    // Before Fastify's own listener, so that every request has its turn when its hooks begin.
    server.prependListener('request', (request, response) => this.#begin(request, response))
  }

  get isDraining(): boolean {
    return this.#isDraining
  }

  /** The connections with an answer under way. */
  answering(): Socket[] {
    return [...this.#states].filter(([, { answering }]) => answering > 0).map(([socket]) => socket)
  }

  /** Whether bytes written to this socket now would land inside an answer. */
  isAnswering(socket: Socket): boolean {
    return (this.#states.get(socket)?.answering ?? 0) > 0
  }

  /** Whether the answer under way is the last that this connection needs. */
  isLeaving(socket: Socket): boolean {
    return this.#isDraining && (this.#states.get(socket)?.answering ?? 0) <= 1
  }

  /**
   * Requests that come together on one connection are answered one after the other: each would hold a
   * snapshot and its first piece while it waits. Undefined where it is its turn.
   */
  turnOf(request: IncomingMessage): Promise<void> | undefined {
    return this.#turns.get(request)
  }

  /** Lets the answers under way finish, for a client that has sent something unreadable behind them. */
  closeWhenAnswered(socket: Socket): void {
    const state = this.#states.get(socket)
    if (state) state.closesWhenAnswered = true
  }

  /**
   * After a moment for requests that are on their way, takes no new connection, lets answers under way
   * finish, then closes what is left: idle connections at once, half-sent requests when no answer is under
   * way any more. When the time is over, or `hurry` resolves, answers that are not finished are reset, so
   * that none of them looks complete.
   */
  async drain(limitMs: number, hurry: Promise<unknown> = new Promise(() => undefined)): Promise<void> {
    this.#isDraining = true
    await delay(GRACE_MS)
    await takeArrived()
    // http.Server.close would close at once what has just been accepted and not read.
    const closed = new Promise<void>((resolve) =>
      NetServer.prototype.close.call(this.#server, () => resolve()),
    )
    await takeArrived()
    this.#isClosing = true
    this.#server.closeIdleConnections()
    if (this.answering().length > 0) await this.#quietWithin(limitMs, hurry)
    for (const socket of this.answering()) socket.resetAndDestroy()
    this.#server.closeAllConnections()
    await closed
  }

  async #quietWithin(limitMs: number, hurry: Promise<unknown>): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, limitMs)
      this.#onQuiet = () => {
        clearTimeout(timer)
        resolve()
      }
      void hurry.then(this.#onQuiet)
    })
  }

  #begin(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request
    const state = this.#states.get(socket) ?? this.#track(socket)
    state.answering += 1
    if (state.answering > this.#maxPipelined) socket.resetAndDestroy()
    if (state.answering > 1)
      this.#turns.set(request, new Promise((resolve) => void state.waiting.push(resolve)))
    response.once('close', () => this.#answered(request, state))
  }

  #track(socket: Socket): State {
    const state: State = { answering: 0, waiting: [], closesWhenAnswered: false }
    this.#states.set(socket, state)
    // Answers that were waiting for their turn never close by themselves.
    socket.once('close', () => {
      this.#states.delete(socket)
      this.#settle()
    })
    return state
  }

  #answered(request: IncomingMessage, state: State): void {
    const { socket } = request
    state.answering -= 1
    state.waiting.shift()?.()
    if (state.closesWhenAnswered && state.answering === 0) socket.destroySoon()
    if (!request.complete) takeRest(request)
    this.#settle()
  }

  #settle(): void {
    if (!this.#isClosing) return
    // A connection counts as idle only after the events of this turn.
    setImmediate(() => {
      this.#server.closeIdleConnections()
      if (this.answering().length === 0) this.#onQuiet?.()
    })
  }
}

/**
 * Takes the rest of a body that was refused before its end. Many clients look for their answer only when they have
 * sent everything; one that is cut off before never sees it.
 */
function takeRest(request: IncomingMessage): void {
  const { socket } = request
  const until = Date.now() + REST_MS
  let seen = socket.bytesRead
  request.resume()
  const timer = setInterval(() => {
    if (request.complete) return end()
    if (socket.bytesRead < seen + REST_BYTES_PER_SECOND || Date.now() > until) socket.destroy()
    seen = socket.bytesRead
  }, 1000)
  timer.unref()
  function end(): void {
    clearInterval(timer)
    const asksToClose = /close/i.test(request.headers.connection ?? '') || request.httpVersion === '1.0'
    if (asksToClose) socket.destroySoon()
  }
  request.once('end', end)
  socket.once('close', () => clearInterval(timer))
}
