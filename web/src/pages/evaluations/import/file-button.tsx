// A button that opens a file dialog and imports the selected files.
import { useRef } from 'react'
import { Button } from '../../../ui/button.tsx'
import styles from './import.module.css'
import { importSettings } from './import-settings.ts'
import { uploadFiles } from './upload-files.ts'

export function FileButton() {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button variant="primary" onClick={() => input.current?.click()}>
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
