// Steps through the changes on a page in document order. A change is one or more elements with the same data-change.
import { ArrowDown, ArrowUp } from 'lucide'
import { type ReactNode, type RefObject, useLayoutEffect, useState } from 'react'
import { formatCount } from '../format/numbers.ts'
import { useShortcuts } from '../state/shortcuts.ts'
import { IconButton } from '../ui/button.tsx'
import styles from './diff.module.css'

export interface ChangeSteps {
  /** The current change, or undefined before the first step. */
  position: { number: number; count: number } | undefined
  /** Returns the first element of the change, or undefined if there is no further change. */
  goToChange: (step: 1 | -1) => HTMLElement | undefined
}

/** Shortcuts move the focus to the change; buttons keep it. If `subject` changes, stepping restarts at the first change. */
export function useChangeSteps(
  container: RefObject<HTMLElement | null>,
  { isEnabled = true, subject = '' }: { isEnabled?: boolean; subject?: string } = {},
): ChangeSteps {
  const [lastStep, setLastStep] = useState<{ subject: string; name: string; number: number; count: number }>()
  const currentStep = lastStep?.subject === subject ? lastStep : undefined
  // After every render, because the elements can be replaced.
  useLayoutEffect(() => {
    if (!isEnabled) return
    for (const element of changeElements(container)) {
      if (element.dataset.change === currentStep?.name) element.setAttribute('aria-current', 'location')
      else element.removeAttribute('aria-current')
    }
  })
  function goToChange(step: 1 | -1): HTMLElement | undefined {
    const changes = changesByPosition(container)
    const currentIndex = changes.findIndex(([name]) => name === currentStep?.name)
    const nextIndex = currentIndex === -1 && step < 0 ? changes.length - 1 : currentIndex + step
    const [name, element] = changes[nextIndex] ?? []
    if (name === undefined) return undefined
    setLastStep({ subject, name, number: nextIndex + 1, count: changes.length })
    element?.scrollIntoView({ block: 'center' })
    return element
  }
  const goAndFocus = (step: 1 | -1) => goToChange(step)?.focus({ preventScroll: true })
  useShortcuts(
    'panel',
    isEnabled
      ? {
          ']': { label: 'Next change', run: () => goAndFocus(1) },
          '[': { label: 'Previous change', run: () => goAndFocus(-1) },
        }
      : {},
  )
  return { position: currentStep, goToChange }
}

function changeElements(container: RefObject<HTMLElement | null>): HTMLElement[] {
  return [...(container.current?.querySelectorAll<HTMLElement>('[data-change]') ?? [])]
}

/** From top to bottom. In two long paragraphs side by side, an addition can be above a removal. */
function changesByPosition(container: RefObject<HTMLElement | null>): [name: string, element: HTMLElement][] {
  return [...Map.groupBy(changeElements(container), ({ dataset }) => dataset.change ?? '')]
    .flatMap(([name, [element]]) =>
      element ? [{ name, element, top: element.getBoundingClientRect().top }] : [],
    )
    .sort((a, b) => a.top - b.top)
    .map(({ name, element }) => [name, element])
}

/** The attributes that mark an element as part of a change. */
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
        {position ? `change ${formatCount(position.number)} of ${formatCount(position.count)}` : children}
      </span>
      <IconButton
        icon={ArrowUp}
        size="small"
        label="Previous change"
        shortcut="["
        onClick={() => goToChange(-1)}
      />
      <IconButton
        icon={ArrowDown}
        size="small"
        label="Next change"
        shortcut="]"
        onClick={() => goToChange(1)}
      />
    </span>
  )
}
