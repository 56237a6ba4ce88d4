// Tooltips: an element with data-tooltip shows its text on hover and on keyboard focus, with the key in data-shortcut.
// One element for the whole page, so that a table with thousands of cells needs no component per cell.
import { useEffect, useRef } from 'react'
import { placeNextTo } from './menus/placement.ts'
import styles from './tooltip.module.css'

const HOVER_DELAY_MS = 350

export function Tooltips() {
  const tooltip = useRef<HTMLDivElement>(null)
  useEffect(() => showTooltips(tooltip.current as HTMLElement), [])
  return <div ref={tooltip} popover="manual" role="tooltip" className={styles.tooltip} />
}

/** Shows the tooltips of the page in this element. Returns a function that stops it. */
function showTooltips(tooltip: HTMLElement): () => void {
  const listeners = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  /** Its tooltip is visible, or will be soon. */
  let anchor: HTMLElement | null | undefined
  const hide = () => {
    clearTimeout(timer)
    anchor = undefined
    tooltip.hidePopover()
  }
  const show = () => {
    if (!anchor?.isConnected) return
    const { tooltip: text, shortcut } = anchor.dataset
    if (!text) return
    tooltip.textContent = text
    if (shortcut) tooltip.appendChild(document.createElement('kbd')).textContent = shortcut
    tooltip.showPopover()
    placeNextTo(tooltip, anchor)
  }
  const focusedElement = () => document.querySelector(':focus-visible')
  const isFocused = () => anchor?.contains(focusedElement())
  const showAfter = (target: Element | null, delayMs: number) => {
    const newAnchor = target?.closest<HTMLElement>('[data-tooltip]')
    if (newAnchor ? newAnchor === anchor : isFocused()) return
    hide()
    anchor = newAnchor
    timer = setTimeout(show, delayMs)
  }
  const on = (type: string, listener: (event: Event) => void) =>
    document.addEventListener(type, listener, { signal: listeners.signal, capture: true })
  on('pointerover', ({ target }) => showAfter(target as Element, HOVER_DELAY_MS))
  on('focusin', () => showAfter(focusedElement(), 0))
  on('focusout', hide)
  on('pointerdown', hide)
  on('scroll', () => {
    // The keyboard focus itself scrolls an element into view.
    if (anchor && isFocused()) placeNextTo(tooltip, anchor)
    else hide()
  })
  on('keydown', (event) => {
    if ((event as KeyboardEvent).key === 'Escape') hide()
  })
  return () => {
    clearTimeout(timer)
    listeners.abort()
  }
}
