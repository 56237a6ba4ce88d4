// The tabs of a scenario, and how the texts in them are laid out.
import { type KeyboardEvent, useRef } from 'react'
import type { LayoutPreferences } from '../content/layout-preferences.ts'
import { SHAPES, type Shape, TABS, type Tab } from '../evaluation/view.ts'
import { LayoutSwitches } from './layout-switches.tsx'
import styles from './scenario.module.css'

const TAB_NAMES: Record<Tab, string> = {
  diff: 'Diff',
  output: 'Output',
  inputs: 'Inputs',
  results: 'Results',
  raw: 'Raw',
}
interface TabLineProps {
  tab: Tab
  shape: Shape
  layout: LayoutPreferences
  onTab: (tab: Tab) => void
}

export function TabLine({ tab, shape, layout, onTab }: TabLineProps) {
  const list = useRef<HTMLDivElement>(null)
  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    const next = step && TABS[(TABS.indexOf(tab) + step + TABS.length) % TABS.length]
    if (!next) return
    event.preventDefault()
    onTab(next)
    list.current?.querySelector<HTMLElement>(`#scenario-tab-${next}`)?.focus()
  }
  return (
    <div className={styles.tabLine}>
      <div ref={list} role="tablist" aria-label="Parts of the scenario" onKeyDown={onKeyDown}>
        {TABS.map((name, index) => (
          <button
            key={name}
            id={`scenario-tab-${name}`}
            type="button"
            role="tab"
            aria-selected={name === tab}
            aria-controls="scenario-tab"
            tabIndex={name === tab ? 0 : -1}
            title={`${TAB_NAMES[name]} (${index + 1})`}
            className={styles.tab}
            onClick={() => onTab(name)}
          >
            {TAB_NAMES[name]}
          </button>
        ))}
      </div>
      <LayoutSwitches shapes={shapesOf(tab)} shape={shape} layout={layout} hasSplit={tab === 'diff'} />
    </div>
  )
}

/** Marks of what differs stand between the characters, so Markdown is no choice there. */
function shapesOf(tab: Tab): readonly Shape[] {
  if (tab === 'results' || tab === 'raw') return []
  return tab === 'diff' ? ['text', 'json'] : SHAPES
}
