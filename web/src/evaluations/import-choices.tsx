// How files are taken in, for those who need to say more than the file does.
import { type ReactNode, useId, useSyncExternalStore } from 'react'
import styles from './import.module.css'
import type { ImportChoices } from './uploads.ts'

const FORMATS: Record<NonNullable<ImportChoices['format']>, string> = {
  promptfoo: 'promptfoo',
  inspect: 'Inspect',
  deepeval: 'DeepEval',
  'lm-eval': 'lm-evaluation-harness',
  phoenix: 'Phoenix',
  openai: 'OpenAI evaluations',
  table: 'CSV, TSV or flat JSON',
  scenarios: 'Assay: scenarios',
  revisions: 'Assay: revisions',
}

let choices: ImportChoices = {}
const listeners = new Set<() => void>()

/** For whoever takes a file: the form, or the page that one is dropped on. */
export function importChoices(): ImportChoices {
  return choices
}

function choose(change: ImportChoices): void {
  choices = { ...choices, ...change }
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function ImportOptions() {
  const { format, evaluation, skip_invalid, dry_run } = useSyncExternalStore(subscribe, importChoices)
  return (
    <div className={styles.options}>
      <Field label="Format">
        {(id) => (
          <select
            id={id}
            value={format ?? ''}
            onChange={({ target }) =>
              choose({ format: (target.value || undefined) as ImportChoices['format'] })
            }
          >
            <option value="">found out by the content</option>
            {Object.entries(FORMATS).map(([value, name]) => (
              <option key={value} value={value}>
                {name}
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
            placeholder="as the file says"
            value={evaluation ?? ''}
            onChange={({ target }) => choose({ evaluation: target.value || undefined })}
          />
        )}
      </Field>
      <label>
        <input
          type="checkbox"
          checked={skip_invalid ?? false}
          onChange={({ target }) => choose({ skip_invalid: target.checked || undefined })}
        />
        Leave out records that cannot be kept
      </label>
      <label>
        <input
          type="checkbox"
          checked={dry_run ?? false}
          onChange={({ target }) => choose({ dry_run: target.checked || undefined })}
        />
        Only look, store nothing
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
