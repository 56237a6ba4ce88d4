// Builds breakdowns for tests of reports. Totals and contributions follow from the groups.
import type {
  Breakdown,
  BreakdownGroup,
  GroupChange,
  GroupStatistics,
} from '../../../src/schema/analysis/breakdowns.ts'
import type { Outcome } from '../../../src/schema/comparisons.ts'

export interface SampleGroup {
  value?: unknown
  kind?: BreakdownGroup['kind']
  is_cut?: true
  n: number
  mean?: number | null
  delta: number | null
  outcome?: Outcome | null
}

interface SampleOptions {
  by?: string
  total?: Outcome | null
  /** Groups that are not listed. */
  rest?: SampleGroup & { count: number }
  metric?: 'verdict' | 'score' | 'cost' | 'latency'
  evaluator?: string
}

/** A breakdown of one changed metric. */
export function sampleBreakdown(groups: SampleGroup[], options: SampleOptions = {}): Breakdown {
  const { by = 'input.topic', total: totalOutcome = 'worse', rest, metric = 'verdict' } = options
  const { evaluator = 'exact' } = options
  const all = rest ? [...groups, rest] : groups
  const n = all.reduce((sum, group) => sum + group.n, 0)
  const average = (read: (group: SampleGroup) => number | null | undefined) =>
    n === 0 ? null : all.reduce((sum, group) => sum + (read(group) ?? 0) * group.n, 0) / n
  const statistics = (group: SampleGroup, confidence: number): GroupStatistics => {
    const { delta, mean = 0.9, outcome = 'tied' } = group
    const base: GroupChange = {
      n: group.n,
      mean,
      delta,
      interval: delta === null ? null : [delta - 0.05, delta + 0.05],
      confidence,
      outcome,
      detectable: null,
      contribution: delta === null ? null : (delta * group.n) / n,
      regressed: 0,
      improved: 0,
      unclear: 0,
    }
    const candidate = mean === null || delta === null ? null : mean + delta
    const isEvaluator = metric === 'verdict' || metric === 'score'
    const passRate = metric === 'verdict' ? candidate : null
    const score = { name: evaluator, n: group.n, mean: candidate, pass_rate: passRate, base }
    const none = { n: 0, mean: null }
    return {
      rows: group.n,
      output_errors: 0,
      evaluators: isEvaluator ? [score] : [],
      cost: metric === 'cost' ? { n: group.n, total: 1, mean: candidate, base } : { ...none, total: null },
      latency: metric === 'latency' ? { n: group.n, mean: candidate, base } : none,
    }
  }
  const confidence = 1 - 0.05 / all.length
  return {
    id: 'after',
    by,
    evaluators: [{ name: evaluator, higher_is_better: true, threshold: null }],
    base: {
      id: 'before',
      name: null,
      variant_id: null,
      revision: null,
      chosen: null,
      by: 'id',
      matched: n,
      match_rate: 1,
      has_different_rows: false,
    },
    total: statistics(
      {
        n,
        mean: average(({ mean = 0.9 }) => mean),
        delta: average(({ delta }) => delta),
        outcome: totalOutcome,
      },
      0.95,
    ),
    group_count: groups.length + (rest?.count ?? 0),
    groups: groups.map(({ kind = 'value', value, is_cut, ...group }) => ({
      kind,
      ...(kind === 'value' && { value }),
      ...(is_cut && { is_cut }),
      first: 's-1',
      ...statistics(group, confidence),
    })),
    rest: rest ? statistics(rest, confidence) : null,
  }
}
