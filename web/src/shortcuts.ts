// Keys that act: each part of a page says what its own do while it is there. A panel's win over those of the page behind it.
import { useEffect, useRef } from 'react'
import { preference } from './preferences.ts'

/** From a key ('j', 'Enter', 'Shift+N' is just 'N') or two after each other ('g e') to what it does. */
export type Shortcuts = Record<string, (event: KeyboardEvent) => void>
type Layer = 'shell' | 'page' | 'panel'

interface Registered {
  layer: Layer
  shortcuts: () => Shortcuts
}

const LAYERS: Layer[] = ['panel', 'page', 'shell']
const SEQUENCE_MS = 1200
const registered = new Set<Registered>()
let first: { key: string; at: number } | undefined

export function useShortcuts(layer: Layer, shortcuts: Shortcuts): void {
  const latest = useRef(shortcuts)
  latest.current = shortcuts
  useEffect(() => {
    const entry = { layer, shortcuts: () => latest.current }
    registered.add(entry)
    return () => {
      registered.delete(entry)
    }
  }, [layer])
}

/** Single letters can be switched off: speech and stray keys press them. Named keys (Escape, arrows) stay. */
function areLettersOn(): boolean {
  return preference('letters') !== 'off'
}

export function listenForShortcuts(): void {
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.metaKey || event.altKey) return
    if (document.querySelector('dialog:modal')) return
    const { key } = event
    // The browser closes what is open above the page first.
    if (key === 'Escape' && document.querySelector(':popover-open')) return
    // Inside of an open menu keys belong to it.
    if (event.target instanceof Element && event.target.closest('[popover]')) return
    const isLetter = key.length === 1
    if (event.ctrlKey && isLetter) return
    if (isTyping(event.target) && key !== 'Escape') return
    if (isLetter && !areLettersOn()) return
    const name = event.ctrlKey ? `Ctrl+${key}` : key
    const before = first && event.timeStamp - first.at < SEQUENCE_MS ? `${first.key} ${name}` : undefined
    first = { key: name, at: event.timeStamp }
    const act = (before && find(before)) ?? find(name)
    if (!act) return
    event.preventDefault()
    act(event)
  })
}

function find(key: string): ((event: KeyboardEvent) => void) | undefined {
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
