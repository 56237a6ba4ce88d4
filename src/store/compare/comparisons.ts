// Compares candidates with a baseline over their paired rows.
import type {
  ComparedCandidate,
  ComparedEvaluator,
  Comparison,
  Outcome,
  PairedStatistics,
} from '../../schema/comparisons.ts'
import type { Connection } from '../dialect/dialect.ts'
import { exactMcNemar, type PairedDifferenceStatistics } from '../statistics/paired-differences.ts'
import { type CandidateJoin, type Join, joinEvaluations } from './joins.ts'
import { readPairedStatistics } from './paired-statistics.ts'
import { findSharedEvaluators, isHigherBetter, listEvaluators, type Side, type Sides } from './sides.ts'
import { findWarnings } from './warnings.ts'

/** Throws invalid-request if the evaluations cannot be joined by the requested key. */
export async function compareEvaluations(
  connection: Connection,
  sides: Sides,
  requestedKey: string,
): Promise<Comparison> {
  const [baseline, ...candidateSides] = sides
  const join = await joinEvaluations(connection, baseline, candidateSides, requestedKey)
  const evaluators = listEvaluators(sides)
  const candidates: ComparedCandidate[] = []
  for (const [index, candidate] of candidateSides.entries())
    candidates.push(
      await compareCandidate(connection, baseline, candidate, evaluators, join.joins[index] as CandidateJoin),
    )
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

async function compareCandidate(
  connection: Connection,
  baseline: Side,
  candidate: Side,
  evaluators: string[],
  candidateJoin: CandidateJoin,
): Promise<ComparedCandidate> {
  const { matched, rate } = candidateJoin
  const sharedEvaluators = findSharedEvaluators(baseline, candidate, evaluators)
  const statistics = await readPairedStatistics(connection, candidateJoin, [...sharedEvaluators.values()])
  const byEvaluator = new Map(
    [...sharedEvaluators.keys()].map((name, index) => [name, statistics.evaluators[index]]),
  )
  const missingRows = baseline.count + candidate.count - 2 * matched
  return {
    id: candidate.info.id,
    matched,
    match_rate: rate,
    only_in_base: baseline.count - matched,
    only_in_candidate: candidate.count - matched,
    outputs_changed: statistics.outputs_changed,
    answers_differ: statistics.answers_differ,
    evaluators: evaluators.map((name) =>
      toComparedEvaluator(
        name,
        isHigherBetter(baseline, candidate, name),
        matched,
        missingRows,
        byEvaluator.get(name),
      ),
    ),
    cost: toPairedStatistics(statistics.cost, false),
    latency: toPairedStatistics(statistics.latency, false),
  }
}

/** `statistics` is undefined if one side lacks the evaluator. */
function toComparedEvaluator(
  name: string,
  higher_is_better: boolean,
  matched: number,
  missing: number,
  statistics: PairedDifferenceStatistics | undefined,
): ComparedEvaluator {
  const { n, verdicts, higher, lower } = statistics ?? { n: 0, verdicts: 0, higher: 0, lower: 0 }
  const [improved, regressed] = higher_is_better ? [higher, lower] : [lower, higher]
  return {
    name,
    higher_is_better,
    ...(statistics ? toPairedStatistics(statistics, higher_is_better) : NO_STATISTICS),
    p_value: n > 0 && verdicts === n ? exactMcNemar(regressed, improved) : null,
    classes: { regressed, improved, same: n - higher - lower, incomparable: matched - n, missing },
  }
}

const NO_STATISTICS: PairedStatistics = {
  n: 0,
  base_mean: null,
  mean: null,
  delta: null,
  interval: null,
  outcome: null,
}

function toPairedStatistics(
  { n, base_mean, mean, delta, interval, side }: PairedDifferenceStatistics,
  higherIsBetter: boolean,
): PairedStatistics {
  return {
    n,
    base_mean,
    mean,
    delta,
    interval,
    outcome: n === 0 ? null : classifyOutcome(side, higherIsBetter),
  }
}

/** The outcome by the side of zero on which the confidence interval of the difference is. */
export function classifyOutcome(side: PairedDifferenceStatistics['side'], higherIsBetter: boolean): Outcome {
  if (side === 0) return 'tied'
  return side > 0 === higherIsBetter ? 'better' : 'worse'
}
