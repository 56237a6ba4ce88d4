// How the results of each evaluator are read and written: what the evaluation says of it, and how many decimals this browser
// likes.

import { useStable } from '../grid/stable.ts'
import { preference, setPreference, usePreference } from '../preferences.ts'
import type { Rule } from './cells.ts'

export interface Reading extends Rule {
  decimals: number
}

export const MOST_DECIMALS = 8
const DECIMALS = 3

/** What is said of an evaluator: where nothing is, higher is better, and there is no threshold. */
interface Said {
  name: string
  higher_is_better?: boolean | undefined
  threshold?: number | null | undefined
}

export function useReadings(evaluators: readonly Said[]): Record<string, Reading> {
  const preferred = decimalsIn(usePreference('decimals'))
  const entries = evaluators.map(({ name, higher_is_better = true, threshold = null }): [string, Reading] => [
    name,
    { higherIsBetter: higher_is_better, threshold, decimals: preferred.get(name) ?? DECIMALS },
  ])
  return useStable(Object.fromEntries(entries))
}

export function setDecimals(evaluator: string, decimals: number): void {
  const preferred = decimalsIn(preference('decimals'))
  preferred.set(evaluator, Math.max(0, Math.min(MOST_DECIMALS, Math.round(decimals))))
  setPreference('decimals', JSON.stringify([...preferred]))
}

/** Kept as pairs of a name and a number. */
function decimalsIn(text: string | undefined): Map<string, number> {
  try {
    return new Map(JSON.parse(text ?? '[]'))
  } catch {
    return new Map()
  }
}
