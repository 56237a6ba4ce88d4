// Exports all rows of the view, with their full texts: items for a menu, and the progress next to it.
import { type ReactNode, Suspense, useState } from 'react'
import { lazyComponent } from '../ui/messages/lazy-component.tsx'
import type { ExportedRows, ExportState } from './save-rows.ts'

const ExportItems = lazyComponent(async () => (await import('./export-items.tsx')).ExportItems)
const ExportStatus = lazyComponent(async () => (await import('./export-items.tsx')).ExportStatus)

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
