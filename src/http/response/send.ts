// Sends bytes to the client with backpressure. If it fails, it resets the connection, because a response that ends
// normally would look complete.
import type { ServerResponse } from 'node:http'
import { releaseChunk } from '../../serialize/encoding.ts'

/** Brackets and commas are sent together with the next chunk. */
const MAX_TINY_CHUNK_BYTES = 2

/** Calls `sendHead` when the first chunk is available, so that an earlier error can still become an error response. */
export async function sendBytes(
  response: ServerResponse,
  sendHead: () => void,
  bytes: AsyncIterable<Uint8Array>,
): Promise<void> {
  const chunks = bytes[Symbol.asyncIterator]()
  const writer = new ResponseWriter(response)
  try {
    let result = await chunks.next()
    sendHead()
    for (; !result.done; result = await chunks.next()) {
      if (result.value.length <= MAX_TINY_CHUNK_BYTES) {
        writer.add(result.value)
        continue
      }
      await writer.write(result.value)
    }
    writer.end()
  } catch (error) {
    if (response.headersSent) response.req.socket.resetAndDestroy()
    throw error
  } finally {
    writer.close()
    await chunks.return?.()
  }
}

/** The client disconnected or was disconnected. This is not an error of the service. */
export class ClientDisconnected extends Error {
  override name = 'ClientDisconnected'
}

class ResponseWriter {
  readonly #response: ServerResponse
  #pendingWrite: PromiseWithResolvers<void> | undefined
  #isCorked = false
  readonly #onDisconnect = () =>
    this.#pendingWrite?.reject(new ClientDisconnected('The client closed the connection'))

  constructor(response: ServerResponse) {
    this.#response = response
    // Listens to the socket, because a pipelined response that waits emits no close event.
    response.req.socket.once('close', this.#onDisconnect)
  }

  /** The chunk is sent together with the next write. */
  add(chunk: Uint8Array): void {
    if (!this.#isCorked) this.#response.cork()
    this.#isCorked = true
    this.#response.write(chunk)
  }

  /** Resolves in a later turn of the event loop, so that other requests run between two chunks. */
  write(chunk: Uint8Array): Promise<void> {
    const pendingWrite = Promise.withResolvers<void>()
    this.#pendingWrite = pendingWrite
    if (this.#response.req.socket.destroyed) this.#onDisconnect()
    else
      this.#response.write(chunk, (error) => {
        if (error) return this.#onDisconnect()
        releaseChunk(chunk)
        setImmediate(pendingWrite.resolve)
      })
    if (this.#isCorked) this.#response.uncork()
    this.#isCorked = false
    return pendingWrite.promise
  }

  end(): void {
    const response = this.#response
    if (this.#isCorked) {
      // Node 24 would send the end of the response before the corked chunks. The socket sends both together.
      response.socket?.cork()
      response.uncork()
    }
    response.end()
  }

  close(): void {
    this.#response.req.socket.off('close', this.#onDisconnect)
  }
}
