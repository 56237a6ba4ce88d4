// Imports files that are dropped anywhere on the page.
import { useEffect, useState } from 'react'
import styles from './import.module.css'
import { uploadFiles } from './send-files.ts'
import { importSettings } from './uploads.ts'

export function DropTarget() {
  const [isDragging, setIsDragging] = useState(false)
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    function onDrag(event: DragEvent) {
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'copy'
      setIsDragging(true)
    }
    function onLeave(event: DragEvent) {
      // Moving between elements also fires dragleave, with a related target.
      if (event.relatedTarget === null) setIsDragging(false)
    }
    function onDrop(event: DragEvent) {
      setIsDragging(false)
      const files = event.dataTransfer?.files
      if (!files || files.length === 0) return
      event.preventDefault()
      uploadFiles(files, importSettings.get())
    }
    window.addEventListener('dragenter', onDrag, { signal })
    window.addEventListener('dragover', onDrag, { signal })
    window.addEventListener('dragleave', onLeave, { signal })
    window.addEventListener('drop', onDrop, { signal })
    return () => controller.abort()
  }, [])
  return isDragging && <div className={styles.dropOverlay}>Drop to import</div>
}
