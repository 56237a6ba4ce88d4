// The files of the web page as the build leaves them: read once, so that nothing in a request ever names a file of the
// disk, and compressed once for each coding.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Coding, encode } from '../rendition/coding.ts'

export const WEB_FOLDER = fileURLToPath(new URL('../../web/dist', import.meta.url))

const TEXT_TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}
/** These are compressed as they are. */
const OTHER_TYPES: Record<string, string> = { '.png': 'image/png', '.woff2': 'font/woff2' }

export class WebFile {
  readonly type: string
  readonly isText: boolean
  /** Of its content. */
  readonly digest: string
  readonly #bytes: Buffer
  readonly #encoded = new Map<Coding, Promise<Buffer>>()

  constructor(name: string, bytes: Buffer) {
    const extension = extname(name)
    this.isText = Object.hasOwn(TEXT_TYPES, extension)
    this.type = { ...TEXT_TYPES, ...OTHER_TYPES }[extension] ?? 'application/octet-stream'
    this.digest = createHash('sha256').update(bytes).digest('base64url').slice(0, 22)
    this.#bytes = bytes
  }

  bytes(coding: Coding): Promise<Buffer> {
    let encoded = this.#encoded.get(coding)
    if (!encoded) {
      encoded = gather(encode(coding, once(this.#bytes)))
      this.#encoded.set(coding, encoded)
    }
    return encoded
  }
}

/** By their names from the folder on, with slashes; what begins with a dot is the build's own. */
export async function readWebFiles(folder: string): Promise<Map<string, WebFile>> {
  const files = new Map<string, WebFile>()
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.name.startsWith('.')) continue
    const path = join(entry.parentPath, entry.name)
    const name = relative(folder, path).replaceAll('\\', '/')
    files.set(name, new WebFile(name, await readFile(path)))
  }
  return files
}

/** As a copy: who encodes gives the memory of what is used up back. */
async function* once(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield new Uint8Array(bytes)
}

async function gather(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const gathered: Uint8Array[] = []
  for await (const chunk of chunks) gathered.push(chunk)
  return Buffer.concat(gathered)
}
