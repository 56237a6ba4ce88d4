// The tabs of a scenario, and how the texts in them are laid out.
import { type KeyboardEvent, useRef } from 'react'
import { SHAPES, type Shape, TABS, type Tab } from '../evaluation/view.ts'
import type { LayoutPreferences } from './layout-preferences.ts'
import styles from './scenario.module.css'

const TAB_NAMES: Record<Tab, string> = {
  diff: 'Diff',
  output: 'Output',
  inputs: 'Inputs',
  results: 'Results',
  raw: 'Raw',
}
const SHAPE_NAMES: Record<Shape, [name: string, title: string]> = {
  text: ['text', 'Exactly as it was written (t)'],
  markdown: ['md', 'As Markdown (m)'],
  json: ['json', 'As JSON (r)'],
}

interface TabLineProps {
  tab: Tab
  shape: Shape
  layout: LayoutPreferences
  onTab: (tab: Tab) => void
  onShape: (shape: Shape) => void
}

export function TabLine({ tab, shape, layout, onTab, onShape }: TabLineProps) {
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
      <div className={styles.switches}>
        {tab !== 'results' && tab !== 'raw' && (
          <div role="group" aria-label="Show texts as" className={styles.joined}>
            {SHAPES.filter((name) => tab !== 'diff' || name !== 'markdown').map((name) => (
              <button
                key={name}
                type="button"
                aria-pressed={name === shape || (tab === 'diff' && name === 'text' && shape === 'markdown')}
                title={SHAPE_NAMES[name][1]}
                onClick={() => onShape(name)}
              >
                {SHAPE_NAMES[name][0]}
              </button>
            ))}
          </div>
        )}
        <button
          type="button"
          aria-pressed={layout.isWrapped}
          title="Wrap long lines (w)"
          onClick={layout.switchWrap}
        >
          wrap
        </button>
        {tab === 'diff' && (
          <button
            type="button"
            aria-pressed={layout.isSplit}
            title="Side by side, or one below the other (s)"
            onClick={layout.switchSplit}
          >
            split
          </button>
        )}
      </div>
    </div>
  )
}
