// What an evaluation declares of its evaluators: which way is better, and from where on a number passes.
import { storable } from '../json/storable.ts'

export interface DeclaredEvaluator {
  higher_is_better: boolean
  /** A number that is at least as good passes. Without it a number is no verdict. */
  threshold: number | null
}

/** Of an evaluator that nothing is declared of. */
export const UNDECLARED: DeclaredEvaluator = { higher_is_better: true, threshold: null }

/** By name, as names are kept; of several entries of one name the first counts. */
export function declaredEvaluators(text: string | null): Map<string, DeclaredEvaluator> {
  const list = JSON.parse(text ?? '[]') as (Partial<DeclaredEvaluator> & { name: string })[]
  const declared = new Map<string, DeclaredEvaluator>()
  for (const { name, higher_is_better, threshold } of list) {
    const kept = storable(name)
    if (declared.has(kept)) continue
    declared.set(kept, {
      higher_is_better: higher_is_better ?? UNDECLARED.higher_is_better,
      // A number out of a double's range is none to compare with.
      threshold: Number.isFinite(threshold) ? (threshold as number) : null,
    })
  }
  return declared
}
