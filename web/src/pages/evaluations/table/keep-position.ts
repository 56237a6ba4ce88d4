// Keeps the visible rows in place when a loaded page adds rows to the sections above them.
import { type RefObject, useLayoutEffect, useRef } from 'react'
import type { Section } from '../page-state.ts'
import { heightOf, rowBelow, topOfRow } from './section-layout.ts'

export function useKeepPosition(
  container: RefObject<HTMLElement | null>,
  sections: readonly Section[],
): void {
  const previousSections = useRef(sections)
  useLayoutEffect(() => {
    const previous = previousSections.current
    previousSections.current = sections
    const y = -(container.current?.getBoundingClientRect().top ?? 0)
    // After a filter or another order, the old position means nothing.
    if (y <= 0 || heightOf(sections) <= heightOf(previous)) return
    const anchor = rowBelow(previous, y)
    const top = topOfRow(sections, anchor?.id)
    if (anchor && top !== undefined) scrollBy(0, top - anchor.top)
  }, [container, sections])
}
