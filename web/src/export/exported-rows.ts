// What an export contains, and its state.
import type { Format, ReadRows } from './save-rows.ts'

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
