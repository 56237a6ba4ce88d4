// Large answers that were sent before, kept as finished files: whoever asks next waits for no compression, and for no
// store. What is not compressed is kept only once it is asked for again, because it takes as much of the disk as it has.
// Several processes may share the folder, and everything in it may be deleted at any time.
import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { readWhole, writeWhole } from '../unnamed-file.ts'

const READ_BYTES = 256 * 1024
/** So many answers that were asked for once are remembered. */
const MOST_ASKED = 1000
/** What is on its way to be a file has this at the end of its name. */
const UNFINISHED = '.part'

export class RenditionFiles {
  readonly #folder: string
  readonly #budget: number
  readonly #underWay = new Set<string>()
  readonly #asked = new Set<string>()

  /** `budget`: how many bytes all of them may have together; one alone gets a part of it. */
  constructor(folder: string, budget: number) {
    this.#folder = folder
    this.#budget = budget
  }

  /** To be gone through once. Undefined where there is none. */
  async find(name: string): Promise<{ length: number; bytes: AsyncIterable<Uint8Array> } | undefined> {
    if (this.#budget === 0) return undefined
    const path = this.#path(name)
    const file = await open(path).catch(() => undefined)
    if (file === undefined) return undefined
    try {
      const now = new Date()
      // As the one used last.
      await utimes(path, now, now).catch(() => undefined)
      const { size } = await file.stat()
      return { length: size, bytes: readFile(file, size) }
    } catch {
      await file.close()
      return undefined
    }
  }

  /** Whether an answer of so many bytes that is not compressed should be kept. False for the first who asks. */
  isWorthKeeping(name: string, length: number): boolean {
    if (length > this.#budget / 4) return false
    if (this.#asked.has(name)) return true
    if (this.#asked.size >= MOST_ASKED) this.#asked.clear()
    this.#asked.add(name)
    return false
  }

  /** The same bytes; once all of them have come they are a file, if nothing was in the way of that. */
  async *keep(name: string, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const copy = this.#underWay.has(name) ? undefined : await this.#begin(name)
    if (copy === undefined) return yield* bytes
    this.#underWay.add(name)
    try {
      for await (const chunk of bytes) {
        await copy.add(chunk)
        yield chunk
      }
      await copy.finish(this.#path(name))
      await this.#makeRoom()
    } finally {
      this.#underWay.delete(name)
      await copy.discard()
    }
  }

  /** What a process left behind that ended in the middle of something. */
  async clear(): Promise<void> {
    for (const name of await readdir(this.#folder).catch(() => []))
      if (name.endsWith(UNFINISHED)) await rm(join(this.#folder, name), { force: true })
  }

  async #begin(name: string): Promise<Copy | undefined> {
    if (this.#budget === 0) return undefined
    const path = `${this.#path(name)}.${randomUUID()}${UNFINISHED}`
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 })
      return new Copy(path, await open(path, 'wx', 0o600), this.#budget / 4)
    } catch {
      return undefined
    }
  }

  /** Deletes those not asked for longest. */
  async #makeRoom(): Promise<void> {
    const names = await readdir(this.#folder).catch(() => [])
    const files = await Promise.all(
      names.map(async (name) => {
        const path = join(this.#folder, name)
        const { size, mtimeMs } = await stat(path).catch(() => ({ size: 0, mtimeMs: 0 }))
        return { path, size, mtimeMs }
      }),
    )
    let used = files.reduce((sum, { size }) => sum + size, 0)
    for (const { path, size } of files.sort((a, b) => a.mtimeMs - b.mtimeMs)) {
      if (used <= this.#budget) return
      await rm(path, { force: true })
      used -= size
    }
  }

  #path(name: string): string {
    return join(this.#folder, createHash('sha256').update(name).digest('hex'))
  }
}

/** A file that is being written. What goes wrong with it is nobody's concern: it is not kept then. */
class Copy {
  readonly #path: string
  readonly #file: FileHandle
  readonly #largest: number
  #length = 0
  #isGood = true

  constructor(path: string, file: FileHandle, largest: number) {
    this.#path = path
    this.#file = file
    this.#largest = largest
  }

  async add(chunk: Uint8Array): Promise<void> {
    if (this.#isGood) this.#isGood = this.#length + chunk.length <= this.#largest
    if (!this.#isGood) return
    try {
      await writeWhole(this.#file, chunk, this.#length)
      this.#length += chunk.length
    } catch {
      this.#isGood = false
    }
  }

  async finish(path: string): Promise<void> {
    if (!this.#isGood) return
    try {
      // A machine that fails may keep the name and lose what was behind it.
      await this.#file.datasync()
      await rename(this.#path, path)
    } catch {
      // It is discarded.
    }
  }

  /** Does nothing to one that is finished. */
  async discard(): Promise<void> {
    await this.#file.close().catch(() => undefined)
    await rm(this.#path, { force: true }).catch(() => undefined)
  }
}

async function* readFile(file: FileHandle, size: number): AsyncGenerator<Uint8Array> {
  let reading = readPart(file, 0, size)
  try {
    for (let at = 0; at < size; ) {
      const bytes = await reading
      at += bytes.length
      // The next part is read while this one is on its way; nobody may come back for it.
      reading = readPart(file, at, size)
      reading.catch(() => undefined)
      yield bytes
    }
  } finally {
    await reading.catch(() => undefined)
    await file.close()
  }
}

async function readPart(file: FileHandle, at: number, size: number): Promise<Uint8Array> {
  const bytes = Buffer.allocUnsafeSlow(Math.min(READ_BYTES, size - at))
  await readWhole(file, bytes, at)
  return bytes
}
