// A file to import. It can be read several times, because some importers need the end of a file first.
import { createHash } from 'node:crypto'
import { type FileHandle, open, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { UNLIMITED_SPACE } from '../disk-budget.ts'
import { CommandError } from '../errors.ts'
import { type JsonPreview, readJsonPreview } from '../json/detect-shape.ts'
import { openTemporaryFile, readFully } from '../temporary-file.ts'

const HEAD_BYTES = 64 * 1024
const CHUNK_BYTES = 256 * 1024

/** The input could not be buffered in a temporary file, for example because the disk is full. */
export class BufferingError extends Error {
  override name = 'BufferingError'
}

async function convertToBufferingError<Result>(operation: Promise<Result>): Promise<Result> {
  try {
    return await operation
  } catch (error) {
    throw new BufferingError((error as Error).message, { cause: error })
  }
}

/** The files that a source belongs to: those of its folder, or of an uploaded archive. */
export interface Folder {
  listNames(): Promise<string[]>
  open(name: string): Promise<Source>
}

export class Source {
  /** The path, or a name for input that is not a file. */
  readonly name: string
  readonly size: number
  /** The modification time. Undefined for input that is not a file. */
  readonly modifiedAt: Date | undefined
  /** The first bytes of the file. */
  readonly head: Buffer
  /** The first names in the file. Undefined if the file does not begin like JSON records. */
  readonly jsonPreview: JsonPreview | undefined
  readonly #file: FileHandle
  /** Where the source begins and ends in its file. A whole file ends where reading it ends. */
  readonly #start: number
  readonly #end: number
  readonly #folder: Folder | undefined
  #onClose: () => void = () => undefined

  private constructor(
    name: string,
    file: FileHandle,
    { head, start, size }: { head: Buffer; start?: number; size: number },
    modified?: Date,
    folder?: Folder,
  ) {
    this.name = name
    this.#file = file
    this.#start = start ?? 0
    this.#end = start === undefined ? Infinity : start + size
    this.head = head
    this.size = size
    this.modifiedAt = modified
    this.#folder = folder
    this.jsonPreview = readJsonPreview(head.toString())
  }

  /** Input that is not a file, such as a pipe, is first copied to a temporary file in `folder`. */
  static async open(name: string, folder: string): Promise<Source> {
    try {
      const file = await open(name, 'r')
      const stats = await file.stat()
      if (stats.isDirectory()) throw new Error('it is a folder')
      return await (stats.isFile()
        ? Source.#fromFile(name, file, stats.mtime)
        : Source.buffer(file.createReadStream(), name, folder))
    } catch (error) {
      if (error instanceof BufferingError) throw error
      throw new CommandError(
        `Cannot read ${name}: ${(error as Error).message}`,
        'Check the path; - reads standard input.',
      )
    }
  }

  /** Copies a stream to a temporary file, so that it can be read several times. Throws BufferingError. */
  static async buffer(
    input: AsyncIterable<Uint8Array>,
    name: string,
    folder: string,
    space = UNLIMITED_SPACE,
  ): Promise<Source> {
    const file = await convertToBufferingError(openTemporaryFile(folder))
    let reservedBytes = 0
    try {
      for await (const chunk of input) {
        reservedBytes += chunk.length
        await space.reserve(chunk.length)
        await convertToBufferingError(file.writeFile(chunk))
      }
      const source = await Source.#fromFile(name, file)
      source.#onClose = () => space.release(reservedBytes)
      return source
    } catch (error) {
      await file.close()
      space.release(reservedBytes)
      throw error
    }
  }

  static async #fromFile(name: string, file: FileHandle, modified?: Date): Promise<Source> {
    const { size } = await file.stat()
    const head = Buffer.alloc(HEAD_BYTES)
    const { bytesRead } = await file.read(head, 0, HEAD_BYTES, 0)
    // An upload has no folder: its name is chosen by the client.
    const folder = modified && {
      listNames: () => readdir(dirname(name)),
      open: (sibling: string) => Source.open(join(dirname(name), sibling), ''),
    }
    return new Source(name, file, { head: head.subarray(0, bytesRead), size }, modified, folder)
  }

  /** A part of this file as a source of its own. It is valid until this source is closed. */
  async slice(name: string, start: number, size: number, folder: Folder): Promise<Source> {
    const head = await this.readBytes(start, Math.min(size, HEAD_BYTES))
    return new Source(name, this.#file, { head, start: this.#start + start, size }, undefined, folder)
  }

  /** The names of the files in the same folder. Empty for input that is not a file. */
  async listSiblings(): Promise<string[]> {
    return this.#folder?.listNames() ?? []
  }

  /** Opens a file in the same folder. */
  openSibling(name: string): Promise<Source> {
    if (!this.#folder) throw new Error(`${this.name} has no sibling files`)
    return this.#folder.open(name)
  }

  /** Reads `length` bytes at `start`. Throws if the file is shorter. */
  async readBytes(start: number, length: number): Promise<Buffer> {
    const bytes = Buffer.allocUnsafeSlow(length)
    await readFully(this.#file, bytes, this.#start + start)
    return bytes
  }

  /** The file from the beginning. A chunk is valid until the next one is requested. */
  async *chunks(): AsyncGenerator<Buffer> {
    const buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES)
    for (let offset = this.#start; offset < this.#end; ) {
      const length = Math.min(CHUNK_BYTES, this.#end - offset)
      const { bytesRead } = await this.#file.read(buffer, 0, length, offset)
      if (bytesRead === 0) return
      offset += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  }

  /** Whether the file was written to since it was opened. */
  async hasChanged(): Promise<boolean> {
    if (!this.modifiedAt) return false
    const { size, mtime } = await this.#file.stat()
    return size !== this.size || mtime.getTime() !== this.modifiedAt.getTime()
  }

  /** A short id derived from the content. Equal content has the same id. */
  async contentId(): Promise<string> {
    const hash = createHash('sha256')
    for await (const chunk of this.chunks()) hash.update(chunk)
    return hash.digest('hex').slice(0, 16)
  }

  /** A slice leaves the file open. */
  async close(): Promise<void> {
    if (this.#end !== Infinity) return
    await this.#file.close()
    this.#onClose()
  }
}
