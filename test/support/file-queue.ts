// The test files that several processes share, as a folder: creating a subfolder claims a file, which only one can do.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The program that runs files of a queue. */
export const TEST_PROCESS = fileURLToPath(new URL('test-process.ts', import.meta.url))

const LIST = 'files.json'

export class FileQueue {
  readonly #files: string[]
  readonly folder: string

  private constructor(folder: string, files: string[]) {
    this.folder = folder
    this.#files = files
  }

  static create(files: string[]): FileQueue {
    const folder = mkdtempSync(join(tmpdir(), 'assay-test-queue-'))
    writeFileSync(join(folder, LIST), JSON.stringify(files))
    return new FileQueue(folder, files)
  }

  static open(folder: string): FileQueue {
    return new FileQueue(folder, JSON.parse(readFileSync(join(folder, LIST), 'utf8')))
  }

  get size(): number {
    return this.#files.length
  }

  /** The files that this process must run. Each one is claimed when the iteration reaches it. */
  *claimed(): Generator<string> {
    for (const [index, file] of this.#files.entries()) if (this.#claim(index)) yield file
  }

  #claim(index: number): boolean {
    try {
      mkdirSync(join(this.folder, String(index)))
      return true
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      return false
    }
  }

  /** The files that no process has claimed, because all of them ended early. */
  unclaimed(): string[] {
    const claimed = readdirSync(this.folder)
    return this.#files.filter((_, index) => !claimed.includes(String(index)))
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}
