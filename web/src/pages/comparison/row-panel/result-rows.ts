// Results of a row by evaluator: one cell per evaluation, with the difference from the baseline.
import type { Comparison } from 'assay-client'
import type { EvaluatorDisplays } from '../../../results/evaluator-display.ts'
import { type Outcome, outcomesOf } from '../../../results/outcomes.ts'
import type { EvaluationRow, RowData } from '../row-data.ts'

export function resultRowsOf(
  { baseline, candidates }: Pick<RowData, 'baseline' | 'candidates'>,
  comparison: Comparison,
  displays?: EvaluatorDisplays,
) {
  const outcomesByEvaluation = [baseline, ...candidates].map((row) => outcomesByKey(row, displays))
  const knownEvaluators = comparison.candidates[0]?.evaluators ?? []
  const keys = new Set([
    ...knownEvaluators.map(({ name }) => keyOf(name, 0)),
    ...outcomesByEvaluation.flatMap((outcomes) => [...outcomes.keys()]),
  ])
  return [...keys].flatMap((key) => {
    const outcomes = outcomesByEvaluation.map((byKey) => byKey.get(key))
    const evaluator = outcomes.find(Boolean)?.evaluator
    if (evaluator === undefined) return []
    const higherIsBetter = knownEvaluators.find(({ name }) => name === evaluator)?.higher_is_better ?? true
    // One per evaluation, the baseline first.
    const cells = outcomes.map((outcome, index) => ({
      /** Undefined if there is no result or no row. */
      outcome,
      /** Score minus the baseline's score; undefined if they cannot be compared. */
      delta: index === 0 ? undefined : deltaOf(outcomes[0], outcome),
    }))
    return [{ evaluator, higherIsBetter, cells }]
  })
}

/** An evaluator can have several results for a row; they are paired by their order. */
function outcomesByKey(
  { scenario, evaluation }: EvaluationRow,
  displays: EvaluatorDisplays | undefined,
): Map<string, Outcome> {
  const byKey = new Map<string, Outcome>()
  for (const outcome of scenario ? outcomesOf(scenario, evaluation, undefined, displays) : []) {
    let index = 0
    while (byKey.has(keyOf(outcome.evaluator, index))) index++
    byKey.set(keyOf(outcome.evaluator, index), outcome)
  }
  return byKey
}

function keyOf(evaluator: string, index: number): string {
  return `${index} ${evaluator}`
}

/** A verdict and a number cannot be compared. */
function deltaOf(baseline: Outcome | undefined, outcome: Outcome | undefined): number | undefined {
  if (!baseline || !outcome || baseline.isVerdict !== outcome.isVerdict) return undefined
  const [baselineScore, score] = [scoreOf(baseline), scoreOf(outcome)]
  return baselineScore === undefined || score === undefined ? undefined : score - baselineScore
}

function scoreOf({ isVerdict, isScore, state, text }: Outcome): number | undefined {
  if (isVerdict) return state === 'pass' ? 1 : 0
  return isScore ? Number(text) : undefined
}
