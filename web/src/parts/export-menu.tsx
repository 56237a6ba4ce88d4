// The rows of the view as a file: all of them, whole.
import { type ChangeEvent, useId, useRef, useState } from 'react'
import { bytes, counted } from '../format/numbers.ts'
import { toast } from '../shell/toasts.tsx'
import styles from './export-menu.module.css'
import { Menu } from './menu.tsx'
import question from './question.module.css'

export type Format = 'json' | 'ndjson' | 'csv'
const FORMATS: Record<Format, string> = { csv: 'CSV', ndjson: 'NDJSON', json: 'JSON' }
/** From here on one is asked first. */
const LARGE = 50_000_000

interface UnderWay {
  /** How many bytes have arrived. */
  received: number
  stop: AbortController
}

export interface Saving {
  format: Format
  /** Cells of a CSV that begin like a formula get an apostrophe. */
  isGuarded: boolean
  signal: AbortSignal
  /** Is told how many bytes have arrived. */
  onProgress: (received: number) => void
}

interface ExportMenuProps {
  /** How many there are, once that is known. */
  rows: number | undefined
  /** About how many bytes the file will have. */
  estimate: (format: Format, signal: AbortSignal) => Promise<number>
  save: (saving: Saving) => Promise<void>
}

export function ExportMenu({ rows, estimate, save: saveAs }: ExportMenuProps) {
  const [isGuarded, setIsGuarded] = useState(false)
  const [underWay, setUnderWay] = useState<UnderWay>()
  const [large, setLarge] = useState<{ format: Format; size: number }>()
  const dialog = useRef<HTMLDialogElement>(null)

  async function run(act: (stop: AbortController) => Promise<void>) {
    const stop = new AbortController()
    setUnderWay({ received: 0, stop })
    try {
      await act(stop)
    } catch (error) {
      toast(
        stop.signal.aborted ? 'The export was cancelled.' : `The export failed. ${(error as Error).message}`,
      )
    } finally {
      setUnderWay(undefined)
    }
  }
  const save = (format: Format, stop: AbortController) =>
    saveAs({
      format,
      isGuarded: isGuarded && format === 'csv',
      signal: stop.signal,
      onProgress: (received) => setUnderWay({ received, stop }),
    })
  const choose = (format: Format) =>
    run(async (stop) => {
      const size = await estimate(format, stop.signal)
      if (size < LARGE) return save(format, stop)
      setLarge({ format, size })
      dialog.current?.showModal()
    })
  return (
    <>
      {underWay ? (
        <button type="button" onClick={() => underWay.stop.abort()}>
          Exporting, {bytes(underWay.received)} <span className="soft">Cancel</span>
        </button>
      ) : (
        <Menu label="Export view">
          <p className={styles.said}>
            {rows === undefined ? 'All rows' : `All ${counted(rows, 'row')}`}, whole
          </p>
          <div className="options">
            {Object.entries(FORMATS).map(([format, name]) => (
              <button key={format} type="button" className="plain" onClick={() => choose(format as Format)}>
                {name}
              </button>
            ))}
          </div>
          <Guard isOn={isGuarded} onChange={(event) => setIsGuarded(event.target.checked)} />
        </Menu>
      )}
      <dialog ref={dialog} aria-label="A large export" className={question.question}>
        {large && (
          <form method="dialog" onSubmit={() => run((stop) => save(large.format, stop))}>
            <h2>A large export</h2>
            <p>
              {counted(rows ?? 0, 'row')} as {FORMATS[large.format]} are about {bytes(large.size)}.
            </p>
            <div className={question.answers}>
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

interface GuardProps {
  isOn: boolean
  onChange: (event: ChangeEvent<HTMLInputElement>) => void
}

function Guard({ isOn, onChange }: GuardProps) {
  const id = useId()
  return (
    <p className={styles.said}>
      <input id={id} type="checkbox" checked={isOn} onChange={onChange} />
      <label
        htmlFor={id}
        title="Changes the data: cells that begin with = + - @ get an apostrophe before them"
      >
        Excel-safe CSV
      </label>
    </p>
  )
}
