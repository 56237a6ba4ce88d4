// A button that opens a file dialog and imports the selected files.
import { useRef } from 'react'
import { Button } from '../../../ui/button.tsx'
import styles from './import.module.css'
import { importSettings } from './import-settings.ts'
import { uploadFiles } from './send-files.ts'
import { useUploads } from './uploads.ts'

export function FileButton() {
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
          uploadFiles(target.files ?? [], importSettings())
          // Allows selecting the same file again.
          target.value = ''
        }}
      />
    </>
  )
}
