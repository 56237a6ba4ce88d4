// Caches large responses as files, so that repeated requests need no database read and no compression. Uncompressed
// responses are stored only from the second request on, because they need more disk space.
// Several processes can share the folder, and its files can be deleted at any time.
import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { readFully, writeFully } from '../../temporary-file.ts'

const READ_BYTES = 256 * 1024
/** How many uncompressed responses that were requested once are remembered. */
const MAX_REQUESTED_ONCE = 1000
/** Suffix of files that are still being written. */
const PARTIAL_SUFFIX = '.part'

export class FileCache {
  readonly #folder: string
  readonly #maxBytes: number
  readonly #namesBeingWritten = new Set<string>()
  readonly #requestedOnce = new Set<string>()

  /** `maxBytes` limits the total size of all files. One file can use at most a quarter of it. */
  constructor(folder: string, maxBytes: number) {
    this.#folder = folder
    this.#maxBytes = maxBytes
  }

  /** The cached response, or undefined. `bytes` can be iterated once. */
  async find(name: string): Promise<{ length: number; bytes: AsyncIterable<Uint8Array> } | undefined> {
    if (this.#maxBytes === 0) return undefined
    const path = this.#path(name)
    const file = await open(path).catch(() => undefined)
    if (file === undefined) return undefined
    try {
      const now = new Date()
      // Marks the file as most recently used.
      await utimes(path, now, now).catch(() => undefined)
      const { size } = await file.stat()
      return { length: size, bytes: readFile(file, size) }
    } catch {
      await file.close()
      return undefined
    }
  }

  /** Whether to store an uncompressed response of this length. False for its first request. */
  shouldStore(name: string, length: number): boolean {
    if (length > this.#maxBytes / 4) return false
    if (this.#requestedOnce.has(name)) return true
    if (this.#requestedOnce.size >= MAX_REQUESTED_ONCE) this.#requestedOnce.clear()
    this.#requestedOnce.add(name)
    return false
  }

  /** Passes the bytes through and writes them to a file. Errors of the file do not affect the response. */
  async *storeWhileReading(name: string, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const partialPath = `${this.#path(name)}.${randomUUID()}${PARTIAL_SUFFIX}`
    const file = this.#namesBeingWritten.has(name) ? undefined : await this.#createFile(partialPath)
    if (file === undefined) return yield* bytes
    this.#namesBeingWritten.add(name)
    let length = 0
    let isValid = true
    // After a failure, the response is not cached.
    const attempt = async (operation: () => Promise<void>) => {
      try {
        if (isValid) await operation()
      } catch {
        isValid = false
      }
    }
    try {
      for await (const chunk of bytes) {
        if (length + chunk.length > this.#maxBytes / 4) isValid = false
        await attempt(() => writeFully(file, chunk, length))
        length += chunk.length
        yield chunk
      }
      // After a crash, the file could otherwise exist without its content.
      await attempt(() => file.datasync())
      await attempt(() => rename(partialPath, this.#path(name)))
      await this.#evict()
    } finally {
      this.#namesBeingWritten.delete(name)
      await file.close().catch(() => undefined)
      // Does not remove a finished file, because it was renamed.
      await rm(partialPath, { force: true }).catch(() => undefined)
    }
  }

  /** Removes files that an earlier process did not finish. */
  async removePartialFiles(): Promise<void> {
    for (const name of await readdir(this.#folder).catch(() => []))
      if (name.endsWith(PARTIAL_SUFFIX)) await rm(join(this.#folder, name), { force: true })
  }

  async #createFile(path: string): Promise<FileHandle | undefined> {
    if (this.#maxBytes === 0) return undefined
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 })
      return await open(path, 'wx', 0o600)
    } catch {
      return undefined
    }
  }

  /** Deletes the least recently used files until the total size is within the limit. */
  async #evict(): Promise<void> {
    const names = await readdir(this.#folder).catch(() => [])
    const files = await Promise.all(
      names.map(async (name) => {
        const path = join(this.#folder, name)
        const { size, mtimeMs } = await stat(path).catch(() => ({ size: 0, mtimeMs: 0 }))
        return { path, size, mtimeMs }
      }),
    )
    let usedBytes = files.reduce((sum, { size }) => sum + size, 0)
    for (const { path, size } of files.sort((a, b) => a.mtimeMs - b.mtimeMs)) {
      if (usedBytes <= this.#maxBytes) return
      await rm(path, { force: true })
      usedBytes -= size
    }
  }

  #path(name: string): string {
    return join(this.#folder, createHash('sha256').update(name).digest('hex'))
  }
}

async function* readFile(file: FileHandle, size: number): AsyncGenerator<Uint8Array> {
  let nextRead = readPart(file, 0, size)
  try {
    for (let offset = 0; offset < size; ) {
      const bytes = await nextRead
      offset += bytes.length
      // Reads the next part while this one is sent. The client may disconnect before it is used.
      nextRead = readPart(file, offset, size)
      nextRead.catch(() => undefined)
      yield bytes
    }
  } finally {
    await nextRead.catch(() => undefined)
    await file.close()
  }
}

async function readPart(file: FileHandle, offset: number, size: number): Promise<Uint8Array> {
  const bytes = Buffer.allocUnsafeSlow(Math.min(READ_BYTES, size - offset))
  await readFully(file, bytes, offset)
  return bytes
}
