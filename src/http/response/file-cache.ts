// Caches large responses as files, so that repeated requests need no database read and no compression. Uncompressed
// responses are stored only from the second request on, because they need more disk space.
// Several processes can share the folder, and its files can be deleted at any time. A file that is damaged is not used.
import { createHash, randomUUID } from 'node:crypto'
import { type BigIntStats, constants } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { FastifyBaseLogger } from 'fastify'
import { LruCache } from '../../store/cache/lru-cache.ts'
import { readFully, writeFully } from '../../temporary-file.ts'
import type { ResponseFile, TemporaryStorage } from './response-file.ts'

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
  /** Must be closed. */
  file: ResponseFile
}

export class FileCache {
  readonly #folder: string
  readonly #maxBytes: number
  readonly #log: Pick<FastifyBaseLogger, 'warn'>
  readonly #storage: TemporaryStorage
  /** The size of all files that are being written. */
  #partialBytes = 0
  readonly #requestedOnce = new Set<string>()
  /** Whether a file is intact, by path and identity. Its content is verified once, until the file changes. */
  readonly #verifications = new LruCache<boolean>(MAX_VERIFIED, () => 1)
  /** When this process last used a file, by path. */
  readonly #useTimes = new Map<string, number>()

  /** `maxBytes` limits the total size of all files. One file can use at most a quarter of it. */
  constructor(
    folder: string,
    maxBytes: number,
    storage: TemporaryStorage,
    log: Pick<FastifyBaseLogger, 'warn'>,
  ) {
    this.#folder = folder
    this.#maxBytes = maxBytes
    this.#storage = storage
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
        return { length: Number(stats.size) - HEADER_BYTES, file: new VerifiedFile(path, file, stats) }
      }
    } catch {
      // Without file information, the response is read from the store.
    }
    await file.close().catch(() => undefined)
    return undefined
  }

  /** Whether to store this response, if its length is known to fit. False for the first request of an uncompressed one. */
  shouldStore(name: string, isCompressed: boolean, length = 0): boolean {
    if (this.#maxBytes === 0 || length > this.#maxBytes / 4) return false
    if (isCompressed || this.#requestedOnce.has(name)) return true
    if (this.#requestedOnce.size >= MAX_REQUESTED_ONCE) this.#requestedOnce.clear()
    this.#requestedOnce.add(name)
    return false
  }

  /** A new file for a response. It is added to the cache when it is finished. */
  create(name: string): ResponseFile {
    return new PartialFile(name, this.#path(name), this.#storage, {
      /** Returns false if the files are too large for the cache. */
      reserve: (bytes, length) => {
        if (length > this.#maxBytes / 4 || this.#partialBytes + bytes > this.#maxBytes) return false
        this.#partialBytes += bytes
        return true
      },
      release: (bytes) => {
        this.#partialBytes -= bytes
      },
      add: async (stats) => {
        this.#verifications.set(verificationKey(this.#path(name), stats), true)
        await this.#evict()
      },
    })
  }

  /** Removes files that an earlier process did not finish. */
  async removePartialFiles(): Promise<void> {
    for (const name of await readdir(this.#folder).catch(() => []))
      if (name.endsWith(PARTIAL_SUFFIX))
        await rm(join(this.#folder, name), { force: true }).catch(() => undefined)
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

  #path(name: string): string {
    return join(this.#folder, createHash('sha256').update(name).digest('hex'))
  }
}

/** A complete file of the cache. */
class VerifiedFile implements ResponseFile {
  readonly #path: string
  readonly #file: FileHandle
  readonly #stats: BigIntStats

  constructor(path: string, file: FileHandle, stats: BigIntStats) {
    this.#path = path
    this.#file = file
    this.#stats = stats
  }

  async append(): Promise<void> {
    throw new Error('The file is complete')
  }

  async finish(): Promise<void> {}

  async read(bytes: Uint8Array, position: number): Promise<void> {
    await this.#removeIfFails(() => readFully(this.#file, bytes, HEADER_BYTES + position))
  }

  async isIntact(): Promise<boolean> {
    const stats = await this.#file.stat({ bigint: true }).catch(() => undefined)
    return verificationKey(this.#path, stats) === verificationKey(this.#path, this.#stats)
  }

  /** Deleting a file changes its ctime, but not its content, so only size and mtime are compared. */
  async verify(): Promise<void> {
    await this.#removeIfFails(async () => {
      const { size, mtimeNs } = await this.#file.stat({ bigint: true })
      if (size !== this.#stats.size || mtimeNs !== this.#stats.mtimeNs)
        throw new Error('The file was written')
    })
  }

  close(): Promise<void> {
    return this.#file.close()
  }

  async #removeIfFails(operation: () => Promise<void>): Promise<void> {
    try {
      await operation()
    } catch (cause) {
      await remove(this.#path)
      throw new Error(`The cached response ${this.#path} changed while it was sent`, { cause })
    }
  }
}

interface CacheSpace {
  reserve(bytes: number, length: number): boolean
  release(bytes: number): void
  add(stats: BigIntStats): Promise<void>
}

/** A file that is being written. If it does not fit into the cache, it becomes a temporary file. */
class PartialFile implements ResponseFile {
  readonly #path: string
  readonly #partialPath: string
  readonly #storage: TemporaryStorage
  readonly #cache: CacheSpace
  #file: FileHandle | undefined
  #finishedFile: VerifiedFile | undefined
  #length = 0
  #checksum: number
  #isCacheable = true
  /** Reserved in the cache, or in the budget of temporary files. */
  #reservedBytes = 0

  constructor(name: string, path: string, storage: TemporaryStorage, cache: CacheSpace) {
    this.#path = path
    this.#partialPath = `${path}.${randomUUID()}${PARTIAL_SUFFIX}`
    this.#storage = storage
    this.#cache = cache
    // The checksum includes the name, in case files are exchanged.
    this.#checksum = crc32(name)
  }

  async append(chunk: Uint8Array): Promise<void> {
    this.#file ??= await this.#create()
    await this.#reserve(chunk.length)
    await writeFully(this.#file, chunk, HEADER_BYTES + this.#length)
    this.#length += chunk.length
    this.#checksum = crc32(chunk, this.#checksum)
  }

  /** Errors do not affect the response: it is not cached. */
  async finish(): Promise<void> {
    const file = this.#file
    if (!file || !this.#isCacheable) return
    try {
      await writeFully(file, encodeHeader(this.#length, this.#checksum), 0)
      // After a crash, the file could otherwise exist without its content.
      await file.datasync()
      await rename(this.#partialPath, this.#path)
      const stats = await file.stat({ bigint: true })
      this.#finishedFile = new VerifiedFile(this.#path, file, stats)
      this.#cache.release(this.#reservedBytes)
      this.#reservedBytes = 0
      await this.#cache.add(stats)
    } catch {
      // The clients can still read the file.
    }
  }

  async read(bytes: Uint8Array, position: number): Promise<void> {
    if (this.#finishedFile) await this.#finishedFile.read(bytes, position)
    else await readFully(this.#file, bytes, HEADER_BYTES + position)
  }

  async isIntact(): Promise<boolean> {
    return (await this.#finishedFile?.isIntact()) ?? true
  }

  async verify(): Promise<void> {
    await this.#finishedFile?.verify()
  }

  async close(): Promise<void> {
    const reservations = this.#isCacheable ? this.#cache : this.#storage.budget
    reservations.release(this.#reservedBytes)
    await this.#file?.close()
    // Does not remove a finished file, because it was renamed.
    if (this.#isCacheable) await rm(this.#partialPath, { force: true }).catch(() => undefined)
  }

  async #create(): Promise<FileHandle> {
    await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 })
    return await open(this.#partialPath, 'wx+', 0o600)
  }

  async #reserve(bytes: number): Promise<void> {
    const length = this.#length + bytes
    if (this.#isCacheable && !this.#cache.reserve(bytes, length)) {
      this.#isCacheable = false
      this.#cache.release(this.#reservedBytes)
      this.#reservedBytes = 0
      await rm(this.#partialPath, { force: true })
      bytes = length
    }
    if (!this.#isCacheable && !this.#storage.budget.reserve(bytes))
      throw new Error('The limit on temporary files is reached')
    this.#reservedBytes += bytes
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

/** Returns the error if the file cannot be removed. */
async function remove(path: string): Promise<Error | undefined> {
  return rm(path, { force: true, recursive: true }).then(
    () => undefined,
    (error: Error) => error,
  )
}
