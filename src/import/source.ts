// A file to import. It can be read several times, because some importers need the end of a file first. A compressed file,
// or one in UTF-16, is read as if it were stored as UTF-8.
import { createHash } from 'node:crypto'
import { type FileHandle, open, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type BufferSpace, UNLIMITED_SPACE } from '../disk-budget.ts'
import { CommandError } from '../errors.ts'
import { type JsonPreview, readJsonPreview } from '../json/detect-shape.ts'
import { openTemporaryFile, readFully } from '../temporary-file.ts'
import { decode, detectEncoding, type Encoding, readHead, withoutCompressionSuffix } from './encodings.ts'

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

/** Bytes of an open file. A range without an end ends where reading the file ends. */
export class FileRange {
  readonly file: FileHandle
  readonly start: number
  readonly end: number

  constructor(file: FileHandle, start = 0, end = Infinity) {
    this.file = file
    this.start = start
    this.end = end
  }

  /** A chunk is valid until the next one is requested. */
  async *chunks(): AsyncGenerator<Buffer> {
    const buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES)
    for (let offset = this.start; offset < this.end; ) {
      const length = Math.min(CHUNK_BYTES, this.end - offset)
      const { bytesRead } = await this.file.read(buffer, 0, length, offset)
      if (bytesRead === 0) return
      offset += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  }

  async *copiedChunks(): AsyncGenerator<Buffer> {
    for await (const chunk of this.chunks()) yield Buffer.from(chunk)
  }
}

/** Limits on temporary files and decompressed files. By default there are none. */
export interface SourceLimits {
  space?: BufferSpace
  /** The maximum size of a compressed file after decompression. */
  maxExpandedBytes?: number
}

export interface BufferOptions extends SourceLimits {
  /** The folder for temporary files. */
  folder: string
}

export interface TemporaryFile {
  file: FileHandle
  size: number
  close(): Promise<void>
}

