// The statistics of one metric of a candidate, and how relevant they are.
import type { Comparison } from 'assay-client'
import { outcomeOf, type VerdictOutcome } from '../../../results/verdict-sentence.ts'

export type Candidate = Comparison['candidates'][number]
export type ComparedEvaluator = Candidate['evaluators'][number]
export type MetricComparison = Candidate['latency']

/** The most relevant outcome first. */
const RANKS: VerdictOutcome[] = ['worse', 'better', 'too-few', 'equal-change', 'tied', 'none']

export function rankOf(metric: MetricComparison): number {
  return RANKS.indexOf(outcomeOf(metric))
}
