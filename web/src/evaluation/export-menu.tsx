// The rows of the view as a file.
import { ExportMenu as Exporting } from '../parts/export-menu.tsx'
import { loadDetailPages } from '../read-ahead.ts'
import { rowCount } from './chosen-state.ts'
import type { Shown } from './shown.ts'

export function ExportMenu({ shown }: { shown: Shown }) {
  const { id, question } = shown
  const rows = rowCount(shown)
  return (
    <Exporting
      rows={rows}
      estimate={async (format, signal) => {
        const { estimatedSize } = await loadDetailPages()
        return estimatedSize(id, question, { format, rows: rows ?? 0, signal })
      }}
      save={async (saving) => (await loadDetailPages()).saveView(id, question, saving)}
    />
  )
}