/** Throws BufferingError. */
export async function writeTemporaryFile(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { folder, space = UNLIMITED_SPACE }: BufferOptions,
): Promise<TemporaryFile> {
  const file = await convertToBufferingError(openTemporaryFile(folder))
  let size = 0
  const close = async () => {
    await file.close()
    space.release(size)
  }
  try {
    for await (const chunk of chunks) {
      size += chunk.length
      await space.reserve(chunk.length)
      await convertToBufferingError(file.writeFile(chunk))
    }
    return { file, size, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** The files that a source belongs to: those of its folder, or of an uploaded archive. */
export interface Folder {
  listNames(): Promise<string[]>
  open(name: string): Promise<Source>
}

export class Source {
  /** The path, or a name for input that is not a file. */
  readonly path: string
  /** The path without the suffix of a compressed file. */
  readonly name: string
  /** The modification time. Undefined for input that is not a file. */
  readonly modifiedAt: Date | undefined
  /** The first bytes of the content. */
  readonly head: Buffer
  /** The first names in the file. Undefined if the file does not begin like JSON records. */
  readonly jsonPreview: JsonPreview | undefined
  /** The size of the file as it is stored. */
  readonly storedSize: number
  /** Why the content ends after `head`. The error is thrown when the content is read. */
  readonly decodingError: Error | undefined
  /** Called with the number of bytes of the content that were read in the current pass. */
  onRead: (bytes: number) => void = () => undefined
  readonly #range: FileRange
  readonly #encoding: Encoding | undefined
  readonly #options: BufferOptions
  readonly #folder: Folder | undefined
  readonly #closeFile: () => Promise<void>
  /** The content of an encoded file. It is decoded when it is read for the first time. */
  #decoding: Promise<TemporaryFile> | undefined
  #size: number
  #readBytes = 0

  private constructor(
    { path, range, storedSize, modifiedAt, folder, options, close }: StoredFile,
    { head, size, encoding, error }: { head: Buffer; size: number; encoding?: Encoding; error?: Error },
  ) {
    this.path = path
    this.name = withoutCompressionSuffix(path)
    this.#range = range
    this.storedSize = storedSize
    this.modifiedAt = modifiedAt
    this.#folder = folder
    this.#options = options
    this.#closeFile = close
    this.head = head
    this.#size = size
    this.#encoding = encoding
    this.decodingError = error
    this.jsonPreview = readJsonPreview(head.toString())
  }

  /** Input that is not a file, such as a pipe, is first copied to a temporary file. */
  static async open(path: string, folder: string, limits: SourceLimits = {}): Promise<Source> {
    try {
      const file = await open(path, 'r')
      const stats = await file.stat()
      if (stats.isDirectory()) throw new Error('it is a folder')
      if (!stats.isFile()) return await Source.buffer(file.createReadStream(), path, folder, limits)
      return await Source.#fromFile({
        path,
        range: new FileRange(file),
        storedSize: stats.size,
        modifiedAt: stats.mtime,
        folder: {
          listNames: () => readdir(dirname(path)),
          open: (sibling) => Source.open(join(dirname(path), sibling), folder, limits),
        },
        options: { ...limits, folder },
        close: () => file.close(),
      })
    } catch (error) {
      if (error instanceof BufferingError) throw error
      throw new CommandError(
        `Cannot read ${path}: ${(error as Error).message}`,
        'Check the path; - reads standard input.',
      )
    }
  }

  /** Copies a stream to a temporary file, so that it can be read several times. Throws BufferingError. */
  static async buffer(
    input: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
    path: string,
    folder: string,
    limits: SourceLimits = {},
  ): Promise<Source> {
    const options = { ...limits, folder }
    return Source.fromTemporaryFile(await writeTemporaryFile(input, options), path, options)
  }

  /** The source closes the file. */
  static fromTemporaryFile(
    { file, size, close }: TemporaryFile,
    path: string,
    options: BufferOptions,
  ): Promise<Source> {
    return Source.#fromFile({ path, range: new FileRange(file), storedSize: size, options, close })
  }

  static async #fromFile(stored: StoredFile): Promise<Source> {
    const { range, storedSize, options } = stored
    try {
      const { head } = await readHead(range.chunks(), HEAD_BYTES)
      const encoding = await detectEncoding(head, () => range.copiedChunks())
      if (!encoding) return new Source(stored, { head, size: storedSize })
      const decoded = decode(range.copiedChunks(), encoding, options.maxExpandedBytes)
      const preview = await readHead(decoded, HEAD_BYTES)
      const size = preview.isComplete ? preview.head.length : Infinity
      return new Source(stored, { ...preview, size, encoding })
    } catch (error) {
      await stored.close()
      throw error
    }
  }

  /** The size of the content. Infinity if a large encoded file has not been read yet. */
  get size(): number {
    return this.#size
  }

  /** Whether the content is converted from UTF-16. */
  get isConverted(): boolean {
    return this.#encoding?.utf16 !== undefined
  }

  /** Throws UnreadableFile and BufferingError. */
  async #content(): Promise<FileRange> {
    if (!this.#encoding) return this.#range
    this.#decoding ??= this.#decode(this.#encoding)
    return new FileRange((await this.#decoding).file)
  }

  async #decode(encoding: Encoding): Promise<TemporaryFile> {
    const decoded = decode(this.#range.copiedChunks(), encoding, this.#options.maxExpandedBytes)
    const file = await writeTemporaryFile(decoded, this.#options)
    this.#size = file.size
    return file
  }

  /** A part of this file as a source of its own. It is valid until this source is closed. */
  async slice(path: string, start: number, size: number, folder: Folder): Promise<Source> {
    const content = await this.#content()
    const offset = content.start + start
    const range = new FileRange(content.file, offset, offset + size)
    const options = this.#options
    return Source.#fromFile({ path, range, storedSize: size, folder, options, close: async () => undefined })
  }

  /** The names of the files in the same folder. Empty for input that is not a file. */
  async listSiblings(): Promise<string[]> {
    const names = (await this.#folder?.listNames()) ?? []
    return [...new Set(names.map(withoutCompressionSuffix))]
  }

  /** Opens a file in the same folder, compressed or not. */
  async openSibling(name: string): Promise<Source> {
    if (!this.#folder) throw new Error(`${this.name} has no sibling files`)
    const names = await this.#folder.listNames()
    const compressedName = names.find((other) => withoutCompressionSuffix(other) === name)
    return this.#folder.open(names.includes(name) ? name : (compressedName ?? name))
  }

  /** Reads `length` bytes at `start`. Throws if the file is shorter. */
  async readBytes(start: number, length: number): Promise<Buffer> {
    const content = await this.#content()
    const bytes = Buffer.allocUnsafeSlow(length)
    await readFully(content.file, bytes, content.start + start)
    this.#countRead(length)
    return bytes
  }

  /** The content from the beginning. A chunk is valid until the next one is requested. */
  async *chunks(): AsyncGenerator<Buffer> {
    this.#readBytes = 0
    for await (const chunk of (await this.#content()).chunks()) {
      this.#countRead(chunk.length)
      yield chunk
    }
  }

  #countRead(bytes: number): void {
    // Parts of a file can be read several times in one pass.
    this.#readBytes = Math.min(this.#readBytes + bytes, this.#size)
    this.onRead(this.#readBytes)
  }

  /** The file as it is stored, in chunks that stay valid. */
  storedChunks(): AsyncGenerator<Buffer> {
    return this.#range.copiedChunks()
  }

  /** Whether the file was written to since it was opened. */
  async hasChanged(): Promise<boolean> {
    if (!this.modifiedAt) return false
    const { size, mtime } = await this.#range.file.stat()
    return size !== this.storedSize || mtime.getTime() !== this.modifiedAt.getTime()
  }

  /** A short id derived from the content. Equal content has the same id. */
  async contentId(): Promise<string> {
    const hash = createHash('sha256')
    for await (const chunk of this.chunks()) hash.update(chunk)
    return hash.digest('hex').slice(0, 16)
  }

  /** A slice leaves the file open. */
  async close(): Promise<void> {
    const decoded = await this.#decoding?.catch(() => undefined)
    await decoded?.close()
    await this.#closeFile()
  }
}

interface StoredFile {
  path: string
  range: FileRange
  storedSize: number
  modifiedAt?: Date
  folder?: Folder
  options: BufferOptions
  close(): Promise<void>
}
