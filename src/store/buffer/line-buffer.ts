// Buffers lines of text until a whole upload is validated, so that its transaction starts only then. A few lines stay in
// memory; more are written to a temporary file.
import { readSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { type BufferSpace, UNLIMITED_SPACE } from '../../disk-budget.ts'
import { Problem } from '../../errors.ts'
import { openTemporaryFile, writeFully } from '../../temporary-file.ts'

/**
 * Lines are written and read in frames of about this size. The rows of a larger one survive a collection of the young
 * generation, and the heap of the thread grows by 50 MB.
 */
export const FRAME_BYTES = 64 * 1024

/** Most uploads are small. */
const INITIAL_CAPACITY = 16 * 1024
const LF = 0x0a

/** From the value of `length` before a line was added to the value after. */
export type Span = [start: number, end: number]

export class LineBuffer {
  readonly #folder: string
  readonly #space: BufferSpace
  /** The frame being filled. It is not in the file yet. */
  #frame: Buffer<ArrayBuffer> = Buffer.allocUnsafeSlow(INITIAL_CAPACITY)
  #frameLength = 0
  /** The end offset of each frame in the file. A frame ends at the end of a line. */
  readonly #frameEnds: number[] = []
  #file: FileHandle | undefined
  #reservedBytes = 0

  /** The folder is created with the temporary file, when that is needed. */
  constructor(folder: string, space = UNLIMITED_SPACE) {
    this.#folder = folder
    this.#space = space
  }

  /** The size of all lines in bytes. */
  get length(): number {
    return this.#fileLength + this.#frameLength
  }

  get #fileLength(): number {
    return this.#frameEnds.at(-1) ?? 0
  }

  /** Adds a line, which must not contain a line feed. Returns a promise only if it has to be awaited. */
  add(line: string): Promise<void> | undefined {
    // A UTF-16 code unit takes at most three bytes in UTF-8. For a long line the exact length saves memory.
    this.#reserve(1 + (line.length > 16384 ? Buffer.byteLength(line) : 3 * line.length))
    this.#frameLength += this.#frame.write(line, this.#frameLength)
    this.#frame[this.#frameLength] = LF
    this.#frameLength += 1
    return this.#frameLength >= FRAME_BYTES ? this.#flush() : undefined
  }

  #reserve(bytes: number): void {
    const neededBytes = this.#frameLength + bytes
    if (neededBytes <= this.#frame.length) return
    this.#replaceFrame(Buffer.allocUnsafeSlow(neededBytes + (neededBytes >> 1)))
  }

  /** Frees the old frame at once, because it can be several megabytes. */
  #replaceFrame(frame: Buffer<ArrayBuffer>): void {
    frame.set(this.#frame.subarray(0, this.#frameLength))
    this.#frame.buffer.transfer(0)
    this.#frame = frame
  }

  /** All lines in the order of insertion, without their line feeds. A batch is valid until the next one is read. */
  async *batches(): AsyncGenerator<Buffer[]> {
    let bytes = Buffer.alloc(0)
    let start = 0
    for (const end of this.#frameEnds) {
      const length = end - start
      if (bytes.length < length) bytes = Buffer.allocUnsafeSlow(length)
      const frame = bytes.subarray(0, length)
      this.#readInto(frame, start)
      // Other events are handled between two frames, such as a signal that ends the command.
      await setImmediate()
      yield splitLines(frame)
      start = end
    }
    if (this.#frameLength > 0) yield splitLines(Buffer.from(this.#frame.subarray(0, this.#frameLength)))
  }

  /** Reads single lines. */
  read(spans: Span[]): Buffer[] {
    return spans.map(([start, end]) => this.#readSpan(start, end - 1))
  }

  #readSpan(start: number, end: number): Buffer {
    const bytes = Buffer.allocUnsafeSlow(end - start)
    if (start >= this.#fileLength) {
      this.#frame.copy(bytes, 0, start - this.#fileLength, end - this.#fileLength)
      return bytes
    }
    this.#readInto(bytes, start)
    return bytes
  }

  /** Synchronously: the file is usually in the page cache, and a transaction would wait for the thread of each read. */
  #readInto(bytes: Buffer, start: number): void {
    for (let offset = 0; offset < bytes.length; ) {
      const readBytes = this.#file
        ? readSync(this.#file.fd, bytes, offset, bytes.length - offset, start + offset)
        : 0
      if (readBytes === 0) throw new Error('The temporary file ended before all bytes were read')
      offset += readBytes
    }
  }

  async close(): Promise<void> {
    const reservedBytes = this.#reservedBytes
    this.#reservedBytes = 0
    await this.#file?.close()
    this.#file = undefined
    this.#space.release(reservedBytes)
  }

  async #flush(): Promise<void> {
    const frame = this.#frame.subarray(0, this.#frameLength)
    const start = this.#fileLength
    this.#reservedBytes += frame.length
    await this.#space.reserve(frame.length)
    try {
      this.#file ??= await openTemporaryFile(this.#folder)
      await writeFully(this.#file, frame, start)
    } catch (error) {
      throw cannotBuffer(error)
    }
    this.#frameEnds.push(start + frame.length)
    this.#frameLength = 0
    // The frame of a very long line is not kept.
    if (this.#frame.length > 4 * FRAME_BYTES) this.#replaceFrame(Buffer.allocUnsafeSlow(INITIAL_CAPACITY))
  }
}

function splitLines(frame: Buffer): Buffer[] {
  const lines: Buffer[] = []
  for (let start = 0; start < frame.length; ) {
    const end = frame.indexOf(LF, start)
    lines.push(frame.subarray(start, end))
    start = end + 1
  }
  return lines
}

const DISK_FULL_CODES = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

export function cannotBuffer(cause: unknown): Problem {
  if (DISK_FULL_CODES.has((cause as NodeJS.ErrnoException).code ?? '')) {
    const detail =
      'There is not enough disk space for this upload. Nothing was stored; try again when space is available.'
    return new Problem('insufficient-storage', detail, { 'retry-after': '60' }, { cause })
  }
  const detail = 'The service cannot write temporary files. Nothing was stored; try again later.'
  return new Problem('unavailable', detail, { 'retry-after': '60' }, { cause })
}
