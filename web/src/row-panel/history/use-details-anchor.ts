// Which point the details belong to: the one with the pointer or the keyboard focus. The pointer can move into the details.
import { type FocusEvent, type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'

const OPEN_MS = 200
const CLOSE_MS = 150

export function useDetailsAnchor() {
  const [anchor, setAnchor] = useState<HTMLElement>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  function setAfter(next: HTMLElement | undefined, delayMs: number) {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setAnchor(next), delayMs)
  }
  function close() {
    clearTimeout(timer.current)
    setAnchor(undefined)
  }
  return {
    anchor,
    openId: anchor?.closest<HTMLElement>('[data-evaluation]')?.dataset.evaluation,
    listProps: {
      onPointerOver: ({ target, pointerType }: PointerEvent) => {
        // A touch opens the link.
        if (pointerType !== 'touch') setAfter(linkAround(target), anchor ? CLOSE_MS : OPEN_MS)
      },
      onPointerLeave: () => setAfter(undefined, CLOSE_MS),
      onFocus: ({ target }: FocusEvent) => {
        if (target.matches(':focus-visible')) setAfter(linkAround(target), 0)
      },
      onBlur: close,
      onClick: close,
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key !== 'Escape' || !anchor) return
        // Escape closes the details, not the row.
        event.preventDefault()
        close()
      },
    },
    popoverProps: {
      onPointerEnter: () => clearTimeout(timer.current),
      onPointerLeave: () => setAfter(undefined, CLOSE_MS),
    },
  }
}

function linkAround(target: EventTarget): HTMLElement | undefined {
  return target instanceof Element ? (target.closest('a') ?? undefined) : undefined
}
