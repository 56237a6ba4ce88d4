// Links over the columns of a plot: values on hover and focus. One tab stop, and arrow keys between the columns.
import { type KeyboardEvent, type MouseEvent, useState } from 'react'
import styles from './charts.module.css'
import type { PlotLayout } from './plot-layout.ts'

interface PlotTarget {
  column: number
  href: string
  /** What the point shows, one line each. */
  lines: readonly string[]
}

interface PlotTargetsProps {
  /** What the links are, for screen readers. */
  label: string
  targets: readonly PlotTarget[]
  layout: PlotLayout
  /** Called for a click without modifier keys, instead of the browser's navigation. */
  onOpen: (href: string) => void
}

/** Plain links, because rendering hundreds of router links is noticeably slow. */
export function PlotTargets({ label, targets, layout, onOpen }: PlotTargetsProps) {
  const { area, columnWidth, xOf } = layout
  const [tabStop, setTabStop] = useState<number>()
  const tabStopIndex = Math.min(tabStop ?? targets.length - 1, targets.length - 1)
  const moveFocus = (event: KeyboardEvent<HTMLElement>) => {
    const steps: Record<string, number> = {
      ArrowLeft: tabStopIndex - 1,
      ArrowRight: tabStopIndex + 1,
      Home: 0,
      End: targets.length - 1,
    }
    const nextIndex = steps[event.key]
    if (nextIndex === undefined) return
    event.preventDefault()
    event.currentTarget.querySelectorAll('a')[nextIndex]?.focus()
  }
  const open = (event: MouseEvent<HTMLElement>) => {
    const href = (event.target as Element).closest('a')?.getAttribute('href')
    // With a modifier key the browser opens a new tab or window.
    if (!href || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    onOpen(href)
  }
  return (
    <div role="group" aria-label={label} className={styles.targets} onKeyDown={moveFocus} onClick={open}>
      {targets.map(({ column, href, lines }, index) => (
        // biome-ignore lint/a11y/useAnchorContent: it has a label
        <a
          key={column}
          href={href}
          tabIndex={index === tabStopIndex ? 0 : -1}
          aria-label={lines.join(', ')}
          data-tooltip={lines.join('\n')}
          style={{
            left: xOf(column) - columnWidth / 2,
            width: columnWidth,
            top: area.top - 8,
            height: area.bottom - area.top + 36,
          }}
          onFocus={() => setTabStop(index)}
        />
      ))}
    </div>
  )
}
