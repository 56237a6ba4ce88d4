// Keyboard shortcuts. Components register them while mounted; those of a panel take precedence over those of the page.
// One declaration is the shortcut, its line in the help, and its item in the palette.
import { useEffect, useRef } from 'react'
import { preference } from './preferences.ts'

/** What a key does. Without a label, it is not listed. Without `run`, the component handles the key itself. */
interface Shortcut {
  label: string
  run?: () => void
}

/** Maps a key ('j', 'Enter', 'N' for Shift+n), a sequence of two ('g e') or alternatives ('j, ArrowDown') to its action. */
export type Shortcuts = Record<string, Shortcut | (() => void)>
export type Layer = 'shell' | 'page' | 'panel'

interface ListedShortcut extends Shortcut {
  layer: Layer
  /** Empty for an action without a key. */
  keys: string[]
}

/** Actions without a key, by their labels. */
type Actions = Record<string, () => void>

interface Registered {
  layer: Layer
  current: () => { shortcuts: Shortcuts; actions: Actions }
}

const LAYERS: Layer[] = ['panel', 'page', 'shell']
const ALTERNATIVES = ', '
const SEQUENCE_MS = 1200
const IS_MAC = /mac|iphone|ipad/i.test(navigator.userAgent)
/** Opens the palette, also while typing. Cmd and k on a Mac. */
export const PALETTE_KEY = 'Ctrl+k'
const registered = new Set<Registered>()
let previousKey: { key: string; at: number } | undefined

const loadingPanels = new Set<object>()

/** Keys typed while a panel is loading are meant for it, so those of the page have no effect. */
export function useLoadingPanel(isLoading: boolean): void {
  useEffect(() => {
    if (!isLoading) return
    const panel = {}
    loadingPanels.add(panel)
    return () => {
      loadingPanels.delete(panel)
    }
  }, [isLoading])
}

/** `actions` have no key. The palette lists them too. */
export function useShortcuts(layer: Layer, shortcuts: Shortcuts, actions: Actions = {}): void {
  const latest = useRef({ shortcuts, actions })
  latest.current = { shortcuts, actions }
  useEffect(() => {
    const entry = { layer, current: () => latest.current }
    registered.add(entry)
    return () => {
      registered.delete(entry)
    }
  }, [layer])
}

/** The shortcuts with a label that are active now, and the actions without a key. Those of the panel come first. */
export function listShortcuts(): ListedShortcut[] {
  const handledKeys = new Set<string>()
  return LAYERS.flatMap((layer) =>
    activeShortcuts(layer).flatMap(({ keys, action }) => {
      const freeKeys = keys.filter((key) => !handledKeys.has(key))
      for (const key of keys) handledKeys.add(key)
      if (typeof action === 'function' || freeKeys.length < Math.min(1, keys.length)) return []
      return { ...action, layer, keys: freeKeys }
    }),
  )
}

function activeShortcuts(layer: Layer): { keys: string[]; action: Shortcuts[string] }[] {
  return [...registered]
    .filter((entry) => entry.layer === layer)
    .flatMap(({ current }) => [
      ...Object.entries(current().shortcuts).map(([keys, action]) => ({
        keys: keys.split(ALTERNATIVES),
        action,
      })),
      ...Object.entries(current().actions).map(([label, run]) => ({ keys: [], action: { label, run } })),
    ])
}

/** Single-letter shortcuts can be disabled, because speech input triggers them (WCAG 2.1.4). Named keys stay active. */
function areLettersEnabled(): boolean {
  return preference('letters') !== 'off'
}

export function listenForShortcuts(): void {
  document.addEventListener('keydown', (event) => {
    const key = pressedKey(event)
    if (key === undefined) return
    const sequence =
      previousKey && event.timeStamp - previousKey.at < SEQUENCE_MS ? `${previousKey.key} ${key}` : undefined
    previousKey = { key, at: event.timeStamp }
    const run = (sequence && findShortcut(sequence)) ?? findShortcut(key)
    if (!run) return
    event.preventDefault()
    run()
  })
}

/** The name of the key, or undefined if it belongs to the browser, a dialog, a menu or an input. */
function pressedKey(event: KeyboardEvent): string | undefined {
  const { key, target } = event
  if (event.defaultPrevented || event.altKey || document.querySelector('dialog:modal')) return undefined
  if (key.toLowerCase() === 'k' && (IS_MAC ? event.metaKey : event.ctrlKey)) return PALETTE_KEY
  if (event.metaKey) return undefined
  // The browser closes the open popover itself.
  if (key === 'Escape' && document.querySelector('[popover="auto"]:popover-open')) return undefined
  // Keys inside an open menu belong to the menu.
  if (target instanceof Element && target.closest('[popover]')) return undefined
  const isLetter = key.length === 1
  if (isLetter && (event.ctrlKey || !areLettersEnabled())) return undefined
  if (isTyping(target) && key !== 'Escape') return undefined
  return event.ctrlKey ? `Ctrl+${key}` : key
}

function findShortcut(key: string): (() => void) | undefined {
  const layers = loadingPanels.size > 0 ? LAYERS.slice(0, 1) : LAYERS
  for (const { keys, action } of layers.flatMap(activeShortcuts)) {
    const run = typeof action === 'function' ? action : action.run
    if (run && keys.includes(key)) return run
  }
  return undefined
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest('input:not([type="checkbox"]), textarea, select, [contenteditable]') !== null &&
    // A closed dialog can keep the focus until the next frame.
    target.closest('dialog:not([open])') === null
  )
}

const KEY_NAMES: Record<string, string> = {
  ArrowDown: 'Down',
  ArrowUp: 'Up',
  ArrowLeft: 'Left',
  ArrowRight: 'Right',
  PageDown: 'PgDn',
  PageUp: 'PgUp',
  Escape: 'Esc',
}

/** The label of a key for display: "Ctrl K", "Esc". */
export function keyLabel(key: string): string {
  if (key === PALETTE_KEY) return IS_MAC ? 'Cmd K' : 'Ctrl K'
  return KEY_NAMES[key] ?? key.replace('+', ' ')
}
