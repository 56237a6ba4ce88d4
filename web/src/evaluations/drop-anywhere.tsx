// A file may be dropped anywhere on the page.
import { useEffect, useState } from 'react'
import styles from './import.module.css'
import { importChoices } from './import-choices.tsx'
import { upload } from './uploads.ts'

export function DropAnywhere() {
  const [isOver, setIsOver] = useState(false)
  useEffect(() => {
    const listening = new AbortController()
    const { signal } = listening
    function onDrag(event: DragEvent) {
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'copy'
      setIsOver(true)
    }
    function onLeave(event: DragEvent) {
      // From one element to another is not out of the window.
      if (event.relatedTarget === null) setIsOver(false)
    }
    function onDrop(event: DragEvent) {
      setIsOver(false)
      const files = event.dataTransfer?.files
      if (!files || files.length === 0) return
      event.preventDefault()
      upload(files, importChoices())
    }
    window.addEventListener('dragenter', onDrag, { signal })
    window.addEventListener('dragover', onDrag, { signal })
    window.addEventListener('dragleave', onLeave, { signal })
    window.addEventListener('drop', onDrop, { signal })
    return () => listening.abort()
  }, [])
  return isOver && <div className={styles.over}>Drop to import</div>
}
