// What became of a figure, in one plain word.
import type { Comparison } from 'assay-client'

export type Candidate = Comparison['candidates'][number]
export type ComparedEvaluator = Candidate['evaluators'][number]
export type Measured = Candidate['latency']

/** `unclear`: so few pairs that there is no interval. `none`: nothing on both sides. */
export type Outcome = 'better' | 'worse' | 'tied' | 'unclear' | 'none'

export function outcomeOf({ outcome, interval }: Measured): Outcome {
  if (outcome === null) return 'none'
  return outcome === 'tied' && interval === null ? 'unclear' : outcome
}

/** What is shown first where there is no room for all. */
const RANKS: Outcome[] = ['worse', 'better', 'unclear', 'tied', 'none']

export function rankOf(measured: Measured): number {
  return RANKS.indexOf(outcomeOf(measured))
}

/** "a", "a and b", "a, b and c"; of more than that the first ones, and how many others. */
export function listed(names: readonly string[], most = 3): string {
  const left = names.length - most
  const parts = left > 0 ? [...names.slice(0, most), `${left} more`] : names
  return parts.length < 2 ? parts.join() : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}
