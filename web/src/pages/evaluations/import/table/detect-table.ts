// Asks the service how it reads the columns of a table, before anything is stored.
import type { ImportColumn } from 'assay-client'
import { assay } from '../../../../api/client.ts'
import type { ImportSettings } from '../uploads.ts'

/** The service detects roles from at most 1,000 rows. A dry run of more rows would only take longer. */
const MAX_LINES = 1000
const MAX_BYTES = 256 * 1024
/** The first bytes of files that cannot be cut: gzip, zstd and Parquet. */
const WHOLE_FILES = [
  [0x1f, 0x8b],
  [0x28, 0xb5, 0x2f, 0xfd],
  [0x50, 0x41, 0x52, 0x31],
]
const UTF_16 = [
  [0xff, 0xfe],
  [0xfe, 0xff],
]
const LINE_FEED = 0x0a

interface TableFile {
  name: string
  content: Blob
  options: ImportSettings
}

/** Files with these names are tables, even if the service does not detect the meaning of their columns. */
const TABLE_NAME = /\.(csv|tsv|tab|parquet)(\.(gz|zst))?$/i

interface DetectedTable {
  columns: ImportColumn[]
  /** The format to import the file with. */
  format: ImportSettings['format']
}

/** Without columns, the file is no table, or cannot be read. Then the import itself reports the error. */
export async function detectTable(file: TableFile, signal: AbortSignal): Promise<DetectedTable> {
  const { format } = file.options
  const head = await headOf(file.content)
  const columns = await readColumns(file, head, format, signal)
  if (columns || format !== undefined || !TABLE_NAME.test(file.name))
    return { columns: columns ?? [], format }
  return { columns: (await readColumns(file, head, 'table', signal)) ?? [], format: 'table' }
}

/** The columns in the report of a dry run. Undefined if the service rejects the file. */
async function readColumns(
  { name, options }: TableFile,
  head: Blob,
  format: ImportSettings['format'],
  signal: AbortSignal,
): Promise<ImportColumn[] | undefined> {
  try {
    const query = { ...options, format, name, dry_run: true, skip_invalid: true }
    return (await assay.importFile(head, query, { signal })).columns
  } catch {
    return undefined
  }
}

/** The first complete lines of a file. */
async function headOf(content: Blob): Promise<Blob> {
  const bytes = new Uint8Array(await content.slice(0, MAX_BYTES).arrayBuffer())
  const startsWith = (prefix: number[]) => prefix.every((byte, index) => bytes[index] === byte)
  if (WHOLE_FILES.some(startsWith)) return content
  if (UTF_16.some(startsWith)) return content.slice(0, MAX_BYTES)
  let end = 0
  for (let line = 0; line < MAX_LINES; line++) {
    const lineFeed = bytes.indexOf(LINE_FEED, end)
    if (lineFeed === -1) return content.size > MAX_BYTES ? content.slice(0, end || MAX_BYTES) : content
    end = lineFeed + 1
  }
  return content.slice(0, end)
}
