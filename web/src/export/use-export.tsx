// Exports all rows of the view, with their full texts: items for a menu, and the progress next to it.
import { type ReactNode, Suspense, useState } from 'react'
import { lazyComponent } from '../api/lazy-modules.ts'
import type { Format, ReadRows } from './save-rows.ts'

const ExportItems = lazyComponent(async () => (await import('./export-items.tsx')).ExportItems)
const ExportStatus = lazyComponent(async () => (await import('./export-items.tsx')).ExportStatus)

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

interface Export {
  /** For a menu, which unmounts them when it closes. */
  items: ReactNode
  /** The progress and the confirmation. Render it next to the menu. */
  status: ReactNode
}

export function useExport(exportedRows: ExportedRows): Export {
  const [state, setState] = useState<ExportState>({})
  const props = {
    exportedRows,
    state,
    onChange: (change: ExportState) => setState((old) => ({ ...old, ...change })),
  }
  return {
    items: (
      <Suspense>
        <ExportItems {...props} />
      </Suspense>
    ),
    status: (state.progress || state.pendingLarge) && (
      <Suspense>
        <ExportStatus {...props} />
      </Suspense>
    ),
  }
}
