// A digest of an exported evaluation or variant, to compare it with its copy.
import { createHash } from 'node:crypto'
import { splitMembers } from '../../json/member-texts.ts'

const LINE_FEED = 10
/** Members of an evaluation that describe the stored copy and not its content. */
const MEMBERS_OF_COPY = new Set(['updated_at'])

export class Fingerprint {
  readonly #hash = createHash('sha256')
  /** The parts of the first line until it is complete. */
  #header: Buffer[] | undefined = []

  /** Passes all chunks on. */
  async *observe(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      this.#add(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength))
      yield chunk
    }
  }

  digest(): string {
    return this.#hash.digest('base64url')
  }

  #add(chunk: Buffer): void {
    if (!this.#header) {
      this.#hash.update(chunk)
      return
    }
    const end = chunk.indexOf(LINE_FEED)
    // A chunk can be reused after this call.
    this.#header.push(Buffer.from(end === -1 ? chunk : chunk.subarray(0, end)))
    if (end === -1) return
    this.#hash.update(describeHeader(Buffer.concat(this.#header).toString()))
    this.#header = undefined
    this.#hash.update(chunk.subarray(end))
  }
}

function describeHeader(line: string): string {
  const evaluation = splitMembers(line).get('evaluation')
  if (evaluation === undefined) return line
  const members = [...splitMembers(evaluation)].filter(([name]) => !MEMBERS_OF_COPY.has(name))
  return JSON.stringify(members)
}
