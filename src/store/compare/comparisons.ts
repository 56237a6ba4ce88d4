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
import { evaluatorsOf, isHigherBetter, type Side, type Sides, sharedEvaluators } from './sides.ts'
import { findWarnings } from './warnings.ts'

/** Throws invalid-request if the evaluations cannot be joined by the requested key. */
export async function compareEvaluations(
  connection: Connection,
  sides: Sides,
  requestedKey: string,
): Promise<Comparison> {
  const [baseline, ...others] = sides
  const join = await joinEvaluations(connection, baseline, others, requestedKey)
  const evaluators = evaluatorsOf(sides)
  const candidates: ComparedCandidate[] = []
  for (const [index, candidate] of others.entries())
    candidates.push(
      await compare(connection, baseline, candidate, evaluators, join.joins[index] as CandidateJoin),
    )
  return {
    evaluations: sides.map(({ info }) => info),
    join: describeJoin(join, requestedKey),
    candidates,
    warnings: await findWarnings(connection, sides, join, candidates),
  }
}

export function describeJoin({ by, tried }: Join, asked: string): Comparison['join'] {
  return { by, asked, tried }
}

async function compare(
  connection: Connection,
  baseline: Side,
  candidate: Side,
  evaluators: string[],
  candidateJoin: CandidateJoin,
): Promise<ComparedCandidate> {
  const { matched, rate } = candidateJoin
  const shared = sharedEvaluators(baseline, candidate, evaluators)
  const statistics = await readPairedStatistics(connection, candidateJoin, [...shared.values()])
  const byEvaluator = new Map([...shared.keys()].map((name, index) => [name, statistics.evaluators[index]]))
  const missing = baseline.count + candidate.count - 2 * matched
  return {
    id: candidate.info.id,
    matched,
    match_rate: rate,
    only_in_base: baseline.count - matched,
    only_in_candidate: candidate.count - matched,
    outputs_changed: statistics.outputs_changed,
    answers_differ: statistics.answers_differ,
    evaluators: evaluators.map((name) =>
      comparedEvaluator(
        name,
        isHigherBetter(baseline, candidate, name),
        matched,
        missing,
        byEvaluator.get(name),
      ),
    ),
    cost: pairedStatistics(statistics.cost, false),
    latency: pairedStatistics(statistics.latency, false),
  }
}

/** `statistics` is undefined if one side lacks the evaluator. */
function comparedEvaluator(
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
    ...(statistics ? pairedStatistics(statistics, higher_is_better) : NO_STATISTICS),
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

function pairedStatistics(
  { n, base_mean, mean, delta, interval, side }: PairedDifferenceStatistics,
  isHigher: boolean,
): PairedStatistics {
  return { n, base_mean, mean, delta, interval, outcome: n === 0 ? null : outcomeOf(side, isHigher) }
}

/** The outcome by the side of zero on which the confidence interval of the difference is. */
export function outcomeOf(side: PairedDifferenceStatistics['side'], isHigher: boolean): Outcome {
  if (side === 0) return 'tied'
  return side > 0 === isHigher ? 'better' : 'worse'
}
