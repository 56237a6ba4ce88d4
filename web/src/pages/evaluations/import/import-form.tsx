// Imports files: the button, the options, the uploads and code examples; on an empty page, or in a dialog.
import { FileUp } from 'lucide'
import { Fragment, type ReactNode, useId, useRef, useState } from 'react'
import { useCanWrite, useKey } from '../../../api/key.ts'
import { SERVICE_URL } from '../../../state/base-path.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { ChoiceMenu } from '../../../ui/menus/choice-menu.tsx'
import { Dialog } from '../../../ui/messages/dialog.tsx'
import { Segments } from '../../../ui/tabs.tsx'
import styles from './import.module.css'
import { IMPORT_EXAMPLES, type ImportLanguage, importCode } from './import-code.ts'
import { UploadItems } from './report/upload-items.tsx'
import { uploadFiles } from './send-files.ts'
import { type ImportSettings, importSettings, isImportDialogOpen, useUploads } from './uploads.ts'

export function ImportForm() {
  const mayWrite = useCanWrite()
  const uploads = useUploads()
  return (
    <>
      {mayWrite ? (
        <>
          <div className={styles.dropZone}>
            <Icon icon={FileUp} />
            <p>
              <strong>Drop files anywhere on this page</strong>, or
            </p>
            <FileButton />
            {uploads.length === 0 && <Formats />}
          </div>
          {uploads.length > 0 && <UploadItems uploads={uploads} />}
          <details className={styles.disclosure}>
            <summary>Options</summary>
            <ImportOptions />
          </details>
        </>
      ) : (
        <p>
          <ReadOnlyHint />
        </p>
      )}
      <h3>Import from code</h3>
      <CodeExamples />
    </>
  )
}

/** The names of all formats: tools, tables, and our own. */
function Formats() {
  const labels = importFormats.map(([name, label]) => ({ name, label }))
  const isOwn = ({ name }: { name: string }) => ['scenarios', 'revisions'].includes(name)
  const isTable = ({ name }: { name: string }) => ['parquet', 'table'].includes(name)
  const groups = [
    ['Tools', labels.filter((format) => !isOwn(format) && !isTable(format))],
    ['Tables', labels.filter(isTable)],
    ['Assay', labels.filter(isOwn)],
  ] as const
  return (
    <div className={styles.formats}>
      <p>Detected automatically:</p>
      <dl>
        {groups.map(([group, formats]) => (
          <Fragment key={group}>
            <dt>{group}</dt>
            <dd>{formats.map(({ label }) => label.replace(`${group} `, '')).join(', ')}</dd>
          </Fragment>
        ))}
      </dl>
    </div>
  )
}

/** Empty until the key is loaded. */
function ReadOnlyHint() {
  const { data: key } = useKey()
  if (!key) return null
  return (
    <span className="muted">
      This key is read-only. To import, use a key with the <code>write</code> scope.
    </span>
  )
}

/** Code that imports a file. It contains the URL of this service, but never a key. */
function CodeExamples() {
  const [language, setLanguage] = useState<ImportLanguage>('python')
  const code = importCode(language, SERVICE_URL)
  const { label } = IMPORT_EXAMPLES.find(({ value }) => value === language) ?? IMPORT_EXAMPLES[0]
  return (
    <div className={styles.code}>
      <div>
        <Segments label="Language" options={IMPORT_EXAMPLES} value={language} onChange={setLanguage} />
        <CopyButton text={code}>
          Copy<span className="sr-only"> ({label})</span>
        </CopyButton>
      </div>
      <pre>{code}</pre>
      <p className="quiet">
        {language === 'python' && (
          <>
            Install the client from a checkout of Assay: <code>pip install ./python</code>.{' '}
          </>
        )}
        Set <code>ASSAY_KEY</code> to a key with the write scope:{' '}
        <code>assay keys create --scope read,write</code>
      </p>
    </div>
  )
}

/** A button that opens a file dialog and imports the selected files. */
function FileButton() {
  const input = useRef<HTMLInputElement>(null)
  // After an import, the primary button is the next step.
  const isFirst = !useUploads().some(({ report }) => report?.stored)
  return (
    <>
      <Button variant={isFirst ? 'primary' : 'secondary'} onClick={() => input.current?.click()}>
        Choose files…
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Files to import"
        className={styles.fileInput}
        onChange={({ target }) => {
          uploadFiles(target.files ?? [], importSettings.get())
          // Allows selecting the same file again.
          target.value = ''
        }}
      />
    </>
  )
}

export function ImportDialog() {
  return (
    <Dialog title="Import results" isWide onClose={() => isImportDialogOpen.set(false)}>
      <ImportForm />
    </Dialog>
  )
}

/** Name and label of each importer. vite.config.ts inserts the list of the service. */
declare const IMPORT_FORMATS: readonly (readonly [name: string, label: string])[]
/** The form for import options: format, evaluation id, changed rows, invalid records, dry run. */
const importFormats = IMPORT_FORMATS

const CONFLICT_CHOICES = [
  ['', 'Reject the file'],
  ['replace', 'Replace the stored row'],
  ['skip', 'Keep the stored row'],
  ['replace_all', 'Replace all rows'],
] as const

function ImportOptions() {
  const { format, evaluation, on_conflict, skip_invalid, dry_run } = importSettings.use()
  return (
    <div className={styles.options}>
      <Choice
        title="Format"
        value={format ?? ''}
        options={[['', 'Detect automatically'], ...importFormats]}
        onSelect={(value) => changeSettings({ format: (value || undefined) as ImportSettings['format'] })}
      />
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
      <Choice
        title="If a row has changed"
        value={on_conflict ?? ''}
        options={CONFLICT_CHOICES}
        onSelect={(value) =>
          changeSettings({ on_conflict: (value || undefined) as ImportSettings['on_conflict'] })
        }
      />
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

interface ChoiceProps {
  title: string
  value: string
  options: readonly (readonly [value: string, name: string])[]
  onSelect: (value: string) => void
}

function Choice({ title, value, options, onSelect }: ChoiceProps) {
  return (
    <div className={styles.field}>
      <span aria-hidden="true">{title}</span>
      <ChoiceMenu
        title={title}
        value={value}
        options={options.map(([value, name]) => ({ value, name }))}
        onSelect={onSelect}
      />
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
