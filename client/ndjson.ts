// JSON a line, both ways: an answer as its elements while they arrive, and records as the body of a request.
import { lost } from './request.ts'

/** The elements of an answer. Holds one piece of it and one line at a time. */
export async function* elements<T>(response: Response, signal?: AbortSignal): AsyncGenerator<T> {
  if (!response.body) return
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  /** The pieces of the line that has not ended yet. */
  let open: string[] = []
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      const lines = decoder.decode(value, { stream: true }).split('\n')
      const last = lines.pop() ?? ''
      for (const line of lines) {
        yield JSON.parse(open.join('') + line)
        open = []
      }
      if (last !== '') open.push(last)
    }
    // Every line has its end, so one without is of an answer that was cut where nobody noticed, in a proxy.
    if (open.length > 0) throw new Error('The last line has no end.')
  } catch (error) {
    signal?.throwIfAborted()
    throw lost(error)
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

/** In characters. */
const PIECE = 65_536
const LONGEST_GATHERING_MS = 100

export type Records<T> = Iterable<T> | AsyncIterable<T>

/**
 * Records as a body: a text where they are an array, which can be sent again, else a stream. What the source of a
 * stream throws goes to `failed`, because `fetch` would take it for a lost connection.
 */
export function asLines<T>(
  records: Records<T>,
  failed: (error: unknown) => void,
): string | ReadableStream<Uint8Array> {
  if (Array.isArray(records)) return records.map(line).join('')
  const encoder = new TextEncoder()
  const source =
    Symbol.asyncIterator in records ? records[Symbol.asyncIterator]() : records[Symbol.iterator]()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { piece, isLast } = await nextPiece(source)
        if (piece !== '') controller.enqueue(encoder.encode(piece))
        if (isLast) controller.close()
      } catch (error) {
        failed(error)
        throw error
      }
    },
    async cancel() {
      await source.return?.()
    },
  })
}

/** Many lines at once, because each piece costs a chunk of HTTP; but a slow source is not waited for. */
async function nextPiece<T>(
  source: Iterator<T> | AsyncIterator<T>,
): Promise<{ piece: string; isLast: boolean }> {
  const end = performance.now() + LONGEST_GATHERING_MS
  let piece = ''
  do {
    const { done, value } = await source.next()
    if (done) return { piece, isLast: true }
    piece += line(value)
  } while (piece.length < PIECE && performance.now() < end)
  return { piece, isLast: false }
}

function line(record: unknown): string {
  return `${JSON.stringify(record)}\n`
}
