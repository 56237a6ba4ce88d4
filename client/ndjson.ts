// Parses a streamed response of newline-delimited JSON.
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
