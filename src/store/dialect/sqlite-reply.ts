// What a thread that works on a SQLite file answers, and how: one reply a request, in order.
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'

export type Reply = { value: unknown } | { error: { message: string; errcode?: number; hint?: string } }

/** Failures travel as plain values: what SQLite adds to an error does not survive being sent. */
function attempt(work: () => unknown): Reply {
  try {
    return { value: work() }
  } catch (error) {
    const { message, errcode, hint } = error as Error & { errcode?: number; hint?: string }
    return {
      error: { message, ...(errcode !== undefined && { errcode }), ...(hint !== undefined && { hint }) },
    }
  }
}

/** Runs a thread: opens the file it was given, says whether that worked, and performs what it is asked to. */
export function answerRequests<File, Request extends { do: string }>(
  open: (path: string) => File,
  perform: (file: File, request: Request) => unknown,
): void {
  const port = parentPort
  if (!port) throw new Error('This file is run as a thread')
  let file: File | undefined
  port.postMessage(
    attempt(() => {
      file = open((workerData as { path: string }).path)
    }),
  )
  port.on('message', (request: Request) => {
    post(
      port,
      attempt(() => file && perform(file, request)),
    )
    if (request.do === 'close') port.close()
  })
}

/** Bytes are handed over, not copied. */
function post(port: MessagePort, reply: Reply): void {
  const value = 'value' in reply ? reply.value : undefined
  const isOwn = ArrayBuffer.isView(value) && value.byteLength === value.buffer.byteLength
  port.postMessage(reply, isOwn && value.buffer instanceof ArrayBuffer ? [value.buffer] : [])
}
