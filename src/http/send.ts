// Bytes to a socket: with backpressure, and with a reset when anything fails on the way, because an answer
// that merely ends looks complete.
import type { ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { release } from '../rendition/chunk.ts'

/** Calls `begin`, which sends the head, when the first bytes are there: what fails before is thrown unsent. */
export async function send(
  response: ServerResponse,
  begin: () => void,
  bytes: AsyncIterable<Uint8Array>,
): Promise<void> {
  const chunks = bytes[Symbol.asyncIterator]()
  try {
    let next = await chunks.next()
    begin()
    for (; !next.done; next = await chunks.next()) {
      await write(response, next.value)
      // Lets other requests in between two chunks.
      await nextTurn()
    }
    response.end()
  } catch (error) {
    if (response.headersSent) response.req.socket.resetAndDestroy()
    throw error
  } finally {
    await chunks.return?.()
  }
}

/** The client went away or was cut off: nothing to tell it, nothing wrong here. */
export class ClientGone extends Error {
  override name = 'ClientGone'
}

function write(response: ServerResponse, chunk: Uint8Array): Promise<void> {
  // The socket's end, not the response's: one that waits behind another never hears of its own.
  const { socket } = response.req
  return new Promise((resolve, reject) => {
    const gone = () => reject(new ClientGone('The client closed the connection'))
    if (socket.destroyed) return gone()
    socket.once('close', gone)
    response.write(chunk, (error) => {
      socket.off('close', gone)
      if (error) return gone()
      release(chunk)
      resolve()
    })
  })
}
