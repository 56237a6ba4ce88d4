// The content of an export, its estimated size, and saving it as a file.

export type Format = 'json' | 'ndjson' | 'csv'

export interface ReadOptions {
  format: Format
  /** Adds an apostrophe to CSV cells that start like a formula. */
  isExcelSafe: boolean
  /** The number of rows to read; undefined for all. */
  limit?: number
  signal: AbortSignal
}

/** Reads the content of the file in pieces. */
type ReadRows = (options: ReadOptions) => AsyncIterable<Uint8Array<ArrayBuffer>>

/** The size is estimated from this many rows: compressed responses have no Content-Length. */
const SAMPLED_ROWS = 100
const PROGRESS_INTERVAL_MS = 100

/** The estimated size of the file in bytes; 0 for small files. */
export async function estimateSize(read: ReadRows, rows: number, options: ReadOptions): Promise<number> {
  if (rows <= SAMPLED_ROWS) return 0
  let size = 0
  for await (const piece of read({ ...options, limit: SAMPLED_ROWS })) size += piece.length
  return (size / SAMPLED_ROWS) * rows
}

interface SaveOptions extends ReadOptions {
  /** Without extension. */
  name: string
  /** Called with the number of bytes received. */
  onProgress: (received: number) => void
}

/** Returns the name of the file. */
export async function saveRows(read: ReadRows, options: SaveOptions): Promise<string> {
  const { format, onProgress } = options
  const parts: BlobPart[] = []
  let received = 0
  let reportedAt = performance.now()
  for await (const piece of read(options)) {
    parts.push(piece)
    received += piece.length
    if (performance.now() - reportedAt < PROGRESS_INTERVAL_MS) continue
    reportedAt = performance.now()
    onProgress(received)
  }
  const fileName = `${options.name.replace(/[^\w.-]+/g, '-')}.${format}`
  saveFile(new Blob(parts), fileName)
  return fileName
}

export interface ExportedRows {
  /** The number of rows, once loaded. */
  rows: number | undefined
  /** The name of the file, without extension. */
  name: string
  read: ReadRows
}

export interface ExportState {
  isExcelSafe?: boolean
  progress?: { received: number; controller: AbortController } | undefined
  /** An export that waits for a confirmation. */
  pendingLarge?: { format: Format; size: number } | undefined
}

/** Downloads a file. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  // The download may start later.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
