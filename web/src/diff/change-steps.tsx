// Steps through the changes on a page in document order. A change is one or more elements with the same data-change.
import { type ReactNode, type RefObject, useLayoutEffect, useState } from 'react'
import { formatCount } from '../format/numbers.ts'
import { useShortcuts } from '../state/shortcuts.ts'
import styles from './diff.module.css'

export interface ChangeSteps {
  /** The current change, or undefined before the first step. */
  position: { number: number; of: number } | undefined
  /** Returns the element of the change, or undefined after the last one. */
  goToChange: (step: 1 | -1) => HTMLElement | undefined
}

/** Shortcuts move the focus to the change; buttons keep it. Another subject starts from the beginning. */
export function useChangeSteps(
  container: RefObject<HTMLElement | null>,
  { isOn: isEnabled = true, subject = '' }: { isOn?: boolean; subject?: string } = {},
): ChangeSteps {
  const [last, setLast] = useState<{ subject: string; name: string; number: number; of: number }>()
  const current = last?.subject === subject ? last : undefined
  // After every render, because marked elements may have been replaced.
  useLayoutEffect(() => {
    if (!isEnabled) return
    for (const element of changeElements(container)) {
      if (element.dataset.change === current?.name) element.setAttribute('aria-current', 'location')
      else element.removeAttribute('aria-current')
    }
  })
  function goToChange(step: 1 | -1): HTMLElement | undefined {
    const changes = [...Map.groupBy(changeElements(container), ({ dataset }) => dataset.change ?? '')]
    const now = changes.findIndex(([name]) => name === current?.name)
    const next = now === -1 && step < 0 ? changes.length - 1 : now + step
    const [name, [element] = []] = changes[next] ?? []
    if (name === undefined) return undefined
    setLast({ subject, name, number: next + 1, of: changes.length })
    element?.scrollIntoView({ block: 'center' })
    return element
  }
  const goAndFocus = (step: 1 | -1) => goToChange(step)?.focus({ preventScroll: true })
  useShortcuts('panel', isEnabled ? { ']': () => goAndFocus(1), '[': () => goAndFocus(-1) } : {})
  return { position: current, goToChange }
}

function changeElements(container: RefObject<HTMLElement | null>): HTMLElement[] {
  return [...(container.current?.querySelectorAll<HTMLElement>('[data-change]') ?? [])]
}

/** The attributes that make an element part of a change. */
export function changeAttributes(name: string) {
  return { 'data-change': name, tabIndex: -1 }
}

/** `children` are shown before the first step. */
export function StepButtons({
  steps: { position, goToChange },
  children,
}: {
  steps: ChangeSteps
  children?: ReactNode
}) {
  return (
    <span className={styles.stepButtons}>
      <span role="status">
        {position ? `change ${formatCount(position.number)} of ${formatCount(position.of)}` : children}
      </span>
      <button type="button" title="Previous change ([)" onClick={() => goToChange(-1)}>
        ↑<span className="sr-only">Previous change</span>
      </button>
      <button type="button" title="Next change (])" onClick={() => goToChange(1)}>
        ↓<span className="sr-only">Next change</span>
      </button>
    </span>
  )
}
