// The form for import options: format, evaluation id, changed rows, invalid records, dry run.
import { type ReactNode, useId } from 'react'
import styles from './import.module.css'
import { type ImportSettings, importSettings } from './uploads.ts'

/** Name and label of each importer. vite.config.ts inserts the list of the service. */
declare const IMPORT_FORMATS: readonly (readonly [name: string, label: string])[]
export const importFormats = IMPORT_FORMATS

export function ImportOptions() {
  const { format, evaluation, on_conflict, skip_invalid, dry_run } = importSettings.use()
  return (
    <div className={styles.options}>
      <Field label="Format">
        {(id) => (
          <select
            id={id}
            value={format ?? ''}
            onChange={({ target }) =>
              changeSettings({ format: (target.value || undefined) as ImportSettings['format'] })
            }
          >
            <option value="">Detect automatically</option>
            {importFormats.map(([name, label]) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label="Evaluation id">
        {(id) => (
          <input
            id={id}
            spellCheck={false}
            placeholder="from the file"
            value={evaluation ?? ''}
            onChange={({ target }) => changeSettings({ evaluation: target.value || undefined })}
          />
        )}
      </Field>
      <Field label="If a row has changed">
        {(id) => (
          <select
            id={id}
            value={on_conflict ?? ''}
            onChange={({ target }) =>
              changeSettings({ on_conflict: (target.value || undefined) as ImportSettings['on_conflict'] })
            }
          >
            <option value="">Reject the file</option>
            <option value="replace">Replace the stored row</option>
            <option value="skip">Keep the stored row</option>
            <option value="replace_all">Replace all rows</option>
          </select>
        )}
      </Field>
      <label>
        <input
          type="checkbox"
          checked={skip_invalid ?? false}
          onChange={({ target }) => changeSettings({ skip_invalid: target.checked || undefined })}
        />
        Skip invalid records
      </label>
      <label>
        <input
          type="checkbox"
          checked={dry_run ?? false}
          onChange={({ target }) => changeSettings({ dry_run: target.checked || undefined })}
        />
        Dry run
      </label>
    </div>
  )
}

function Field({ label, children }: { label: string; children: (id: string) => ReactNode }) {
  const id = useId()
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {children(id)}
    </div>
  )
}

function changeSettings(change: ImportSettings): void {
  importSettings.set({ ...importSettings.get(), ...change })
}
