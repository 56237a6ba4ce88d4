// Reads and writes newline-delimited JSON: parses a streamed response, encodes records as a request body.
import { connectionError } from './request.ts'

/** Parses a response line by line as it arrives. Buffers at most one chunk and one line. */
export async function* parseNdjson<T>(response: Response, signal?: AbortSignal): AsyncGenerator<T> {
  if (!response.body) return
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  /** The parts of the current line that have arrived so far. */
  let lineParts: string[] = []
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      const lines = decoder.decode(value, { stream: true }).split('\n')
      const incompleteLine = lines.pop() ?? ''
      for (const line of lines) {
        yield JSON.parse(lineParts.join('') + line)
        lineParts = []
      }
      if (incompleteLine !== '') lineParts.push(incompleteLine)
    }
    // The service ends every line with a newline. A missing one means that a proxy truncated the response.
    if (lineParts.length > 0) throw new Error('The last line of the response is incomplete.')
  } catch (error) {
    signal?.throwIfAborted()
    throw connectionError(error)
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

const CHUNK_CHARACTERS = 65_536
const MAX_BUFFER_MS = 100

export type Records<T> = Iterable<T> | AsyncIterable<T>

/**
 * Encodes records as a request body: an array as a string, which can be retried, an iterable as a stream. Errors of
 * the iterable are passed to `onSourceError`, because `fetch` would report them as a failed connection.
 */
export function toNdjson<T>(
  records: Records<T>,
  onSourceError: (error: unknown) => void,
): string | ReadableStream<Uint8Array> {
  if (Array.isArray(records)) return records.map(toLine).join('')
  const encoder = new TextEncoder()
  const source =
    Symbol.asyncIterator in records ? records[Symbol.asyncIterator]() : records[Symbol.iterator]()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { chunk, isLast } = await readChunk(source)
        if (chunk !== '') controller.enqueue(encoder.encode(chunk))
        if (isLast) controller.close()
      } catch (error) {
        onSourceError(error)
        throw error
      }
    },
    async cancel() {
      await source.return?.()
    },
  })
}

/** Combines lines into larger chunks to reduce overhead, but waits at most MAX_BUFFER_MS for a slow source. */
async function readChunk<T>(
  source: Iterator<T> | AsyncIterator<T>,
): Promise<{ chunk: string; isLast: boolean }> {
  const deadline = performance.now() + MAX_BUFFER_MS
  let chunk = ''
  do {
    const { done, value } = await source.next()
    if (done) return { chunk, isLast: true }
    chunk += toLine(value)
  } while (chunk.length < CHUNK_CHARACTERS && performance.now() < deadline)
  return { chunk, isLast: false }
}

function toLine(record: unknown): string {
  return `${JSON.stringify(record)}\n`
}
