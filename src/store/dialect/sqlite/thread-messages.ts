// The worker side of a SQLite thread: handles requests in order and sends one reply per request.
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'

export type Reply = { value: unknown } | { error: { message: string; errcode?: number; hint?: string } }

/** Errors are sent as plain objects: structured cloning drops the properties that SQLite adds to an Error. */
function createReply(work: () => unknown): Reply {
  try {
    return { value: work() }
  } catch (error) {
    const { message, errcode, hint } = error as Error & { errcode?: number; hint?: string }
    return {
      error: { message, ...(errcode !== undefined && { errcode }), ...(hint !== undefined && { hint }) },
    }
  }
}

/** Opens the file in `workerData`, reports whether that worked, and then handles requests until `close`. */
export function serveRequests<File, Request extends { operation: string }>(
  open: (path: string) => File,
  handle: (file: File, request: Request) => unknown,
): void {
  const port = parentPort
  if (!port) throw new Error('This file must run as a worker thread')
  let file: File | undefined
  port.postMessage(
    createReply(() => {
      file = open((workerData as { path: string }).path)
    }),
  )
  port.on('message', (request: Request) => {
    sendReply(
      port,
      createReply(() => file && handle(file, request)),
    )
    if (request.operation === 'close') port.close()
  })
}

/** Transfers a byte array that uses its whole buffer, instead of copying it. */
function sendReply(port: MessagePort, reply: Reply): void {
  const value = 'value' in reply ? reply.value : undefined
  const ownsBuffer = ArrayBuffer.isView(value) && value.byteLength === value.buffer.byteLength
  port.postMessage(reply, ownsBuffer && value.buffer instanceof ArrayBuffer ? [value.buffer] : [])
}
