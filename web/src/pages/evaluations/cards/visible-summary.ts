// Requests the comparison of a large evaluation with its baseline when its card is visible.
import { useQuery } from '@tanstack/react-query'
import type { Evaluation } from 'assay-client'
import { type RefObject, useEffect, useState } from 'react'
import { DEFAULT_BASELINE, summaryQuery } from '../../../queries/evaluations.ts'
import { needsSummary } from './card-data.ts'

/** Without an evaluation, or if the list has the comparison, nothing is requested. */
export function useVisibleSummary(
  element: RefObject<HTMLElement | null>,
  evaluation: Evaluation | undefined,
  others: readonly Evaluation[],
) {
  const isNeeded = evaluation !== undefined && needsSummary(evaluation, others)
  const [isVisible, setIsVisible] = useState(false)
  useEffect(() => {
    if (!isNeeded || !element.current) return
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setIsVisible(true)
    })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element, isNeeded])
  const query = summaryQuery(evaluation?.id ?? '', {
    filters: [],
    base: evaluation?.baseline_id ?? DEFAULT_BASELINE,
  })
  return useQuery({ ...query, enabled: isNeeded && isVisible })
}
