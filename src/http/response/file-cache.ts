// Caches large responses as files, so that repeated requests need no database read and no compression. Uncompressed
// responses are stored only from the second request on, because they need more disk space.
// Several processes can share the folder, and its files can be deleted at any time. A file that is damaged is not used.
import { createHash, randomUUID } from 'node:crypto'
import { type BigIntStats, constants } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { FastifyBaseLogger } from 'fastify'
import { LruCache } from '../../store/cache/lru-cache.ts'
import { readFully, writeFully } from '../../temporary-file.ts'

const READ_BYTES = 256 * 1024
/** How many uncompressed responses that were requested once are remembered. */
const MAX_REQUESTED_ONCE = 1000
/** How many verified files are remembered. */
const MAX_VERIFIED = 1000
/** Suffix of files that are still being written. */
const PARTIAL_SUFFIX = '.part'
/** A file starts with the length of the response (8 bytes) and a CRC-32 of its name and its bytes. */
const HEADER_BYTES = 12
/** Does not follow a symbolic link and does not wait for the writer of a named pipe. */
const OPEN_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
/** Errors of open() that are no damage of the file. */
const HARMLESS_CODES = new Set(['ENOENT', 'ENOTDIR', 'EMFILE', 'ENFILE', 'ENOMEM'])

export interface CachedFile {
  length: number
  /** Can be iterated once. */
  bytes: AsyncIterable<Uint8Array>
}

export class FileCache {
  readonly #folder: string
  readonly #maxBytes: number
  readonly #log: Pick<FastifyBaseLogger, 'warn'>
  readonly #namesBeingWritten = new Set<string>()
  readonly #requestedOnce = new Set<string>()
  /** Whether a file is intact, by path and identity. Its content is verified once, until the file changes. */
  readonly #verifications = new LruCache<boolean>(MAX_VERIFIED, () => 1)
  /** When this process last used a file, by path. */
  readonly #useTimes = new Map<string, number>()

  /** `maxBytes` limits the total size of all files. One file can use at most a quarter of it. */
  constructor(folder: string, maxBytes: number, log: Pick<FastifyBaseLogger, 'warn'>) {
    this.#folder = folder
    this.#maxBytes = maxBytes
    this.#log = log
  }

  /** The cached response, or undefined. Verifies the file; removes it if it is damaged. */
  async find(name: string): Promise<CachedFile | undefined> {
    if (this.#maxBytes === 0) return undefined
    const path = this.#path(name)
    let file: FileHandle
    try {
      file = await open(path, OPEN_FLAGS)
    } catch (error) {
      if (!HARMLESS_CODES.has((error as NodeJS.ErrnoException).code ?? ''))
        await this.#verify(path, await lstat(path, { bigint: true }).catch(() => undefined), async () => {
          throw error
        })
      return undefined
    }
    try {
      const stats = await file.stat({ bigint: true })
      if (await this.#verify(path, stats, () => verifyFile(file, stats, name))) {
        this.#useTimes.set(path, Date.now())
        return { length: Number(stats.size) - HEADER_BYTES, bytes: this.#readBody(path, file, stats) }
      }
    } catch {
      // Without file information, the response is read from the store.
    }
    await file.close().catch(() => undefined)
    return undefined
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
    let checksum = crc32(name)
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
        await attempt(() => writeFully(file, chunk, HEADER_BYTES + length))
        length += chunk.length
        checksum = crc32(chunk, checksum)
        yield chunk
      }
      await attempt(() => writeFully(file, encodeHeader(length, checksum), 0))
      // After a crash, the file could otherwise exist without its content.
      await attempt(() => file.datasync())
      await attempt(() => rename(partialPath, this.#path(name)))
      await attempt(async () => {
        const stats = await file.stat({ bigint: true })
        this.#verifications.set(verificationKey(this.#path(name), stats), true)
      })
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
      if (name.endsWith(PARTIAL_SUFFIX))
        await rm(join(this.#folder, name), { force: true }).catch(() => undefined)
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
        // Not stored in the file: a new modification time would look like a change of its content.
        return { path, size, usedAt: Math.max(mtimeMs, this.#useTimes.get(path) ?? 0) }
      }),
    )
    const paths = new Set(files.map(({ path }) => path))
    for (const path of this.#useTimes.keys()) if (!paths.has(path)) this.#useTimes.delete(path)
    let usedBytes = files.reduce((sum, { size }) => sum + size, 0)
    for (const { path, size } of files.sort((a, b) => a.usedAt - b.usedAt)) {
      if (usedBytes <= this.#maxBytes) return
      await rm(path, { force: true }).catch(() => undefined)
      usedBytes -= size
    }
  }

  /** Returns whether the file is intact. Removes and logs a damaged file once. */
  #verify(path: string, stats: BigIntStats | undefined, verify: () => Promise<void>): Promise<boolean> {
    return this.#verifications.getOrCreate(verificationKey(path, stats), async () => {
      try {
        await verify()
        return true
      } catch (error) {
        const failure = await remove(path)
        this.#log.warn(
          { file: path, reason: (error as Error).message, ...(failure && { not_removed: failure.message }) },
          'a cached response is damaged and is not used',
        )
        return false
      }
    })
  }

