// The outcome of one metric of a candidate: better, worse, tied, or not enough data.
import type { Comparison } from 'assay-client'

export type Candidate = Comparison['candidates'][number]
export type ComparedEvaluator = Candidate['evaluators'][number]
export type MetricComparison = Candidate['latency']

/** `unclear`: too few pairs for a confidence interval. `none`: no row has a value in both evaluations. */
export type Outcome = 'better' | 'worse' | 'tied' | 'unclear' | 'none'

export function outcomeOf({ outcome, interval }: MetricComparison): Outcome {
  if (outcome === null) return 'none'
  return outcome === 'tied' && interval === null ? 'unclear' : outcome
}

/** The most relevant outcome first. */
const RANKS: Outcome[] = ['worse', 'better', 'unclear', 'tied', 'none']

export function rankOf(metric: MetricComparison): number {
  return RANKS.indexOf(outcomeOf(metric))
}

/** "a", "a and b", "a, b and c", "a, b, c and 2 more". */
export function formatList(names: readonly string[], max = 3): string {
  const hiddenCount = names.length - max
  const parts = hiddenCount > 0 ? [...names.slice(0, max), `${hiddenCount} more`] : names
  return parts.length < 2 ? parts.join() : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}
