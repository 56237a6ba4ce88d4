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
  type SchemaTree,
  snappyUncompress,
} from 'hyparquet'
import { Json } from '../../json/value.ts'
import { decompressLz4 } from './lz4.ts'
import { isNested, keepDecimals, PARSERS, toJson } from './values.ts'

export interface DecodeRequest {
  /** With this row group only. */
  metadata: FileMetaData
  /** The bytes of the columns, and where they are in the file. */
  parts: { start: number; bytes: ArrayBuffer }[]
  fileSize: number
  rowCount: number
  uncompressedBytes: number
  /** Where the flat columns begin. */
  flatStarts: number[]
  /** Limit of the uncompressed size of a page. */
  maxPageBytes: number
}

/** A row group to decode, or a request for its next rows. */
export type DecoderMessage = DecodeRequest | 'next'
/** Rows as JSON texts, or why they cannot be read. The last reply about a row group has no rows. */
export type DecodeReply = { rows: string[]; isLast: boolean } | { error: string }

/** Encoded bytes that are decoded at once. Decoded values need several times as much memory. */
const SLICE_BYTES = 8 * 1024 * 1024
const MAX_SLICE_ROWS = 50_000
/** Length of the JSON texts of a reply. Rows that share values of a dictionary can be much longer than their slice. */
const REPLY_LENGTH = 8 * 1024 * 1024

let batches: AsyncGenerator<string[], undefined> | undefined

parentPort?.on('message', (message: DecoderMessage) => {
  if (message !== 'next') batches = decode(message)
  batches?.next().then(
    ({ value: rows = [], done = false }) =>
      parentPort?.postMessage({ rows, isLast: done } satisfies DecodeReply),
    (error: Error) => parentPort?.postMessage({ error: error.message } satisfies DecodeReply),
  )
})

async function* decode(request: DecodeRequest): AsyncGenerator<string[], undefined> {
  const { metadata, rowCount, uncompressedBytes } = request
  const decimals = keepDecimals(metadata)
  const trees = parquetSchema(metadata).children
  const [nested, flat] = [trees.filter(isNested), trees.filter((tree) => !isNested(tree))]
  // The pages of nested columns do not say which rows they contain, so each column is decoded once.
  const nestedRows = await readRows(request, nested, 0, rowCount)
  const isFlatPart = ({ start }: DecodeRequest['parts'][number]) => request.flatStarts.includes(start)
  const flatRequest = { ...request, parts: request.parts.splice(0).filter(isFlatPart) }
  const proportion = SLICE_BYTES / Math.max(SLICE_BYTES, uncompressedBytes)
  const sliceRows = Math.max(1, Math.min(MAX_SLICE_ROWS, Math.floor(rowCount * proportion)))
  for (let start = 0; start < rowCount; start += sliceRows) {
    const rows = await readRows(flatRequest, flat, start, Math.min(start + sliceRows, rowCount))
    let [texts, length]: [string[], number] = [[], 0]
    for (const [index, row] of rows.entries()) {
      const nestedRow = nestedRows[start + index] ?? []
      const values = new Map<SchemaTree, unknown>([
        ...nested.map((tree, column) => [tree, nestedRow[column]] as const),
        ...flat.map((tree, column) => [tree, row[column]] as const),
      ])
      const members = trees.map(
        (tree) => [tree.element.name, toJson(values.get(tree), tree, decimals)] as const,
      )
      const { text } = Json.object(members)
      texts.push(text)
      length += text.length
      if (length < REPLY_LENGTH) continue
      yield texts
      texts = []
      length = 0
    }
    if (texts.length > 0) yield texts
  }
  return undefined
}

/** hyparquet skips the pages of flat columns before the first row without decompressing them. */
async function readRows(
  request: DecodeRequest,
  trees: SchemaTree[],
  rowStart: number,
  rowEnd: number,
): Promise<unknown[][]> {
  if (trees.length === 0) return Array.from({ length: rowEnd - rowStart }, () => [])
  let rows: unknown[][] = []
  await parquetRead({
    file: asyncBufferOf(request),
    metadata: request.metadata,
    columns: trees.map(({ element }) => element.name),
    rowStart,
    rowEnd,
    compressors: createCompressors(request.maxPageBytes),
    parsers: PARSERS,
    // Bytes without a type are decoded by toJson, which also accepts bytes that are not a text.
    utf8: false,
    geoparquet: false,
    onComplete: (completed) => {
      rows = completed
    },
  })
  if (rows.length !== rowEnd - rowStart) throw new Error('rows are missing')
  return rows
}

/** A part that was not sent is empty, and decoding it fails. */
function asyncBufferOf({ parts, fileSize }: DecodeRequest): AsyncBuffer {
  return {
    byteLength: fileSize,
    async slice(from, to = fileSize) {
      const wholePart = parts.find(({ start, bytes }) => start === from && start + bytes.byteLength === to)
      if (wholePart) return wholePart.bytes
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
    LZ4_RAW: (input, length) => decompressLz4(input, checkLength(length)),
    BROTLI: (input, length) => brotliDecompressSync(input, limitOutput(length)),
  }
}