  /** Fails before the last part if the file was changed, so that the response does not look complete. */
  async *#readBody(path: string, file: FileHandle, stats: BigIntStats): AsyncGenerator<Uint8Array> {
    const size = Number(stats.size)
    let nextRead = readPart(file, HEADER_BYTES, size)
    try {
      for (let offset = HEADER_BYTES; offset < size; ) {
        const bytes = await nextRead
        offset += bytes.length
        if (offset === size) await assertUnchanged(file, stats)
        // Reads the next part while this one is sent. The client may disconnect before it is used.
        nextRead = readPart(file, offset, size)
        nextRead.catch(() => undefined)
        yield bytes
      }
    } catch (cause) {
      await remove(path)
      throw new Error(`The cached response ${path} changed while it was sent`, { cause })
    } finally {
      await nextRead.catch(() => undefined)
      await file.close()
    }
  }

  #path(name: string): string {
    return join(this.#folder, createHash('sha256').update(name).digest('hex'))
  }
}

/** Changes whenever the file is written or replaced. */
function verificationKey(path: string, stats: BigIntStats | undefined): string {
  return `${path} ${stats?.ino} ${stats?.size} ${stats?.mtimeNs} ${stats?.ctimeNs}`
}

function encodeHeader(length: number, checksum: number): Buffer {
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeBigUInt64LE(BigInt(length))
  header.writeUInt32LE(checksum, 8)
  return header
}

/** Throws if the length or the checksum differs from the header. The checksum includes the name, in case files were exchanged. */
async function verifyFile(file: FileHandle, stats: BigIntStats, name: string): Promise<void> {
  if (!stats.isFile()) throw new Error('it is not a file')
  const size = Number(stats.size)
  const header = Buffer.alloc(HEADER_BYTES)
  await readFully(file, header, 0)
  const length = Number(header.readBigUInt64LE())
  if (size - HEADER_BYTES !== length)
    throw new Error(`it contains ${size - HEADER_BYTES} bytes instead of ${length}`)
  const buffer = Buffer.allocUnsafeSlow(Math.min(READ_BYTES, length))
  let checksum = crc32(name)
  for (let offset = HEADER_BYTES; offset < size; ) {
    const part = buffer.subarray(0, Math.min(READ_BYTES, size - offset))
    await readFully(file, part, offset)
    checksum = crc32(part, checksum)
    offset += part.length
  }
  if (checksum !== header.readUInt32LE(8)) throw new Error('its checksum is wrong')
}

/** Deleting a file changes its ctime, but not its content, so only size and mtime are compared. */
async function assertUnchanged(file: FileHandle, { size, mtimeNs }: BigIntStats): Promise<void> {
  const current = await file.stat({ bigint: true })
  if (current.size !== size || current.mtimeNs !== mtimeNs) throw new Error('The file was written')
}

async function readPart(file: FileHandle, offset: number, size: number): Promise<Uint8Array> {
  const bytes = Buffer.allocUnsafeSlow(Math.min(READ_BYTES, size - offset))
  await readFully(file, bytes, offset)
  return bytes
}

/** Returns the error if the file cannot be removed. */
async function remove(path: string): Promise<Error | undefined> {
  return rm(path, { force: true, recursive: true }).then(
    () => undefined,
    (error: Error) => error,
  )
}
