// One scenario beside the table it is a row of. Takes the focus when it opens, and gives it back.
import { useEffect, useRef } from 'react'
import type { Shown } from '../evaluation/shown.ts'
import { usePanelFrame } from './frame.ts'
import styles from './panel.module.css'
import { PanelEdge, usePanelWidth } from './panel-edge.tsx'
import { Scenario } from './scenario.tsx'

export function ScenarioPanel({ shown, scenario }: { shown: Shown; scenario: string }) {
  const panel = useRef<HTMLElement>(null)
  const width = usePanelWidth()
  const frame = usePanelFrame(shown.id, scenario)
  useEffect(() => {
    const opener = document.activeElement
    // A note that is to be written has it already.
    if (!panel.current?.contains(opener)) panel.current?.focus({ preventScroll: true })
    return () => giveFocusBack(opener)
  }, [])
  return (
    <aside
      ref={panel}
      aria-label="Scenario"
      tabIndex={-1}
      className={styles.panel}
      style={{ ['--width' as string]: `${width}%` }}
    >
      <PanelEdge width={width} />
      <Scenario shown={shown} id={scenario} frame={frame} />
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
