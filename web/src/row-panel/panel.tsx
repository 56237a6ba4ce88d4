// The panel next to a table that shows one of its rows. It takes the focus when it opens, and restores it when it closes.
import { type ReactNode, useEffect, useRef } from 'react'
import styles from './panel.module.css'
import { PanelResizer, usePanelWidth } from './panel-resizer.tsx'

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
