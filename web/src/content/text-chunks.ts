// Divides a long text, so that the browser lays out only the parts near the visible area.

interface TextChunk {
  text: string
  /** Whether the chunk is a part of a line. Others consist of whole lines. */
  isPartOfLine: boolean
}

const CHUNK_LENGTH = 50_000
/** A line is divided at whitespace, unless its words are longer than this. */
const MAX_WORD_LENGTH = 200

/** Chunks that result in the text if you join them. Each but the last ends with a line break or is a part of a long line. */
export function textChunks(text: string): TextChunk[] {
  const chunks: TextChunk[] = []
  let start = 0
  while (start < text.length) {
    const limit = start + CHUNK_LENGTH
    const lineEnd = text.lastIndexOf('\n', limit - 1) + 1
    const isWhole = limit >= text.length || lineEnd > start
    // The rest of a long line is also a part of it, and so on the same line.
    const isPartOfLine = !isWhole || (start > 0 && text[start - 1] !== '\n')
    const end = isPartOfLine ? partEnd(text, start, limit) : limit >= text.length ? text.length : lineEnd
    chunks.push({ text: text.slice(start, end), isPartOfLine })
    start = end
  }
  return chunks
}

/** The end of a part of a line, at the latest at `limit`. */
function partEnd(text: string, start: number, limit: number): number {
  const lineEnd = text.indexOf('\n', start) + 1
  if (lineEnd > 0 && lineEnd <= limit) return lineEnd
  if (limit >= text.length) return text.length
  const space = text.lastIndexOf(' ', limit - 1) + 1
  if (space > limit - MAX_WORD_LENGTH) return space
  // A surrogate pair stays together.
  return /[\ud800-\udbff]/.test(text[limit - 1] ?? '') ? limit - 1 : limit
}
