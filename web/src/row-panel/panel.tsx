// The panel next to a table that shows one of its rows. It takes the focus when it opens, and restores it when it closes.
import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useRef } from 'react'
import { setPreference, usePreference } from '../state/preferences.ts'
import styles from './panel.module.css'

export function Panel({ label, children }: { label: string; children: ReactNode }) {
  const panel = useRef<HTMLElement>(null)
  const width = usePanelWidth()
  useEffect(() => {
    const opener = document.activeElement
    // A note editor in the panel can have the focus already.
    if (!panel.current?.contains(opener)) panel.current?.focus({ preventScroll: true })
    return () => restoreFocus(opener)
  }, [])
  return (
    <aside
      ref={panel}
      aria-label={label}
      tabIndex={-1}
      className={styles.panel}
      style={{ ['--width' as string]: `${width}%` }}
    >
      <PanelResizer width={width} />
      {children}
    </aside>
  )
}

/** Unless the table has moved the focus to the current row already. */
function restoreFocus(opener: Element | null): void {
  requestAnimationFrame(() => {
    if (document.activeElement !== document.body) return
    if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
  })
}

const PREFERENCE = 'panel'
/** In percent of the window. */
const WIDTH = { initial: 45, min: 25, max: 75 }
const STEP = 2

/** Resizes the panel by dragging its edge or with the arrow keys. The width is stored in this browser. */
function usePanelWidth(): number {
  const preferredWidth = Number(usePreference(PREFERENCE))
  return preferredWidth >= WIDTH.min && preferredWidth <= WIDTH.max ? preferredWidth : WIDTH.initial
}

function setWidth(width: number): void {
  const rounded = Math.round(Math.min(WIDTH.max, Math.max(WIDTH.min, width)) * 10) / 10
  setPreference(PREFERENCE, String(rounded))
}

function PanelResizer({ width }: { width: number }) {
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
