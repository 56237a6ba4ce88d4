// Buffers rows until a whole upload is validated, so that its transaction starts only then. A few rows stay in memory;
// more rows are written to a temporary file.
import { readSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { type BufferSpace, UNLIMITED_SPACE } from '../../disk-budget.ts'
import { Problem } from '../../errors.ts'
import { openTemporaryFile, readFully, writeFully } from '../../temporary-file.ts'
import { RowDecoder, RowEncoder } from './row-codec.ts'

/**
 * Rows are written and read in frames of this size. PostgreSQL stores larger batches faster, but they need more heap when
 * they are decoded, and block the thread for longer.
 */
export const FRAME_BYTES = 512 * 1024

/** Encodes and decodes rows of one type. */
export interface RowCodec<Row> {
  encode(encoder: RowEncoder, row: Row): void
  decode(decoder: RowDecoder): Row
}

export class RowBuffer<Row> {
  readonly #folder: string
  readonly #codec: RowCodec<Row>
  readonly #space: BufferSpace
  /** The frame being filled. It is not in the file yet. */
  readonly #frame = new RowEncoder(FRAME_BYTES)
  /** The end offset of each frame in the file. */
  readonly #frameEnds: number[] = []
  #file: FileHandle | undefined
  #reservedBytes = 0

  /** The folder is created with the temporary file, when that is needed. */
  constructor(folder: string, codec: RowCodec<Row>, space = UNLIMITED_SPACE) {
    this.#folder = folder
    this.#codec = codec
    this.#space = space
  }

  /** Whether rows are in a file. */
  get isLarge(): boolean {
    return this.#file !== undefined
  }

  /** Size of all encoded rows in bytes. */
  get length(): number {
    return (this.#frameEnds.at(-1) ?? 0) + this.#frame.length
  }

  async add(row: Row): Promise<void> {
    this.#codec.encode(this.#frame, row)
    if (this.#frame.length >= FRAME_BYTES) await this.#flush()
  }

  /** Adds rows that were encoded elsewhere. */
  async addFrame(frame: Uint8Array): Promise<void> {
    if (this.#frame.length > 0) await this.#flush()
    await this.#write(frame)
  }

  /** All rows in the order of insertion. A batch is valid until the second next one is read: two buffers alternate. */
  async *batches(): AsyncGenerator<Row[]> {
    const frames = [Buffer.alloc(0), Buffer.alloc(0)]
    let start = 0
    for (const [index, end] of this.#frameEnds.entries()) {
      const length = end - start
      let frame = frames[index % 2] as Buffer
      if (frame.length < length) frame = frames[index % 2] = Buffer.allocUnsafeSlow(length)
      await readFully(this.#file, frame.subarray(0, length), start)
      yield decodeRows(this.#codec, frame.subarray(0, length))
      start = end
    }
    if (this.#frame.length > 0) yield decodeRows(this.#codec, this.#frame.bytes)
  }

  /** All rows in the order of insertion, encoded. Each frame has a buffer of its own. */
  async *frames(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    let start = 0
    for (const end of this.#frameEnds) {
      const frame = Buffer.allocUnsafeSlow(end - start)
      await readFully(this.#file, frame, start)
      yield frame
      start = end
    }
    if (this.#frame.length > 0) yield new Uint8Array(this.#frame.bytes)
  }

  /**
   * Reads single rows. A span begins at the value of `length` before the row was added and ends at the value after.
   * Reads synchronously: the bytes are usually in the page cache, where an asynchronous read would be slower.
   */
  read(spans: [start: number, end: number][]): Row[] {
    return decodeRows(this.#codec, this.readFrame(spans))
  }

  /** Like `read`, encoded. */
  readFrame(spans: [start: number, end: number][]): Buffer<ArrayBuffer> {
    const frame = Buffer.allocUnsafeSlow(spans.reduce((length, [start, end]) => length + end - start, 0))
    let length = 0
    for (const [start, end] of spans) {
      this.#readSpan(frame.subarray(length, length + end - start), start)
      length += end - start
    }
    return frame
  }

  #readSpan(bytes: Buffer, start: number): void {
    const fileLength = this.#frameEnds.at(-1) ?? 0
    if (start >= fileLength) {
      this.#frame.bytes.copy(bytes, 0, start - fileLength)
      return
    }
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
    await this.#write(this.#frame.bytes)
    this.#frame.clear()
  }

  async #write(frame: Uint8Array): Promise<void> {
    const start = this.#frameEnds.at(-1) ?? 0
    this.#reservedBytes += frame.length
    await this.#space.reserve(frame.length)
    try {
      this.#file ??= await openTemporaryFile(this.#folder)
      await writeFully(this.#file, frame, start)
    } catch (error) {
      throw cannotBuffer(error)
    }
    this.#frameEnds.push(start + frame.length)
  }
}

/** The rows of a frame. They refer to its bytes. */
export function decodeRows<Row>(codec: RowCodec<Row>, { buffer, byteOffset, length }: Uint8Array): Row[] {
  const decoder = new RowDecoder(Buffer.from(buffer as ArrayBuffer, byteOffset, length))
  const rows: Row[] = []
  while (!decoder.isAtEnd) rows.push(codec.decode(decoder))
  return rows
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
