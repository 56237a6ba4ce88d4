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

function listenForAnchors(show: (content: Content | undefined) => void): () => void {
  const listeners = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  let shownAnchor: Element | undefined
  const hide = () => {
    clearTimeout(timer)
    shownAnchor = undefined
    show(undefined)
  }
  const showAfter = (target: EventTarget | null, delayMs: number) => {
    const anchor = target instanceof Element ? target.closest<HTMLElement>('[data-tooltip]') : null
    if (anchor === shownAnchor) return
    hide()
    if (!anchor) return
    timer = setTimeout(() => {
      const { tooltip: text, shortcut } = anchor.dataset
      if (!text || !anchor.isConnected) return
      shownAnchor = anchor
      show({ anchor, text, shortcut })
    }, delayMs)
  }
  const on = (type: string, listener: (event: Event) => void) =>
    document.addEventListener(type, listener, { signal: listeners.signal, capture: true })
  on('pointerover', ({ target }) => showAfter(target, HOVER_DELAY_MS))
  on('focusin', ({ target }) => {
    if (target instanceof Element && target.matches(':focus-visible')) showAfter(target, 0)
  })
  on('focusout', hide)
  on('pointerdown', hide)
  on('scroll', hide)
  on('keydown', (event) => {
    if ((event as KeyboardEvent).key === 'Escape') hide()
  })
  return () => {
    clearTimeout(timer)
    listeners.abort()
  }
}
