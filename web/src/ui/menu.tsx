// A button that opens a popover next to it.
import { type ReactNode, useId, useRef, useState } from 'react'

interface MenuProps {
  label: ReactNode
  /** For labels that need an explanation. */
  title?: string | undefined
  className?: string | undefined
  children: ReactNode
}

export function Menu({ label, title, className, children }: MenuProps) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <button
        ref={button}
        type="button"
        className={className}
        popoverTarget={id}
        aria-haspopup="true"
        aria-expanded={isOpen}
        title={title}
      >
        {label} <span aria-hidden="true">▾</span>
      </button>
      <div
        ref={closeOnChoice}
        id={id}
        popover="auto"
        onToggle={(event) => {
          const isOpening = event.newState === 'open'
          setIsOpen(isOpening)
          if (isOpening && button.current) positionPopover(event.currentTarget, button.current)
        }}
      >
        {isOpen && children}
      </div>
    </>
  )
}

/** A click on a button or link inside closes the popover, unless the element has data-keep-open. */
function closeOnChoice(popover: HTMLElement | null): (() => void) | undefined {
  const close = (event: Event) => {
    const control = (event.target as Element).closest('button, a')
    if (control && !control.hasAttribute('data-keep-open')) popover?.hidePopover()
  }
  popover?.addEventListener('click', close)
  return () => popover?.removeEventListener('click', close)
}

const MARGIN = 8

/** Positions the popover below or above the button, inside the window. The security policy allows styles set by script. */
function positionPopover(popover: HTMLElement, button: HTMLElement): void {
  requestAnimationFrame(() => {
    const { left, bottom, top } = button.getBoundingClientRect()
    const { width, height } = popover.getBoundingClientRect()
    const below = bottom + 4
    const fitsBelow = below + height + MARGIN <= innerHeight
    const fitsAbove = top - height - 4 >= MARGIN
    const isBelow = fitsBelow || (!fitsAbove && innerHeight - bottom > top)
    const y = isBelow ? below : Math.max(MARGIN, top - height - 4)
    popover.style.left = `${Math.max(MARGIN, Math.min(left, innerWidth - width - MARGIN))}px`
    popover.style.top = `${y}px`
    popover.style.maxHeight = `${innerHeight - y - MARGIN}px`
    popover.style.overflow = 'auto'
  })
}
