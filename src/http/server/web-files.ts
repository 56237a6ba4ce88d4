// The built files of the web page. They are read once at startup, so that a request can never name a path on the disk,
// and compressed once per encoding.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Encoding, encode } from '../../serialize/encoding.ts'
import { prefixLinks } from './path-prefix.ts'

export const WEB_FOLDER = fileURLToPath(new URL('../../../web/dist', import.meta.url))

const TEXT_TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
}
/** Already compressed formats. */
const BINARY_TYPES: Record<string, string> = { '.png': 'image/png', '.woff2': 'font/woff2' }

/** Written by the build: the scripts of each page, with the scripts that they import. */
const PRELOADS_FILE = 'service/preloads.json'

export class WebFile {
  readonly type: string
  readonly isText: boolean
  /** Hash of the content. */
  readonly digest: string
  readonly #bytes: Buffer
  readonly #bytesByEncoding = new Map<Encoding, Promise<Buffer>>()

  constructor(name: string, bytes: Buffer) {
    const extension = extname(name)
    this.isText = Object.hasOwn(TEXT_TYPES, extension)
    this.type = { ...TEXT_TYPES, ...BINARY_TYPES }[extension] ?? 'application/octet-stream'
    this.digest = createHash('sha256').update(bytes).digest('base64url').slice(0, 22)
    this.#bytes = bytes
  }

  bytes(encoding: Encoding): Promise<Buffer> {
    let encodedBytes = this.#bytesByEncoding.get(encoding)
    if (!encodedBytes) {
      // A copy, because the encoder releases the memory of the chunks it has consumed.
      const chunks = Array.fromAsync(encode(encoding, [new Uint8Array(this.#bytes)]))
      encodedBytes = chunks.then((list) => Buffer.concat(list))
      this.#bytesByEncoding.set(encoding, encodedBytes)
    }
    return encodedBytes
  }
}

/**
 * Files by their path relative to the folder, with forward slashes. Skips files whose name starts with a dot. The links in
 * HTML files begin with `prefix`, the path of --public-url.
 */
export async function readWebFiles(folder: string, prefix: string): Promise<Map<string, WebFile>> {
  const files = new Map<string, WebFile>()
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.name.startsWith('.')) continue
    const path = join(entry.parentPath, entry.name)
    const name = relative(folder, path).replaceAll('\\', '/')
    const bytes = await readFile(path)
    const isHtml = extname(name) === '.html'
    files.set(name, new WebFile(name, isHtml ? Buffer.from(prefixLinks(bytes.toString(), prefix)) : bytes))
  }
  return files
}

/** Links in the header `Link` that let a browser load the scripts of a page at once, by the name of the page. */
export async function readPreloads(folder: string, prefix: string): Promise<Map<string, string[]>> {
  const text = await readFile(join(folder, PRELOADS_FILE), 'utf8').catch(() => '{}')
  const scripts = Object.entries<string[]>(JSON.parse(text))
  return new Map(
    scripts.map(([page, names]) => [page, names.map((name) => `<${prefix}/${name}>; rel=modulepreload`)]),
  )
}
