// Bytes to a socket: with backpressure, and with a reset when anything fails on the way, because an answer
// that merely ends looks complete.
import type { ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { release } from '../rendition/chunk.ts'

/** Brackets and commas: not worth a packet, nor a wait. */
const TINY = 2

/** Calls `begin`, which sends the head, when the first bytes are there: what fails before is thrown unsent. */
export async function send(
  response: ServerResponse,
  begin: () => void,
  bytes: AsyncIterable<Uint8Array>,
): Promise<void> {
  const chunks = bytes[Symbol.asyncIterator]()
  const outlet = new Outlet(response)
  try {
    let next = await chunks.next()
    begin()
    for (; !next.done; next = await chunks.next()) {
      if (next.value.length <= TINY) {
        outlet.add(next.value)
        continue
      }
      await outlet.write(next.value)
      // Lets other requests in between two chunks.
      await nextTurn()
    }
    response.end()
  } catch (error) {
    if (response.headersSent) response.req.socket.resetAndDestroy()
    throw error
  } finally {
    outlet.close()
    await chunks.return?.()
  }
}

/** The client went away or was cut off: nothing to tell it, nothing wrong here. */
export class ClientGone extends Error {
  override name = 'ClientGone'
}

class Outlet {
  readonly #response: ServerResponse
  /** What is being written. */
  #writing: PromiseWithResolvers<void> | undefined
  #isCorked = false
  readonly #gone = () => this.#writing?.reject(new ClientGone('The client closed the connection'))

  constructor(response: ServerResponse) {
    this.#response = response
    // The socket's end, not the response's: one that waits behind another never hears of its own.
    response.req.socket.once('close', this.#gone)
  }

  /** Goes out together with what is written next. */
  add(chunk: Uint8Array): void {
    if (!this.#isCorked) this.#response.cork()
    this.#isCorked = true
    this.#response.write(chunk)
  }

  write(chunk: Uint8Array): Promise<void> {
    const writing = Promise.withResolvers<void>()
    this.#writing = writing
    if (this.#response.req.socket.destroyed) this.#gone()
    else
      this.#response.write(chunk, (error) => {
        if (error) return this.#gone()
        release(chunk)
        writing.resolve()
      })
    if (this.#isCorked) this.#response.uncork()
    this.#isCorked = false
    return writing.promise
  }

  close(): void {
    this.#response.req.socket.off('close', this.#gone)
  }
}
