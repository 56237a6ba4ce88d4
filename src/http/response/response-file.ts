// The file that a response is written to: its interface, and the temporary file. The file cache has its own.
import type { FileHandle } from 'node:fs/promises'
import type { DiskBudget } from '../../disk-budget.ts'
import { openTemporaryFile, readFully, writeFully } from '../../temporary-file.ts'

export interface ResponseFile {
  /** Throws if the chunk cannot be written, for example because the disk is full. */
  append(chunk: Uint8Array): Promise<void>
  /** Called after the last chunk. */
  finish(): Promise<void>
  /** Fills `bytes` from `position`. Throws if the file is shorter. */
  read(bytes: Uint8Array, position: number): Promise<void>
  /** Whether the complete file is unchanged. */
  isIntact(): Promise<boolean>
  /** Throws if another process has written to the complete file. */
  verify(): Promise<void>
  close(): Promise<void>
}

/** Where temporary files are written, and their limit. */
export interface TemporaryStorage {
  folder: string
  budget: DiskBudget
}

export class TemporaryResponseFile implements ResponseFile {
  readonly #storage: TemporaryStorage
  #file: FileHandle | undefined
  #length = 0
  #reservedBytes = 0

  constructor(storage: TemporaryStorage) {
    this.#storage = storage
  }

  async append(chunk: Uint8Array): Promise<void> {
    const { folder, budget } = this.#storage
    if (!budget.reserve(chunk.length)) throw new Error('The limit on temporary files is reached')
    this.#reservedBytes += chunk.length
    this.#file ??= await openTemporaryFile(folder)
    await writeFully(this.#file, chunk, this.#length)
    this.#length += chunk.length
  }

  read(bytes: Uint8Array, position: number): Promise<void> {
    return readFully(this.#file, bytes, position)
  }

  async finish(): Promise<void> {}

  async isIntact(): Promise<boolean> {
    return true
  }

  async verify(): Promise<void> {}

  async close(): Promise<void> {
    this.#storage.budget.release(this.#reservedBytes)
    await this.#file?.close()
  }
}
