// The tabs of a scenario, and the layout settings for texts.
import { type KeyboardEvent, useRef } from 'react'
import type { LayoutPreferences } from '../../content/text-layout.tsx'
import { LayoutSwitches } from '../../content/text-layout.tsx'
import { TABS, type Tab } from '../../evaluation-state/search-params.ts'
import styles from '../../row-panel/row-panel.module.css'
import { TEXT_FORMATS, type TextFormat } from '../../state/row-params.ts'

export const TAB_NAMES: Record<Tab, string> = {
  diff: 'Diff',
  output: 'Output',
  inputs: 'Inputs',
  results: 'Results',
  raw: 'Raw',
}
interface TabBarProps {
  tab: Tab
  textFormat: TextFormat
  layout: LayoutPreferences
  onTab: (tab: Tab) => void
}

export function TabBar({ tab, textFormat, layout, onTab }: TabBarProps) {
  const list = useRef<HTMLDivElement>(null)
  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    const nextTab = step && TABS[(TABS.indexOf(tab) + step + TABS.length) % TABS.length]
    if (!nextTab) return
    event.preventDefault()
    onTab(nextTab)
    list.current?.querySelector<HTMLElement>(`#scenario-tab-${nextTab}`)?.focus()
  }
  return (
    <div className={styles.tabBar}>
      <div ref={list} role="tablist" aria-label="Scenario" onKeyDown={onKeyDown}>
        {TABS.map((name, index) => (
          <button
            key={name}
            id={`scenario-tab-${name}`}
            type="button"
            role="tab"
            aria-selected={name === tab}
            aria-controls="scenario-tab"
            tabIndex={name === tab ? 0 : -1}
            data-tooltip={TAB_NAMES[name]}
            data-shortcut={String(index + 1)}
            className={styles.tab}
            onClick={() => onTab(name)}
          >
            {TAB_NAMES[name]}
          </button>
        ))}
      </div>
      <LayoutSwitches
        formats={formatsOf(tab)}
        textFormat={textFormat}
        layout={layout}
        hasSplit={tab === 'diff'}
      />
    </div>
  )
}

/** A diff marks characters, so it cannot render Markdown. */
function formatsOf(tab: Tab): readonly TextFormat[] {
  if (tab === 'results' || tab === 'raw') return []
  return tab === 'diff' ? ['text', 'json'] : TEXT_FORMATS
}
