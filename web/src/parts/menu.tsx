// A button that opens a small surface below it: the platform's popover, put where the button is.
import { type ReactNode, useId, useRef, useState } from 'react'

interface MenuProps {
  label: ReactNode
  /** Where the label alone does not say it. */
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
          const opens = event.newState === 'open'
          setIsOpen(opens)
          if (opens && button.current) place(event.currentTarget, button.current)
        }}
      >
        {isOpen && children}
      </div>
    </>
  )
}

/** What was chosen has been: a button or link inside closes it, unless it asks to stay. */
function closeOnChoice(surface: HTMLElement | null): (() => void) | undefined {
  const close = (event: Event) => {
    const chosen = (event.target as Element).closest('button, a')
    if (chosen && !chosen.hasAttribute('data-stay')) surface?.hidePopover()
  }
  surface?.addEventListener('click', close)
  return () => surface?.removeEventListener('click', close)
}

const MARGIN = 8

/** Below the button, and inside of the window. Set through CSSOM, which the content security policy allows. */
function place(surface: HTMLElement, button: HTMLElement): void {
  requestAnimationFrame(() => {
    const { left, bottom, top } = button.getBoundingClientRect()
    const { width, height } = surface.getBoundingClientRect()
    const below = bottom + 4
    const fitsBelow = below + height + MARGIN <= innerHeight
    const fitsAbove = top - height - 4 >= MARGIN
    const isBelow = fitsBelow || (!fitsAbove && innerHeight - bottom > top)
    const y = isBelow ? below : Math.max(MARGIN, top - height - 4)
    surface.style.left = `${Math.max(MARGIN, Math.min(left, innerWidth - width - MARGIN))}px`
    surface.style.top = `${y}px`
    surface.style.maxHeight = `${innerHeight - y - MARGIN}px`
    surface.style.overflow = 'auto'
  })
}
