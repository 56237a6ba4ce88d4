// Exports the filtered rows as a file.

import { lazyModule } from '../../../api/lazy-modules.ts'
import type { EvaluationState } from '../../../evaluation-state/page-state.ts'
import { ExportMenu as SharedExportMenu } from '../../../export/export-menu.tsx'
import { rowCount } from '../filters/state-filter.ts'

const loadExport = lazyModule(() => import('./export-rows.ts'))

export function ExportMenu({ pageState }: { pageState: EvaluationState }) {
  const { id, query } = pageState
  const rows = rowCount(pageState)
  return (
    <SharedExportMenu
      rows={rows}
      estimate={async (format, signal) => {
        const { estimatedSize } = await loadExport()
        return estimatedSize(id, query, { format, rows: rows ?? 0, signal })
      }}
      save={async (options) => (await loadExport()).saveRows(id, query, options)}
    />
  )
}
