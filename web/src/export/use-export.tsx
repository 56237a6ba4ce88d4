// Exports all rows of the view, with their full texts: items for a menu, and the progress next to it.
import { FileDown } from 'lucide'
import { type ReactNode, useState } from 'react'
import { lazyModule } from '../api/lazy-modules.ts'
import { formatBytes, pluralize } from '../format/numbers.ts'
import { Button } from '../ui/button.tsx'
import { MenuHeading, MenuItem, MenuSeparator } from '../ui/menus/menu.tsx'
import { ConfirmDialog } from '../ui/messages/confirm-dialog.tsx'
import { toast } from '../ui/messages/toasts.tsx'
import styles from './export.module.css'
import type { Format, ReadRows } from './save-rows.ts'

const FORMATS: Record<Format, string> = { csv: 'CSV', ndjson: 'NDJSON', json: 'JSON' }
/** Larger exports need a confirmation. */
const CONFIRM_ABOVE_BYTES = 50_000_000

const loadSaving = lazyModule(() => import('./save-rows.ts'))

export interface ExportedRows {
  /** The number of rows, once loaded. */
  rows: number | undefined
  /** The name of the file, without extension. */
  name: string
  read: ReadRows
}

interface Export {
  /** For a menu, which unmounts them when it closes. */
  items: ReactNode
  /** The progress and the confirmation. Render it next to the menu. */
  status: ReactNode
}

export function useExport({ rows, name, read }: ExportedRows): Export {
  const [isExcelSafe, setIsExcelSafe] = useState(false)
  const [progress, setProgress] = useState<{ received: number; controller: AbortController }>()
  const [pendingLarge, setPendingLarge] = useState<{ format: Format; size: number }>()

  /** Asks for confirmation if the file is large, unless `isConfirmed`. */
  async function save(format: Format, isConfirmed = false) {
    const controller = new AbortController()
    const { signal } = controller
    const options = { format, signal, isExcelSafe: isExcelSafe && format === 'csv' }
    const onProgress = (received: number) => setProgress({ received, controller })
    onProgress(0)
    try {
      const { estimateSize, saveRows } = await loadSaving()
      const size = isConfirmed ? 0 : await estimateSize(read, rows ?? 0, options)
      if (size < CONFIRM_ABOVE_BYTES) {
        const fileName = await saveRows(read, { ...options, name, onProgress })
        toast(`Saved ${rows === undefined ? 'all rows' : pluralize(rows, 'row')} to ${fileName}.`)
      } else setPendingLarge({ format, size })
    } catch (error) {
      toast(signal.aborted ? 'Export canceled.' : `Export failed. ${(error as Error).message}`)
    } finally {
      setProgress(undefined)
    }
  }
  const items = (
    <>
      <MenuSeparator />
      <MenuHeading>Export {rows === undefined ? 'all rows' : pluralize(rows, 'row')}, full texts</MenuHeading>
      {Object.entries(FORMATS).map(([format, name]) => (
        <MenuItem
          key={format}
          icon={FileDown}
          disabled={progress !== undefined}
          onClick={() => save(format as Format)}
        >
          {name}
        </MenuItem>
      ))}
      <label
        className={styles.option}
        data-tooltip="Changes the data: adds an apostrophe to cells that start with = + - @, a tab or a carriage return"
      >
        <input
          type="checkbox"
          checked={isExcelSafe}
          onChange={(event) => setIsExcelSafe(event.target.checked)}
        />
        Excel-safe CSV
      </label>
    </>
  )
  const status = (
    <>
      {progress && (
        <Button onClick={() => progress.controller.abort()}>
          Exporting, {formatBytes(progress.received)} <span className="muted">Cancel</span>
        </Button>
      )}
      {pendingLarge && (
        <ConfirmDialog
          title="Large export"
          buttonLabel="Export"
          onClose={() => setPendingLarge(undefined)}
          onConfirm={() => save(pendingLarge.format, true)}
        >
          <p>
            {pluralize(rows ?? 0, 'row')} as {FORMATS[pendingLarge.format]} are about{' '}
            {formatBytes(pendingLarge.size)}.
          </p>
        </ConfirmDialog>
      )}
    </>
  )
  return { items, status }
}
