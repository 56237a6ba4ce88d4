// A button that asks for files and imports them.
import { useRef } from 'react'
import styles from './import.module.css'
import { importChoices } from './import-choices.tsx'
import { upload } from './uploads.ts'

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
        className={styles.file}
        onChange={({ target }) => {
          upload([...(target.files ?? [])], importChoices())
          // The same file may be chosen again.
          target.value = ''
        }}
      />
    </>
  )
}
