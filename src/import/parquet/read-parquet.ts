// Reads the rows of a Parquet file as JSON objects, one row group at a time.

import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import {
  type AsyncBuffer,
  type ColumnMetaData,
  type FileMetaData,
  parquetMetadataAsync,
  parquetSchema,
  type RowGroup,
  type SchemaTree,
} from 'hyparquet'
import { parquetHeader } from 'hyparquet/src/column.js'
import { UnreadableFile } from '../../errors.ts'
import { Json } from '../../json/value.ts'
import type { Source } from '../source.ts'
import { isNested } from './values.ts'
import type { DecodeReply, DecodeRequest, DecoderMessage } from './worker.ts'

/** A file begins and ends with these bytes. */
const MAGIC = 'PAR1'
/** Limit of the uncompressed size of a row group, whose encoded bytes are read into memory. */
const MAX_ROW_GROUP_BYTES = 256 * 1024 * 1024
/** The same for its nested columns. Unlike other columns, they are decoded completely. */
const MAX_NESTED_BYTES = 128 * 1024 * 1024
/** Limit of the description of the columns and row groups at the end of the file. */
const MAX_FOOTER_BYTES = 32 * 1024 * 1024
/** Limit of the values in a column of a row group. A few bytes can declare billions of equal values. */
const MAX_VALUES = 20_000_000
const FOOTER_END_BYTES = 8

const SMALLER_ROW_GROUPS =
  'Write the file with smaller row groups: row_group_size=10000 in write_table of pyarrow, in to_parquet of pandas and in write_parquet of polars.'

export function isParquet({ head }: Source): boolean {
  return head.toString('latin1', 0, MAGIC.length) === MAGIC
}

interface ParquetFile {
  columns: string[]
  /** Throws UnreadableFile. */
  rows(): AsyncGenerator<Json>
}

/** Throws UnreadableFile. */
export async function openParquet(source: Source): Promise<ParquetFile> {
  const metadata = await readMetadata(source, asyncBufferOf(source))
  const trees = parquetSchema(metadata).children
  const columns = trees.map(({ element }) => element.name)
  const nestedNames = nestedColumns(trees)

  async function* rows(): AsyncGenerator<Json> {
    const decoder = new Decoder()
    try {
      for (const group of metadata.row_groups) {
        const parts: DecodeRequest['parts'] = []
        const flatStarts: number[] = []
        for (const { meta_data } of group.columns) {
          if (!meta_data) continue
          const part = await readColumn(source, meta_data)
          parts.push(part)
          if (!nestedNames.has(meta_data.path_in_schema[0])) flatStarts.push(part.start)
        }
        // A copy of the description of all row groups for each of them would take long if there are thousands.
        const groupMetadata = { ...metadata, row_groups: [group], key_value_metadata: [] }
        const sizes = {
          fileSize: source.size,
          maxPageBytes: MAX_ROW_GROUP_BYTES,
          uncompressedBytes: uncompressedBytes(group.columns),
          flatStarts,
        }
        const request = { metadata: groupMetadata, parts, rowCount: Number(group.num_rows), ...sizes }
        for await (const texts of decoder.decode(request)) for (const text of texts) yield new Json(text)
      }
    } finally {
      await decoder.close()
    }
  }
  return { columns, rows }
}

function nestedColumns(trees: SchemaTree[]): ReadonlySet<string | undefined> {
  return new Set(trees.filter(isNested).map(({ element }) => element.name))
}

function uncompressedBytes(columns: RowGroup['columns']): number {
  return columns.reduce((sum, { meta_data }) => sum + Number(meta_data?.total_uncompressed_size ?? 0), 0)
}

/** Never rejects: hyparquet requests parts in advance, and such a rejection would not be handled. Instead, a part that
 * cannot be read is empty, and decoding it fails. */
function asyncBufferOf(source: Source): AsyncBuffer {
  return {
    byteLength: source.size,
    async slice(start, end = source.size) {
      if (!(start >= 0 && end >= start && end <= source.size)) return new ArrayBuffer(0)
      try {
        const bytes = await source.readBytes(start, end - start)
        return bytes.buffer as ArrayBuffer
      } catch {
        return new ArrayBuffer(0)
      }
    },
  }
}

async function readMetadata(source: Source, file: AsyncBuffer): Promise<FileMetaData> {
  if (source.size < MAGIC.length + FOOTER_END_BYTES)
    throw new UnreadableFile('The Parquet file is incomplete: it has no footer.')
  const end = await source.readBytes(source.size - FOOTER_END_BYTES, FOOTER_END_BYTES)
  if (end.toString('latin1', 4) !== MAGIC)
    throw new UnreadableFile('The Parquet file is incomplete: it has no footer.')
  const footerBytes = end.readUInt32LE(0)
  if (footerBytes > MAX_FOOTER_BYTES)
    throw new UnreadableFile(`The footer of the Parquet file is larger than ${MAX_FOOTER_BYTES} bytes.`)
  const metadata = await withReadErrors(() => parquetMetadataAsync(file, { geoparquet: false }))
  await withReadErrors(async () => checkRowGroups(metadata))
  return metadata
}

