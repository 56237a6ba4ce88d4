// Keyboard shortcuts. Components register them while mounted; those of a panel take precedence over those of the page.
import { useEffect, useRef } from 'react'
import { preference } from './preferences.ts'

/** Maps a key ('j', 'Enter', 'N' for Shift+n) or a sequence of two ('g e') to its action. */
export type Shortcuts = Record<string, (event: KeyboardEvent) => void>
type Layer = 'shell' | 'page' | 'panel'

interface Registered {
  layer: Layer
  shortcuts: () => Shortcuts
}

const LAYERS: Layer[] = ['panel', 'page', 'shell']
const SEQUENCE_MS = 1200
const registered = new Set<Registered>()
let previousKey: { key: string; at: number } | undefined

export function useShortcuts(layer: Layer, shortcuts: Shortcuts): void {
  const latestShortcuts = useRef(shortcuts)
  latestShortcuts.current = shortcuts
  useEffect(() => {
    const entry = { layer, shortcuts: () => latestShortcuts.current }
    registered.add(entry)
    return () => {
      registered.delete(entry)
    }
  }, [layer])
}

/** Single-letter shortcuts can be disabled, because speech input triggers them (WCAG 2.1.4). Named keys stay active. */
function areLettersEnabled(): boolean {
  return preference('letters') !== 'off'
}

export function listenForShortcuts(): void {
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.metaKey || event.altKey) return
    if (document.querySelector('dialog:modal')) return
    const { key } = event
    // The browser closes the open popover itself.
    if (key === 'Escape' && document.querySelector(':popover-open')) return
    // Keys inside an open menu belong to the menu.
    if (event.target instanceof Element && event.target.closest('[popover]')) return
    const isLetter = key.length === 1
    if (event.ctrlKey && isLetter) return
    if (isTyping(event.target) && key !== 'Escape') return
    if (isLetter && !areLettersEnabled()) return
    const name = event.ctrlKey ? `Ctrl+${key}` : key
    const sequence =
      previousKey && event.timeStamp - previousKey.at < SEQUENCE_MS ? `${previousKey.key} ${name}` : undefined
    previousKey = { key: name, at: event.timeStamp }
    const act = (sequence && findShortcut(sequence)) ?? findShortcut(name)
    if (!act) return
    event.preventDefault()
    act(event)
  })
}

function findShortcut(key: string): ((event: KeyboardEvent) => void) | undefined {
  for (const layer of LAYERS) {
    for (const entry of registered) {
      const act = entry.layer === layer ? entry.shortcuts()[key] : undefined
      if (act) return act
    }
  }
  return undefined
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest('input:not([type="checkbox"]), textarea, select, [contenteditable]') !== null
  )
}
