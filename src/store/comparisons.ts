// Evaluations beside each other: how the candidates differ from the base over the rows they have in common.
import type {
  ComparedCandidate,
  ComparedEvaluator,
  Comparison,
  Measured,
  Outcome,
} from '../schema/comparisons.ts'
import { evaluatorsOf, isHigherBetter, type Side, type Sides, sharedEvaluators } from './compared-sides.ts'
import { findWarnings } from './comparison-warnings.ts'
import type { Connection } from './dialect/dialect.ts'
import { exactMcNemar, type PairedFigures } from './differences.ts'
import { type Join, type Joined, joinEvaluations } from './joins.ts'
import { findPairedFigures } from './paired-figures.ts'

/** Throws invalid-request where the evaluations cannot be joined by what is asked for. */
export async function compareEvaluations(
  connection: Connection,
  sides: Sides,
  asked: string,
): Promise<Comparison> {
  const [base, ...others] = sides
  const join = await joinEvaluations(connection, base, others, asked)
  const evaluators = evaluatorsOf(sides)
  const candidates: ComparedCandidate[] = []
  for (const [place, candidate] of others.entries())
    candidates.push(await compare(connection, base, candidate, evaluators, join.joined[place] as Joined))
  return {
    evaluations: sides.map(({ about }) => about),
    join: describeJoin(join, asked),
    candidates,
    warnings: await findWarnings(connection, sides, join, candidates),
  }
}

export function describeJoin({ by, tried }: Join, asked: string): Comparison['join'] {
  return { by, asked, tried }
}

async function compare(
  connection: Connection,
  base: Side,
  candidate: Side,
  evaluators: string[],
  joined: Joined,
): Promise<ComparedCandidate> {
  const { matched, rate } = joined
  const shared = sharedEvaluators(base, candidate, evaluators)
  const found = await findPairedFigures(connection, joined, [...shared.values()])
  const figures = new Map([...shared.keys()].map((name, place) => [name, found.evaluators[place]]))
  const missing = base.count + candidate.count - 2 * matched
  return {
    id: candidate.about.id,
    matched,
    match_rate: rate,
    only_in_base: base.count - matched,
    only_in_candidate: candidate.count - matched,
    outputs_changed: found.outputs_changed,
    answers_differ: found.answers_differ,
    evaluators: evaluators.map((name) =>
      comparedEvaluator(name, isHigherBetter(base, candidate, name), matched, missing, figures.get(name)),
    ),
    cost: measured(found.cost, false),
    latency: measured(found.latency, false),
  }
}

/** Without figures where one of the two does not have the evaluator. */
function comparedEvaluator(
  name: string,
  higher_is_better: boolean,
  matched: number,
  missing: number,
  figures: PairedFigures | undefined,
): ComparedEvaluator {
  const { n, verdicts, higher, lower } = figures ?? { n: 0, verdicts: 0, higher: 0, lower: 0 }
  const [improved, regressed] = higher_is_better ? [higher, lower] : [lower, higher]
  return {
    name,
    higher_is_better,
    ...(figures ? measured(figures, higher_is_better) : NOTHING),
    p_value: n > 0 && verdicts === n ? exactMcNemar(regressed, improved) : null,
    classes: { regressed, improved, same: n - higher - lower, incomparable: matched - n, missing },
  }
}

const NOTHING: Measured = { n: 0, base_mean: null, mean: null, delta: null, interval: null, outcome: null }

function measured({ n, base_mean, mean, delta, interval, side }: PairedFigures, isHigher: boolean): Measured {
  return { n, base_mean, mean, delta, interval, outcome: n === 0 ? null : outcomeOf(side, isHigher) }
}

/** The word for differences that lie on one side of zero, or on both. */
export function outcomeOf(side: PairedFigures['side'], isHigher: boolean): Outcome {
  if (side === 0) return 'tied'
  return side > 0 === isHigher ? 'better' : 'worse'
}