function checkRowGroups(metadata: FileMetaData): void {
  const { row_groups, num_rows } = metadata
  const paths = leafPaths(parquetSchema(metadata))
  const nestedNames = nestedColumns(parquetSchema(metadata).children)
  if (paths.length === 0 || paths.includes('')) throw new UnreadableFile('The Parquet file has no columns.')
  if (new Set(paths).size < paths.length) throw new UnreadableFile('The Parquet file has duplicate columns.')
  let rowCount = 0n
  for (const [index, group] of row_groups.entries()) {
    const nested = group.columns.filter(({ meta_data }) => nestedNames.has(meta_data?.path_in_schema[0]))
    for (const [bytes, limit, ofColumns] of [
      [uncompressedBytes(group.columns), MAX_ROW_GROUP_BYTES, ''],
      [uncompressedBytes(nested), MAX_NESTED_BYTES, ' in columns of lists and structures'],
    ] as const)
      if (bytes > limit)
        throw new UnreadableFile(
          `Row group ${index + 1} has ${bytes} bytes${ofColumns}, more than the limit of ${limit}. ${SMALLER_ROW_GROUPS}`,
        )
    if (group.columns.some(({ file_path }) => file_path !== undefined))
      throw new UnreadableFile('The columns of the Parquet file are in other files, which is not supported.')
    // hyparquet starts to read all columns. It handles the errors only of those that are in the schema once.
    const groupPaths = group.columns.map(({ meta_data }) => meta_data?.path_in_schema.join('\0'))
    if (groupPaths.length !== paths.length || groupPaths.some((path, column) => path !== paths[column]))
      throw new UnreadableFile(
        `The Parquet file is damaged: row group ${index + 1} has other columns than the schema.`,
      )
    rowCount += group.num_rows
  }
  if (rowCount !== num_rows)
    throw new UnreadableFile(
      `The Parquet file declares ${num_rows} rows, but its row groups have ${rowCount}.`,
    )
}

/** Reads a column, and checks how many values its pages declare. hyparquet would allocate as many before it reads them. */
async function readColumn(source: Source, column: ColumnMetaData): Promise<DecodeRequest['parts'][number]> {
  const damaged = new UnreadableFile(
    'The Parquet file is damaged: the pages of a column do not fit its description.',
  )
  const start = Number(column.dictionary_page_offset || column.data_page_offset)
  const length = Number(column.total_compressed_size)
  if (!(start >= 0 && length >= 0 && start + length <= source.size)) throw damaged
  if (column.num_values > MAX_VALUES)
    throw new UnreadableFile(
      `A row group has more than ${MAX_VALUES} values in a column. ${SMALLER_ROW_GROUPS}`,
    )
  const bytes = (await source.readBytes(start, length)).buffer as ArrayBuffer
  const reader = { view: new DataView(bytes), offset: 0 }
  let valueCount = 0
  await withReadErrors(async () => {
    while (reader.offset < length - 1) {
      const header = parquetHeader(reader)
      const page = header.data_page_header ?? header.data_page_header_v2 ?? header.dictionary_page_header
      if (!page || !(page.num_values >= 0) || !(header.compressed_page_size >= 0)) throw damaged
      // A dictionary can contain values of other row groups, of at least one byte each.
      if (!header.dictionary_page_header) valueCount += page.num_values
      else if (page.num_values > header.uncompressed_page_size) throw damaged
      reader.offset += header.compressed_page_size
      if (valueCount > column.num_values || reader.offset > length) throw damaged
    }
  })
  return { start, bytes }
}

/** The columns that contain values, in the order of the file. */
function leafPaths({ children, path }: SchemaTree): string[] {
  return children.length === 0 ? [path.join('\0')] : children.flatMap(leafPaths)
}

async function withReadErrors<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof UnreadableFile) throw error
    throw new UnreadableFile(`The Parquet file cannot be read: ${(error as Error).message}.`)
  }
}

type DecodedRows = Extract<DecodeReply, { isLast: boolean }>

/** A .ts file in the checkout, and a .js file in the package. */
const WORKER_SCRIPT = new URL(`./worker${extname(import.meta.filename)}`, import.meta.url)
/** A thread decodes more than 20 MB per second. */
const BASE_MILLISECONDS = 10_000
const BYTES_PER_MILLISECOND = 1000
const MAX_HEAP_MB = 1024

class Decoder {
  #worker: Worker | undefined

  /** The rows of a row group, in lists. Throws UnreadableFile. */
  async *decode(request: DecodeRequest): AsyncGenerator<string[]> {
    const parts = request.parts.map(({ bytes }) => bytes)
    let reply = await this.#send(request, request.uncompressedBytes, parts)
    while (!reply.isLast) {
      yield reply.rows
      reply = await this.#send('next', request.uncompressedBytes)
    }
  }

  async #send(message: DecoderMessage, bytes: number, transferred: ArrayBuffer[] = []): Promise<DecodedRows> {
    this.#worker ??= new Worker(WORKER_SCRIPT, {
      name: 'parquet',
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    })
    const worker = this.#worker
    const reply = Promise.withResolvers<DecodeReply>()
    const fail = (error: string) => reply.resolve({ error })
    const onError = (error: unknown) => fail((error as Error).message)
    const onExit = () => fail('its thread ended')
    worker.once('message', reply.resolve).once('error', onError).once('exit', onExit)
    const timer = setTimeout(
      () => fail('decoding it takes too long'),
      BASE_MILLISECONDS + bytes / BYTES_PER_MILLISECOND,
    )
    worker.postMessage(message, transferred)
    const result = await reply.promise
    clearTimeout(timer)
    worker.off('message', reply.resolve).off('error', onError).off('exit', onExit)
    if ('rows' in result) return result
    await this.close()
    throw new UnreadableFile(`The Parquet file cannot be read: ${result.error}.`)
  }

  async close(): Promise<void> {
    const worker = this.#worker
    this.#worker = undefined
    // A thread that is terminated can still report an error.
    worker?.on('error', () => undefined)
    await worker?.terminate()
  }
}
