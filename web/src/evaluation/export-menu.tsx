// The rows of the view as a file.
import { ExportMenu as Exporting } from '../parts/export-menu.tsx'
import { rowCount } from './chosen-state.ts'
import { estimatedSize, saveView } from './export.ts'
import type { Shown } from './shown.ts'

export function ExportMenu({ shown }: { shown: Shown }) {
  const { id, question } = shown
  const rows = rowCount(shown)
  return (
    <Exporting
      rows={rows}
      estimate={(format, signal) => estimatedSize(id, question, { format, rows: rows ?? 0, signal })}
      save={(saving) => saveView(id, question, saving)}
    />
  )
}
