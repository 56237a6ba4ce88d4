// The items that start an export, its progress, and the confirmation of large exports.
import { FileDown } from 'lucide'
import { formatBytes, pluralize } from '../format/numbers.ts'
import { Button } from '../ui/button.tsx'
import { MenuHeading, MenuItem, MenuSeparator } from '../ui/menus/menu.tsx'
import { ConfirmDialog } from '../ui/messages/dialog.tsx'
import { toast } from '../ui/messages/toasts.tsx'
import styles from './export.module.css'
import type { ExportedRows, ExportState } from './save-rows.ts'
import { estimateSize, type Format, saveRows } from './save-rows.ts'

const FORMATS: Record<Format, string> = { csv: 'CSV', ndjson: 'NDJSON', json: 'JSON' }
/** Larger exports need a confirmation. */
const CONFIRM_ABOVE_BYTES = 50_000_000

interface ExportProps {
  exportedRows: ExportedRows
  state: ExportState
  onChange: (change: ExportState) => void
}

/** The returned function asks for confirmation if the file is large, unless `isConfirmed`. */
function createSave({
  exportedRows: { rows, name, read },
  state: { isExcelSafe = false },
  onChange,
}: ExportProps) {
  return async function save(format: Format, isConfirmed = false) {
    const controller = new AbortController()
    const { signal } = controller
    const options = { format, signal, isExcelSafe: isExcelSafe && format === 'csv' }
    const onProgress = (received: number) => onChange({ progress: { received, controller } })
    onProgress(0)
    try {
      const size = isConfirmed ? 0 : await estimateSize(read, rows ?? 0, options)
      if (size < CONFIRM_ABOVE_BYTES) {
        const fileName = await saveRows(read, { ...options, name, onProgress })
        toast(`Saved ${rows === undefined ? 'all rows' : pluralize(rows, 'row')} to ${fileName}.`)
      } else onChange({ pendingLarge: { format, size } })
    } catch (error) {
      toast(signal.aborted ? 'Export canceled.' : `Export failed. ${(error as Error).message}`)
    } finally {
      onChange({ progress: undefined })
    }
  }
}

export function ExportItems(props: ExportProps) {
  const { rows } = props.exportedRows
  const { isExcelSafe = false, progress } = props.state
  const save = createSave(props)
  return (
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
          onChange={(event) => props.onChange({ isExcelSafe: event.target.checked })}
        />
        Excel-safe CSV
      </label>
    </>
  )
}

export function ExportStatus(props: ExportProps) {
  const { progress, pendingLarge } = props.state
  const save = createSave(props)
  return (
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
          onClose={() => props.onChange({ pendingLarge: undefined })}
          onConfirm={() => save(pendingLarge.format, true)}
        >
          <p>
            {pluralize(props.exportedRows.rows ?? 0, 'row')} as {FORMATS[pendingLarge.format]} are about{' '}
            {formatBytes(pendingLarge.size)}.
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}
