// What stands beside a table: one of its rows. Takes the focus when it opens, and gives it back.
import { type ReactNode, useEffect, useRef } from 'react'
import styles from './panel.module.css'
import { PanelEdge, usePanelWidth } from './panel-edge.tsx'

export function Panel({ label, children }: { label: string; children: ReactNode }) {
  const panel = useRef<HTMLElement>(null)
  const width = usePanelWidth()
  useEffect(() => {
    const opener = document.activeElement
    // Something to be written in it has the focus already.
    if (!panel.current?.contains(opener)) panel.current?.focus({ preventScroll: true })
    return () => giveFocusBack(opener)
  }, [])
  return (
    <aside
      ref={panel}
      aria-label={label}
      tabIndex={-1}
      className={styles.panel}
      style={{ ['--width' as string]: `${width}%` }}
    >
      <PanelEdge width={width} />
      {children}
    </aside>
  )
}

/** To whatever opened it, unless the table has taken it to the row that is the current one now. */
function giveFocusBack(opener: Element | null): void {
  requestAnimationFrame(() => {
    if (document.activeElement !== document.body) return
    if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
  })
}
