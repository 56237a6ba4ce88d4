// The menu that exports all rows of the view, with their full texts.
import { type ChangeEvent, useId, useRef, useState } from 'react'
import { formatBytes, pluralize } from '../format/numbers.ts'
import confirmation from '../ui/confirmation.module.css'
import { Menu } from '../ui/menu.tsx'
import { toast } from '../ui/toasts.tsx'
import styles from './export-menu.module.css'

export type Format = 'json' | 'ndjson' | 'csv'
const FORMATS: Record<Format, string> = { csv: 'CSV', ndjson: 'NDJSON', json: 'JSON' }
/** Larger exports need a confirmation. */
const CONFIRM_ABOVE_BYTES = 50_000_000

interface ExportProgress {
  /** Bytes received. */
  received: number
  controller: AbortController
}

export interface ExportOptions {
  format: Format
  /** Adds an apostrophe to CSV cells that start like a formula. */
  isExcelSafe: boolean
  signal: AbortSignal
  /** Called with the number of bytes received. */
  onProgress: (received: number) => void
}

interface ExportMenuProps {
  /** The number of rows, once loaded. */
  rows: number | undefined
  /** Estimates the size of the file in bytes. */
  estimate: (format: Format, signal: AbortSignal) => Promise<number>
  save: (options: ExportOptions) => Promise<void>
}

export function ExportMenu({ rows, estimate, save: saveRows }: ExportMenuProps) {
  const [isExcelSafe, setIsExcelSafe] = useState(false)
  const [progress, setProgress] = useState<ExportProgress>()
  const [pendingLarge, setPendingLarge] = useState<{ format: Format; size: number }>()
  const dialog = useRef<HTMLDialogElement>(null)

  async function run(exportRows: (controller: AbortController) => Promise<void>) {
    const controller = new AbortController()
    setProgress({ received: 0, controller })
    try {
      await exportRows(controller)
    } catch (error) {
      toast(controller.signal.aborted ? 'Export canceled.' : `Export failed. ${(error as Error).message}`)
    } finally {
      setProgress(undefined)
    }
  }
  const save = (format: Format, controller: AbortController) =>
    saveRows({
      format,
      isExcelSafe: isExcelSafe && format === 'csv',
      signal: controller.signal,
      onProgress: (received) => setProgress({ received, controller }),
    })
  const choose = (format: Format) =>
    run(async (controller) => {
      const size = await estimate(format, controller.signal)
      if (size < CONFIRM_ABOVE_BYTES) return save(format, controller)
      setPendingLarge({ format, size })
      dialog.current?.showModal()
    })
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
              <button key={format} type="button" className="plain" onClick={() => choose(format as Format)}>
                {name}
              </button>
            ))}
          </div>
          <ExcelSafeCheckbox isOn={isExcelSafe} onChange={(event) => setIsExcelSafe(event.target.checked)} />
        </Menu>
      )}
      <dialog ref={dialog} aria-label="Large export" className={confirmation.dialog}>
        {pendingLarge && (
          <form method="dialog" onSubmit={() => run((controller) => save(pendingLarge.format, controller))}>
            <h2>Large export</h2>
            <p>
              {pluralize(rows ?? 0, 'row')} as {FORMATS[pendingLarge.format]} are about{' '}
              {formatBytes(pendingLarge.size)}.
            </p>
            <div className={confirmation.buttons}>
              <button type="button" onClick={() => dialog.current?.close()}>
                Cancel
              </button>
              <button type="submit" className="primary">
                Export
              </button>
            </div>
          </form>
        )}
      </dialog>
    </>
  )
}

interface ExcelSafeCheckboxProps {
  isOn: boolean
  onChange: (event: ChangeEvent<HTMLInputElement>) => void
}

function ExcelSafeCheckbox({ isOn, onChange }: ExcelSafeCheckboxProps) {
  const id = useId()
  return (
    <p className={styles.line}>
      <input id={id} type="checkbox" checked={isOn} onChange={onChange} />
      <label htmlFor={id} title="Changes the data: adds an apostrophe to cells that start with = + - or @">
        Excel-safe CSV
      </label>
    </p>
  )
}
