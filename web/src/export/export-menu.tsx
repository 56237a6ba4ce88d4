// The menu that exports all rows of the view, with their full texts.
import { useId, useState } from 'react'
import { lazyModule } from '../api/lazy-modules.ts'
import { formatBytes, pluralize } from '../format/numbers.ts'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { Menu } from '../ui/menu.tsx'
import { toast } from '../ui/toasts.tsx'
import styles from './export-menu.module.css'
import type { Format, ReadRows } from './save-rows.ts'

const FORMATS: Record<Format, string> = { csv: 'CSV', ndjson: 'NDJSON', json: 'JSON' }
/** Larger exports need a confirmation. */
const CONFIRM_ABOVE_BYTES = 50_000_000

const loadSaving = lazyModule(() => import('./save-rows.ts'))

interface ExportMenuProps {
  /** The number of rows, once loaded. */
  rows: number | undefined
  /** The name of the file, without extension. */
  name: string
  read: ReadRows
}

export function ExportMenu({ rows, name, read }: ExportMenuProps) {
  const [isExcelSafe, setIsExcelSafe] = useState(false)
  const [progress, setProgress] = useState<{ received: number; controller: AbortController }>()
  const [pendingLarge, setPendingLarge] = useState<{ format: Format; size: number }>()
  const id = useId()

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
  return (
    <>
      {progress ? (
        <button type="button" onClick={() => progress.controller.abort()}>
          Exporting, {formatBytes(progress.received)} <span className="muted">Cancel</span>
        </button>
      ) : (
        <Menu label="Export view">
          <p className={styles.line}>
            {rows === undefined ? 'All rows' : `All ${pluralize(rows, 'row')}`}, full text
          </p>
          <div className="options">
            {Object.entries(FORMATS).map(([format, name]) => (
              <button key={format} type="button" className="plain" onClick={() => save(format as Format)}>
                {name}
              </button>
            ))}
          </div>
          <p className={styles.line}>
            <input
              id={id}
              type="checkbox"
              checked={isExcelSafe}
              onChange={(event) => setIsExcelSafe(event.target.checked)}
            />
            <label
              htmlFor={id}
              title="Changes the data: adds an apostrophe to cells that start with = + - @, a tab or a carriage return"
            >
              Excel-safe CSV
            </label>
          </p>
        </Menu>
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
}
