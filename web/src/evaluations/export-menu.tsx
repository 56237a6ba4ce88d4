// Saves rows of the list as a file. It is made in the browser, of what was loaded.
import type { Evaluation } from 'assay-client'
import { csvOf } from '../format/csv.ts'
import { counted } from '../format/numbers.ts'
import { Menu } from '../parts/menu.tsx'
import { saveFile } from '../save-file.ts'
import { toast } from '../shell/toasts.tsx'
import { exportedRows } from './export-rows.ts'
import type { Listed } from './listed.ts'

interface ExportMenuProps {
  label: string
  listed: Listed
  rows: readonly Evaluation[]
  /** Brings rows that are not there yet. */
  load?: () => Promise<readonly Evaluation[]>
  /** What is exported, where it is not counted yet. */
  counted?: string | undefined
}

export function ExportMenu({ label, listed, rows, load, counted: words }: ExportMenuProps) {
  const what = words ?? counted(rows.length, 'evaluation')
  async function save(format: 'csv' | 'json') {
    try {
      const all = load ? await load() : rows
      const exported = exportedRows(all, listed.shown, listed.baselines)
      const text = format === 'csv' ? csvOf(exported) : `${JSON.stringify(exported, null, 2)}\n`
      saveFile(new Blob([text]), `evaluations.${format}`)
      toast(`Saved ${counted(all.length, 'evaluation')} to evaluations.${format}.`)
    } catch (error) {
      toast(`Nothing was saved: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return (
    <Menu label={label}>
      <div className="options">
        <button type="button" className="plain" disabled={rows.length === 0} onClick={() => save('csv')}>
          CSV, {what}
        </button>
        <button type="button" className="plain" disabled={rows.length === 0} onClick={() => save('json')}>
          JSON, {what}
        </button>
      </div>
    </Menu>
  )
}
