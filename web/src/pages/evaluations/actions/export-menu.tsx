// Saves evaluations of the list as a file, created in the browser.
import type { Evaluation } from 'assay-client'
import { lazyModule } from '../../../api/lazy-modules.ts'
import { saveFile } from '../../../export/save-file.ts'
import { pluralize } from '../../../format/numbers.ts'
import { Menu } from '../../../ui/menu.tsx'
import { toast } from '../../../ui/toasts.tsx'
import type { EvaluationList } from '../page-state.ts'

const loadExport = lazyModule(() => import('./export-rows.ts'))

interface ExportMenuProps {
  label: string
  list: EvaluationList
  rows: readonly Evaluation[]
  /** Loads the remaining rows. */
  load?: () => Promise<readonly Evaluation[]>
  /** What is exported, if the number is not known yet. */
  description?: string | undefined
}

export function ExportMenu({ label, list, rows, load, description }: ExportMenuProps) {
  const exportLabel = description ?? pluralize(rows.length, 'evaluation')
  async function save(format: 'csv' | 'json') {
    try {
      const evaluations = load ? await load() : rows
      const { exportText, toExportRows } = await loadExport()
      const text = exportText(toExportRows(evaluations, list.visibleColumns, list.baselines), format)
      saveFile(new Blob([text]), `evaluations.${format}`)
      toast(`Saved ${pluralize(evaluations.length, 'evaluation')} to evaluations.${format}.`)
    } catch (error) {
      toast(`Export failed: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return (
    <Menu label={label}>
      <div className="options">
        <button type="button" className="plain" disabled={rows.length === 0} onClick={() => save('csv')}>
          CSV, {exportLabel}
        </button>
        <button type="button" className="plain" disabled={rows.length === 0} onClick={() => save('json')}>
          JSON, {exportLabel}
        </button>
      </div>
    </Menu>
  )
}
