// A button that opens a file dialog and imports the selected files.
import { useRef } from 'react'
import styles from './import.module.css'
import { importSettings } from './import-options.tsx'
import { uploadFiles } from './upload-files.ts'

export function FileButton({ className }: { className?: string }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <button type="button" className={className} onClick={() => input.current?.click()}>
        Choose files…
      </button>
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
