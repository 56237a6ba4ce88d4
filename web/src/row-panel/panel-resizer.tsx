// Resizes the panel by dragging its edge or with the arrow keys. The width is stored in this browser.
import type { KeyboardEvent, PointerEvent } from 'react'
import { setPreference, usePreference } from '../state/preferences.ts'
import styles from './panel.module.css'

const PREFERENCE = 'panel'
/** In percent of the window. */
const WIDTH = { initial: 45, min: 25, max: 75 }
const STEP = 2

export function usePanelWidth(): number {
  const preferredWidth = Number(usePreference(PREFERENCE))
  return preferredWidth >= WIDTH.min && preferredWidth <= WIDTH.max ? preferredWidth : WIDTH.initial
}

function setWidth(width: number): void {
  const rounded = Math.round(Math.min(WIDTH.max, Math.max(WIDTH.min, width)) * 10) / 10
  setPreference(PREFERENCE, String(rounded))
}

export function PanelResizer({ width }: { width: number }) {
  function onKeyDown(event: KeyboardEvent) {
    const widths: Record<string, number> = {
      ArrowLeft: width + STEP,
      ArrowRight: width - STEP,
      Home: WIDTH.min,
      End: WIDTH.max,
    }
    const newWidth = widths[event.key]
    if (newWidth === undefined) return
    event.preventDefault()
    setWidth(newWidth)
  }
  function onPointerMove(event: PointerEvent) {
    if (event.currentTarget.hasPointerCapture(event.pointerId)) {
      setWidth((1 - event.clientX / innerWidth) * 100)
    }
  }
  return (
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label="Panel width"
      aria-valuenow={Math.round(width)}
      aria-valuemin={WIDTH.min}
      aria-valuemax={WIDTH.max}
      tabIndex={0}
      className={styles.resizer}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={onPointerMove}
    />
  )
}
