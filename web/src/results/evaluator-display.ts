// How results of each evaluator are displayed: its scoring rule from the evaluation, and the decimals set in this browser.

import { preference, setPreference, usePreference } from '../state/preferences.ts'
import { useStable } from '../state/stable-values.ts'
import { DEFAULT_RULE, type EvaluatorDeclaration, ruleOf, type ScoringRule } from './cells.ts'

export interface EvaluatorDisplay extends ScoringRule {
  decimals: number
}

export const MAX_DECIMALS = 8
export const DEFAULT_DISPLAY: EvaluatorDisplay = { ...DEFAULT_RULE, decimals: 3 }

export function useEvaluatorDisplays(
  evaluators: readonly (EvaluatorDeclaration & { name: string })[],
): Record<string, EvaluatorDisplay> {
  const preferredDecimals = parseDecimals(usePreference('decimals'))
  const displayOf = (evaluator: (typeof evaluators)[number]): EvaluatorDisplay => ({
    ...ruleOf(evaluator),
    decimals: preferredDecimals.get(evaluator.name) ?? DEFAULT_DISPLAY.decimals,
  })
  return useStable(Object.fromEntries(evaluators.map((evaluator) => [evaluator.name, displayOf(evaluator)])))
}

export function setDecimals(evaluator: string, decimals: number): void {
  const preferredDecimals = parseDecimals(preference('decimals'))
  preferredDecimals.set(evaluator, Math.max(0, Math.min(MAX_DECIMALS, Math.round(decimals))))
  setPreference('decimals', JSON.stringify([...preferredDecimals]))
}

/** Stored as pairs of evaluator and decimals. */
function parseDecimals(text: string | undefined): Map<string, number> {
  try {
    return new Map(JSON.parse(text ?? '[]'))
  } catch {
    return new Map()
  }
}
