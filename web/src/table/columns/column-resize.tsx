// Resizes a column by dragging the edge of its header. The menu of the column does the same for the keyboard.
import type { PointerEvent } from 'react'
import { limitWidth } from './column-layout.ts'
import styles from './column-resize.module.css'

export interface ColumnResize {
  /** Shows a width while it is dragged. */
  preview: (columnIndex: number, px: number) => void
  /** Stores a width, or removes it. */
  store: (columnKey: string, px: number | undefined) => void
}

interface ResizeHandleProps {
  columnKey: string
  columnIndex: number
  resize: ColumnResize
}

export function ResizeHandle({ columnKey, columnIndex, resize }: ResizeHandleProps) {
  function startDrag(event: PointerEvent<HTMLElement>): void {
    if (event.button !== 0) return
    event.preventDefault()
    const handle = event.currentTarget
    const startWidth = handle.parentElement?.offsetWidth ?? 0
    const startX = event.clientX
    let width: number | undefined
    const onMove = (move: globalThis.PointerEvent) => {
      width = limitWidth(startWidth + move.clientX - startX)
      resize.preview(columnIndex, width)
    }
    handle.setPointerCapture(event.pointerId)
    handle.addEventListener('pointermove', onMove)
    handle.addEventListener(
      'lostpointercapture',
      () => {
        handle.removeEventListener('pointermove', onMove)
        if (width !== undefined) resize.store(columnKey, width)
      },
      { once: true },
    )
  }
  return (
    <span
      aria-hidden="true"
      data-resize={columnKey}
      className={styles.handle}
      onPointerDown={startDrag}
      onDoubleClick={() => resize.store(columnKey, undefined)}
    />
  )
}
