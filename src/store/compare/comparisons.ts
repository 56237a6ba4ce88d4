// Compares candidates with a baseline over their paired rows.
import type {
  ComparedCandidate,
  ComparedEvaluator,
  Comparison,
  PairedStatistics,
} from '../../schema/comparisons.ts'
import {
  exactMcNemar,
  type PairedDifferenceStatistics,
  summarizeDifferences,
} from '../statistics/paired-differences.ts'
import { roundStatistic } from '../statistics/rounding.ts'
import type { JoinedColumns } from './joined-columns.ts'
import type { CandidateJoin, Join } from './joins.ts'
import { countChanges, readPairedStatistics } from './paired-statistics.ts'
import { isHigherBetter, listEvaluators, type Side } from './sides.ts'
import { findWarnings } from './warnings.ts'

export async function compareEvaluations(columns: JoinedColumns, requestedKey: string): Promise<Comparison> {
  const { connection, sides, join } = columns
  const candidates: ComparedCandidate[] = []
  for (const candidate of join.joins.keys()) candidates.push(await compareCandidate(columns, candidate))
  return {
    evaluations: sides.map(({ info }) => info),
    join: describeJoin(join, requestedKey),
    candidates,
    warnings: await findWarnings(connection, sides, join, candidates),
  }
}

export function describeJoin({ by, tried }: Join, requestedKey: string): Comparison['join'] {
  return { by, asked: requestedKey, tried }
}

async function compareCandidate(columns: JoinedColumns, index: number): Promise<ComparedCandidate> {
  const { baseline, sides, join } = columns
  const candidate = sides[index + 1] as Side
  const { matched, rate } = join.joins[index] as CandidateJoin
  const names = listEvaluators(sides)
  const { evaluators, cost, latency } = await readPairedStatistics(columns, index, names)
  const missing = baseline.count + candidate.count - 2 * matched
  return {
    id: candidate.info.id,
    matched,
    match_rate: rate,
    only_in_base: baseline.count - matched,
    only_in_candidate: candidate.count - matched,
    ...(await countChanges(columns, index)),
    evaluators: names.map((name) => {
      const higherIsBetter = isHigherBetter(baseline, candidate, name)
      return toComparedEvaluator(name, higherIsBetter, matched, missing, evaluators.get(name))
    }),
    cost: toPairedStatistics(cost, false),
    latency: toPairedStatistics(latency, false),
  }
}

function toComparedEvaluator(
  name: string,
  higher_is_better: boolean,
  matched: number,
  missing: number,
  statistics = NO_STATISTICS,
): ComparedEvaluator {
  const { n, verdicts, higher, lower } = statistics
  const { regressed, improved } = countChangedRows(statistics, higher_is_better)
  return {
    name,
    higher_is_better,
    ...toPairedStatistics(statistics, higher_is_better),
    p_value: n > 0 && verdicts === n ? roundStatistic(exactMcNemar(regressed, improved)) : null,
    classes: { regressed, improved, same: n - higher - lower, incomparable: matched - n, missing },
  }
}

/** For an evaluator that one side lacks. */
export const NO_STATISTICS: PairedDifferenceStatistics = summarizeDifferences({
  baseline: new Float64Array(),
  candidate: new Float64Array(),
  clusters: undefined,
  verdicts: 0,
})

export function countChangedRows(
  { higher, lower }: PairedDifferenceStatistics,
  higherIsBetter: boolean,
): { regressed: number; improved: number } {
  return higherIsBetter ? { regressed: lower, improved: higher } : { regressed: higher, improved: lower }
}

export function toPairedStatistics(
  { n, base_mean, mean, delta, interval, side }: PairedDifferenceStatistics,
  higherIsBetter: boolean,
): PairedStatistics {
  const outcome = side === 0 ? 'tied' : side > 0 === higherIsBetter ? 'better' : 'worse'
  return { n, base_mean, mean, delta, interval, outcome: n === 0 ? null : outcome }
}
