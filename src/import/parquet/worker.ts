// Decodes row groups of a Parquet file in a thread of its own. hyparquet trusts the counts in the data, so a damaged
// file could occupy a thread for minutes, or use all of its memory.
import { parentPort } from 'node:worker_threads'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import {
  type AsyncBuffer,
  type Compressors,
  type FileMetaData,
  parquetRead,
  parquetSchema,
  snappyUncompress,
} from 'hyparquet'
import { Json } from '../../json/value.ts'
import { keepDecimals, PARSERS, toJson } from './values.ts'

export interface DecodeRequest {
  /** With this row group only. */
  metadata: FileMetaData
  /** The bytes of the columns, and where they are in the file. */
  parts: { start: number; bytes: ArrayBuffer }[]
  fileSize: number
  rowCount: number
  /** Limit of the uncompressed size of a page. */
  maxPageBytes: number
}

/** The rows as JSON texts, or why they cannot be read. */
export type DecodeReply = { rows: string[] } | { error: string }

parentPort?.on('message', (request: DecodeRequest) => {
  decode(request).then(
    (rows) => parentPort?.postMessage({ rows } satisfies DecodeReply),
    (error: Error) => parentPort?.postMessage({ error: error.message } satisfies DecodeReply),
  )
})

async function decode(request: DecodeRequest): Promise<string[]> {
  const { metadata, rowCount } = request
  const decimals = keepDecimals(metadata)
  const trees = parquetSchema(metadata).children
  let rows: unknown[][] = []
  await parquetRead({
    file: asyncBufferOf(request),
    metadata,
    rowEnd: rowCount,
    compressors: createCompressors(request.maxPageBytes),
    parsers: PARSERS,
    // Bytes without a type are decoded by toJson, which also accepts bytes that are not a text.
    utf8: false,
    geoparquet: false,
    onComplete: (completed) => {
      rows = completed
    },
  })
  if (rows.length !== rowCount) throw new Error('rows are missing')
  return rows.map((row) => {
    const members = trees.map(
      (tree, index) => [tree.element.name, toJson(row[index], tree, decimals)] as const,
    )
    return Json.object(members).text
  })
}

/** A part that was not sent is empty, and decoding it fails. */
function asyncBufferOf({ parts, fileSize }: DecodeRequest): AsyncBuffer {
  return {
    byteLength: fileSize,
    async slice(from, to = fileSize) {
      const bytes = new Uint8Array(Math.max(0, to - from) || 0)
      for (const part of parts) {
        const [first, last] = [Math.max(from, part.start), Math.min(to, part.start + part.bytes.byteLength)]
        if (first < last)
          bytes.set(new Uint8Array(part.bytes, first - part.start, last - first), first - from)
      }
      return bytes.buffer
    },
  }
}

function createCompressors(maxPageBytes: number): Compressors {
  const checkLength = (length: number) => {
    if (length < 0 || length > maxPageBytes) throw new Error(`a page has ${length} bytes`)
    return length
  }
  // zlib does not accept the length 0.
  const limitOutput = (length: number) => ({ maxOutputLength: Math.max(1, checkLength(length)) })
  return {
    SNAPPY: (input, length) => {
      const output = new Uint8Array(checkLength(length))
      snappyUncompress(input, output)
      return output
    },
    GZIP: (input, length) => gunzipSync(input, limitOutput(length)),
    ZSTD: (input, length) => zstdDecompressSync(input, limitOutput(length)),
    BROTLI: (input, length) => brotliDecompressSync(input, limitOutput(length)),
  }
}
