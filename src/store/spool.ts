// Rows set aside until all of them are known to be good: a few in memory, more of them in a file that has no
// name any more. So an upload of any size is judged before its transaction begins.
import { readSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { Problem } from '../errors.ts'
import { openUnnamed, readWhole, writeWhole } from '../unnamed-file.ts'
import { Packer, Unpacker } from './packing.ts'

/** Rows are packed and taken out so many bytes at a time: with more the heap grows by what is alive at once. */
const FRAME_BYTES = 128 * 1024

/** How a row is packed, and taken out again. */
export interface Packing<Row> {
  pack(packer: Packer, row: Row): void
  unpack(unpacker: Unpacker): Row
}

export class Spool<Row> {
  readonly #folder: string
  readonly #packing: Packing<Row>
  /** What is not in the file: everything while that is little, then the frame that is being filled. */
  readonly #frame = new Packer(FRAME_BYTES)
  /** Where each frame of the file ends. */
  readonly #ends: number[] = []
  #file: FileHandle | undefined

  /** The folder is made when the first file is. */
  constructor(folder: string, packing: Packing<Row>) {
    this.#folder = folder
    this.#packing = packing
  }

  /** How many bytes were added. */
  get length(): number {
    return (this.#ends.at(-1) ?? 0) + this.#frame.length
  }

  async add(row: Row): Promise<void> {
    this.#packing.pack(this.#frame, row)
    if (this.#frame.length >= FRAME_BYTES) await this.#write()
  }

  /** Every row, in the order they were added, in batches. A batch is good until the next but one is asked for. */
  async *batches(): AsyncGenerator<Row[]> {
    const frames = [Buffer.alloc(0), Buffer.alloc(0)]
    let start = 0
    for (const [index, end] of this.#ends.entries()) {
      const length = end - start
      let frame = frames[index % 2] as Buffer
      if (frame.length < length) frame = frames[index % 2] = Buffer.allocUnsafeSlow(length)
      await readWhole(this.#file, frame.subarray(0, length), start)
      yield this.#unpacked(frame.subarray(0, length))
      start = end
    }
    if (this.#frame.length > 0) yield this.#unpacked(this.#frame.bytes)
  }

  /**
   * The rows between these places, each one that `length` gave before and the next one. Where they lie is in the
   * memory of the system, so that waiting for each would take longer than reading it.
   */
  read(spans: [start: number, end: number][]): Row[] {
    const inFile = this.#ends.at(-1) ?? 0
    return spans.map(([start, end]) => {
      if (start >= inFile) return this.#unpackedAt(this.#frame.bytes.subarray(start - inFile, end - inFile))
      const bytes = Buffer.allocUnsafeSlow(end - start)
      for (let at = 0; at < bytes.length; ) {
        const read = this.#file ? readSync(this.#file.fd, bytes, at, bytes.length - at, start + at) : 0
        if (read === 0) throw new Error('What was set aside is not there any more')
        at += read
      }
      return this.#unpackedAt(bytes)
    })
  }

  #unpackedAt(bytes: Buffer): Row {
    return this.#packing.unpack(new Unpacker(bytes))
  }

  async close(): Promise<void> {
    await this.#file?.close()
    this.#file = undefined
  }

  #unpacked(frame: Buffer): Row[] {
    const rows: Row[] = []
    for (const unpacker = new Unpacker(frame); !unpacker.isAtEnd; ) rows.push(this.#packing.unpack(unpacker))
    return rows
  }

  async #write(): Promise<void> {
    const start = this.#ends.at(-1) ?? 0
    try {
      this.#file ??= await openUnnamed(this.#folder)
      await writeWhole(this.#file, this.#frame.bytes, start)
    } catch (error) {
      throw cannotSetAside(error)
    }
    this.#ends.push(start + this.#frame.length)
    this.#frame.clear()
  }
}

const NO_ROOM = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

export function cannotSetAside(cause: unknown): Problem {
  if (NO_ROOM.has((cause as NodeJS.ErrnoException).code ?? '')) {
    const detail = 'There is no room to take this in. Nothing of it was kept; try again when there is.'
    return new Problem('insufficient-storage', detail, { 'retry-after': '60' }, { cause })
  }
  const detail = 'The service cannot set aside what it is sent. Nothing of it was kept.'
  return new Problem('unavailable', detail, { 'retry-after': '60' }, { cause })
}
