// Tooltips: an element with data-tooltip shows its text on hover and on keyboard focus, with the key in data-shortcut.
// One element for the whole page, so that a table with thousands of cells needs no component per cell.
import { useEffect, useRef, useState } from 'react'
import { placeNextTo } from './menus/placement.ts'
import styles from './tooltip.module.css'

const HOVER_DELAY_MS = 350

interface Content {
  anchor: HTMLElement
  text: string
  shortcut: string | undefined
}

export function Tooltips() {
  const tooltip = useRef<HTMLDivElement>(null)
  const [content, setContent] = useState<Content>()
  useEffect(() => listenForAnchors(setContent), [])
  useEffect(() => {
    const element = tooltip.current
    if (!element || !content) return
    element.showPopover()
    placeNextTo(element, content.anchor)
    return () => element.hidePopover()
  }, [content])
  return (
    <div ref={tooltip} popover="manual" role="tooltip" className={styles.tooltip}>
      {content?.text}
      {content?.shortcut && <kbd>{content.shortcut}</kbd>}
    </div>
  )
}

/** The element with the keyboard focus. */
function focusedElement(): Element | null {
  return document.querySelector(':focus-visible')
}

function listenForAnchors(show: (content: Content | undefined) => void): () => void {
  const listeners = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  let latestAnchor: HTMLElement | null
  let shown: Content | undefined
  const update = (content?: Content) => {
    clearTimeout(timer)
    shown = content
    show(content)
  }
  const hide = () => update()
  /** Scrolling and pointers do not hide the tooltip of such an element: the focus itself can scroll it into view. */
  const hasKeyboardFocus = () => latestAnchor?.contains(focusedElement())
  const showAfter = (target: EventTarget | null, delayMs: number) => {
    const anchor = target instanceof Element ? target.closest<HTMLElement>('[data-tooltip]') : null
    if (anchor ? anchor === shown?.anchor : hasKeyboardFocus()) return
    hide()
    latestAnchor = anchor
    if (!anchor) return
    timer = setTimeout(() => {
      const { tooltip: text, shortcut } = anchor.dataset
      if (text && anchor.isConnected) update({ anchor, text, shortcut })
    }, delayMs)
  }
  const on = (type: string, listener: (event: Event) => void) =>
    document.addEventListener(type, listener, { signal: listeners.signal, capture: true })
  on('pointerover', ({ target }) => showAfter(target, HOVER_DELAY_MS))
  on('focusin', () => {
    const focused = focusedElement()
    if (focused) showAfter(focused, 0)
  })
  on('focusout', hide)
  on('pointerdown', hide)
  on('scroll', () => {
    if (!hasKeyboardFocus()) hide()
    // A copy is placed again.
    else if (shown) update({ ...shown })
  })
  on('keydown', (event) => {
    if ((event as KeyboardEvent).key === 'Escape') hide()
  })
  return () => {
    clearTimeout(timer)
    listeners.abort()
  }
}
