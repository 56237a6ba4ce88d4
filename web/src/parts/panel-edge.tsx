// The edge of the panel, to be dragged, or moved with the arrow keys. Its place is kept in this browser.
import type { KeyboardEvent, PointerEvent } from 'react'
import { setPreference, usePreference } from '../preferences.ts'
import styles from './panel.module.css'

const PREFERENCE = 'panel'
const WIDTH = { usual: 45, least: 25, most: 75 }
const STEP = 2

/** In percent of the window. */
export function usePanelWidth(): number {
  const preferred = Number(usePreference(PREFERENCE))
  return preferred >= WIDTH.least && preferred <= WIDTH.most ? preferred : WIDTH.usual
}

function setWidth(width: number): void {
  const rounded = Math.round(Math.min(WIDTH.most, Math.max(WIDTH.least, width)) * 10) / 10
  setPreference(PREFERENCE, String(rounded))
}

export function PanelEdge({ width }: { width: number }) {
  function onKeyDown(event: KeyboardEvent) {
    const widths: Record<string, number> = {
      ArrowLeft: width + STEP,
      ArrowRight: width - STEP,
      Home: WIDTH.least,
      End: WIDTH.most,
    }
    const next = widths[event.key]
    if (next === undefined) return
    event.preventDefault()
    setWidth(next)
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
      aria-label="Width of the panel"
      aria-valuenow={Math.round(width)}
      aria-valuemin={WIDTH.least}
      aria-valuemax={WIDTH.most}
      tabIndex={0}
      className={styles.edge}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={onPointerMove}
    />
  )
}
