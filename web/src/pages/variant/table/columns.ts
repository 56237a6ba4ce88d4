// The columns of the revision table that fit into a width. "What changed" and the message share the rest.
import type { Metric } from '../../../revisions/metrics.ts'

export interface Columns {
  hasMessage: boolean
  hasAuthor: boolean
  hasDate: boolean
  metrics: Metric[]
}

export const WIDTHS = {
  selection: 52,
  revision: 48,
  author: 80,
  date: 76,
  evaluator: 144,
  measure: 112,
  message: 180,
}
/** The least width of "What changed", and its width before further evaluators are added. */
const CHANGES = 150
const WIDE_CHANGES = 380

type Candidate = 'date' | 'message' | 'author' | Metric

export function columnsFor(width: number, metrics: readonly Metric[], selected: Metric | undefined): Columns {
  const [second, ...others] = metrics.filter((metric) => isEvaluator(metric) && metric !== selected)
  const measures = metrics.filter((metric) => !isEvaluator(metric) && metric !== selected)
  const candidates: Candidate[] = ['date', ...measures, ...(second ? [second] : []), 'message', 'author']
  const chosen = new Set<Candidate>(selected ? [selected] : [])
  let free = width - WIDTHS.selection - WIDTHS.revision - CHANGES - (selected ? widthOf(selected) : 0)
  for (const candidate of [...candidates, ...others]) {
    // Without a message, "What changed" needs the space of the author.
    if (candidate === 'author' && !chosen.has('message')) continue
    const reserved = candidates.includes(candidate) ? 0 : WIDE_CHANGES - CHANGES
    const needed = typeof candidate === 'string' ? WIDTHS[candidate] : widthOf(candidate)
    if (free < needed + reserved) continue
    free -= needed
    chosen.add(candidate)
  }
  return {
    hasMessage: chosen.has('message'),
    hasAuthor: chosen.has('author'),
    hasDate: chosen.has('date'),
    metrics: metrics.filter((metric) => chosen.has(metric)),
  }
}

function isEvaluator({ search }: Metric): boolean {
  return search.on !== undefined
}

export function widthOf(metric: Metric): number {
  return isEvaluator(metric) ? WIDTHS.evaluator : WIDTHS.measure
}
