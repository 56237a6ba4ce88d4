// A file to import. It may be read more than once: an importer may have to know the end before the beginning.
import { createHash } from 'node:crypto'
import { type FileHandle, open, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { CommandError } from '../errors.ts'
import { type Opening, readOpening } from '../json/opening.ts'
import { openUnnamed, readWhole } from '../unnamed-file.ts'

const HEAD_BYTES = 64 * 1024
const CHUNK_BYTES = 256 * 1024

/** There may be no room for it. */
export class NotSetAside extends Error {
  override name = 'NotSetAside'
}

async function setAside<Done>(done: Promise<Done>): Promise<Done> {
  try {
    return await done
  } catch (error) {
    throw new NotSetAside((error as Error).message, { cause: error })
  }
}

export class Source {
  /** Its path, or what stands for it. */
  readonly name: string
  readonly size: number
  /** When it was last written; undefined where it is only passing through. */
  readonly modified: Date | undefined
  /** The first of its bytes. */
  readonly head: Buffer
  /** What it begins with; undefined where it does not begin like JSON records. */
  readonly opening: Opening | undefined
  readonly #file: FileHandle

  private constructor(name: string, file: FileHandle, head: Buffer, size: number, modified?: Date) {
    this.name = name
    this.#file = file
    this.head = head
    this.size = size
    this.modified = modified
    this.opening = readOpening(head.toString())
  }

  /** What is no file, such as a pipe, is put into one in `folder`. */
  static async open(name: string, folder: string): Promise<Source> {
    try {
      const file = await open(name, 'r')
      const stats = await file.stat()
      if (stats.isDirectory()) throw new Error('it is a folder')
      return await (stats.isFile()
        ? Source.#of(name, file, stats.mtime)
        : Source.spool(file.createReadStream(), name, folder))
    } catch (error) {
      if (error instanceof NotSetAside) throw error
      throw new CommandError(
        `Cannot read ${name}: ${(error as Error).message}`,
        'Check the path; - reads standard input.',
      )
    }
  }

  /** What comes in can be read once, so it is put into a file without a name first. Throws NotSetAside. */
  static async spool(input: AsyncIterable<Uint8Array>, name: string, folder: string): Promise<Source> {
    const file = await setAside(openUnnamed(folder))
    try {
      for await (const chunk of input) await setAside(file.writeFile(chunk))
      return await Source.#of(name, file)
    } catch (error) {
      await file.close()
      throw error
    }
  }

  static async #of(name: string, file: FileHandle, modified?: Date): Promise<Source> {
    const { size } = await file.stat()
    const head = Buffer.alloc(HEAD_BYTES)
    const { bytesRead } = await file.read(head, 0, HEAD_BYTES, 0)
    return new Source(name, file, head.subarray(0, bytesRead), size, modified)
  }

  /** The files in the same folder, by their names; none of what is only passing through. */
  async neighbours(): Promise<string[]> {
    return this.modified ? readdir(dirname(this.name)) : []
  }

  /** One of them. What is only passing through may call itself as it likes: it leads to no file. */
  neighbour(name: string): Promise<Source> {
    if (!this.modified) throw new Error(`${this.name} has no neighbours`)
    return Source.open(join(dirname(this.name), name), '')
  }

  /** So many bytes from a place; throws where the file is shorter. */
  async bytes(start: number, length: number): Promise<Buffer> {
    const bytes = Buffer.allocUnsafeSlow(length)
    await readWhole(this.#file, bytes, start)
    return bytes
  }

  /** From the beginning. A chunk is good until the next one is asked for. */
  async *chunks(): AsyncGenerator<Buffer> {
    const buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES)
    for (let at = 0; ; ) {
      const { bytesRead } = await this.#file.read(buffer, 0, CHUNK_BYTES, at)
      if (bytesRead === 0) return
      at += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  }

  /** Whether somebody has written to it since it was opened: then it was read as two things. */
  async hasChanged(): Promise<boolean> {
    if (!this.modified) return false
    const { size, mtime } = await this.#file.stat()
    return size !== this.size || mtime.getTime() !== this.modified.getTime()
  }

  /** The same for the same content, and short enough to be an id that people can tell apart. */
  async contentId(): Promise<string> {
    const hash = createHash('sha256')
    for await (const chunk of this.chunks()) hash.update(chunk)
    return hash.digest('hex').slice(0, 16)
  }

  close(): Promise<void> {
    return this.#file.close()
  }
}
