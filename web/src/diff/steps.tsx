// The way from change to change, in whatever order they stand on the page. A change is an element, or several, with its name in
// data-change.
import { type ReactNode, type RefObject, useLayoutEffect, useState } from 'react'
import { count } from '../format/numbers.ts'
import { useShortcuts } from '../shortcuts.ts'
import styles from './diff.module.css'

export interface Steps {
  /** Where one is; undefined before the first step. */
  place: { number: number; of: number } | undefined
  /** Returns what is gone to, unless that was the last one. */
  go: (step: 1 | -1) => HTMLElement | undefined
}

/** Keys take the focus along; buttons keep it, for who presses them again. With another subject the way begins anew. */
export function useSteps(
  container: RefObject<HTMLElement | null>,
  { isOn = true, subject = '' }: { isOn?: boolean; subject?: string } = {},
): Steps {
  const [last, setLast] = useState<{ subject: string; name: string; number: number; of: number }>()
  const current = last?.subject === subject ? last : undefined
  // After every change of the page, because what is marked may have been drawn anew.
  useLayoutEffect(() => {
    for (const element of elementsIn(container)) {
      if (isOn && element.dataset.change === current?.name) element.setAttribute('aria-current', 'location')
      else if (isOn) element.removeAttribute('aria-current')
    }
  })
  function go(step: 1 | -1): HTMLElement | undefined {
    const changes = [...Map.groupBy(elementsIn(container), ({ dataset }) => dataset.change ?? '')]
    const now = changes.findIndex(([name]) => name === current?.name)
    const next = now === -1 && step < 0 ? changes.length - 1 : now + step
    const [name, [element] = []] = changes[next] ?? []
    if (name === undefined) return undefined
    setLast({ subject, name, number: next + 1, of: changes.length })
    element?.scrollIntoView({ block: 'center' })
    return element
  }
  const goWithFocus = (step: 1 | -1) => go(step)?.focus({ preventScroll: true })
  useShortcuts('panel', isOn ? { ']': () => goWithFocus(1), '[': () => goWithFocus(-1) } : {})
  return { place: current, go }
}

function elementsIn(container: RefObject<HTMLElement | null>): HTMLElement[] {
  return [...(container.current?.querySelectorAll<HTMLElement>('[data-change]') ?? [])]
}

/** What makes an element a change, or a part of one. */
export function stopAt(name: string) {
  return { 'data-change': name, tabIndex: -1 }
}

/** `children` stand in place of where one is, before the first step. */
export function StepButtons({ steps: { place, go }, children }: { steps: Steps; children?: ReactNode }) {
  return (
    <span className={styles.stepButtons}>
      <span role="status">{place ? `change ${count(place.number)} of ${count(place.of)}` : children}</span>
      <button type="button" title="Previous change ([)" onClick={() => go(-1)}>
        ↑<span className="unseen">Previous change</span>
      </button>
      <button type="button" title="Next change (])" onClick={() => go(1)}>
        ↓<span className="unseen">Next change</span>
      </button>
    </span>
  )
}
