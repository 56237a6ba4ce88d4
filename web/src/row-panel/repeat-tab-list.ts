// The tabs of the repeats of a row: the state and the score of each.
import { DEFAULT_DISPLAY, type EvaluatorDisplays, formatFixed } from '../results/evaluator-display.ts'
import { type RowRepeats, repeatedResult } from '../results/repeats.ts'
import type { RepeatTab } from './repeat-tabs.tsx'

/** The state is that of the active evaluator with verdicts, or of the first one. The detail is the first score. */
export function repeatTabs(
  repeats: RowRepeats,
  displays: EvaluatorDisplays,
  activeEvaluator: string | undefined,
): RepeatTab[] {
  const results = repeats.scores
    .toSorted((a, b) => Number(b.evaluator === activeEvaluator) - Number(a.evaluator === activeEvaluator))
    .flatMap(({ evaluator }) => {
      const display = displays[evaluator] ?? DEFAULT_DISPLAY
      const result = repeatedResult(repeats, evaluator, display)
      return result ? { ...result, display } : []
    })
  const verdicts = results.find(({ hasVerdicts }) => hasVerdicts)
  const numbers = results.find(({ states }) => states.includes('scored'))
  return repeats.scenarios.map((id, index) => {
    const score = numbers?.scores[index]
    const isUnscored = results.length > 0 && results.every(({ scores }) => scores[index] === null)
    return {
      id,
      state: verdicts?.states[index],
      detail:
        numbers && typeof score === 'number'
          ? formatFixed(score, numbers.display)
          : isUnscored
            ? 'not scored'
            : undefined,
    }
  })
}
