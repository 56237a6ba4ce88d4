// Ranks evaluations by the scores of the rows that all of them have.
import type {
  Leaderboard,
  LeaderboardWarning,
  RankedEvaluation,
} from '../../../schema/analysis/leaderboards.ts'
import { findQuantile } from '../../statistics/distributions.ts'
import { meanInterval, rateInterval } from '../../statistics/mean-interval.ts'
import { summarizeDifferences } from '../../statistics/paired-differences.ts'
import { findFrontier, findRanks, pairConfidence } from '../../statistics/ranks.ts'
import { roundStatistic } from '../../statistics/rounding.ts'
import { computeTotals } from '../../statistics/sums.ts'
import { describeJoin } from '../comparisons.ts'
import { MIN_MATCH_RATE } from '../joins.ts'
import { toDifference } from '../paired-statistics.ts'
import { mapAhead } from '../sides.ts'
import { nothingToRank, type Run, type Runs } from './runs.ts'

/** The numbers of one evaluation over the shared rows. */
interface RunNumbers {
  run: Run
  means: Float64Array
  mean: number
  hasRepeats: boolean
  /** The number of all repeats. */
  repeats: number
  cost: number | null
  p50: number | null
  p95: number | null
}

/** Throws nothing-to-rank if no row has a score in all evaluations. */
export async function rankRuns(runs: Runs, requestedKey: string): Promise<Leaderboard> {
  const { columns, on, higherIsBetter, shared, areVerdicts } = runs
  if (shared.length === 0)
    throw nothingToRank(
      `No row has a score of '${on}' in ${all(runs.runs)}. Rank evaluations of the same rows, or set 'by' to the join key that matches them.`,
    )
  const numbers = await mapAhead(runs.runs, (run) => readNumbers(runs, run))
  const sign = higherIsBetter ? -1 : 1
  // Sorting is stable: equal evaluations keep the order of the request.
  numbers.sort((a, b) => sign * (a.mean - b.mean))
  const confidence = pairConfidence(numbers.length)
  const ranks = findRanks(numbers, areVerdicts, higherIsBetter)
  const scores = numbers.map(({ mean }) => mean)
  const costs = findFrontier(
    scores,
    numbers.map(({ cost }) => cost),
    higherIsBetter,
  )
  const latencies = findFrontier(
    scores,
    numbers.map(({ p50 }) => p50),
    higherIsBetter,
  )
  const [best] = numbers as [RunNumbers]
  const evaluations: RankedEvaluation[] = []
  for (const [index, candidate] of numbers.entries()) {
    const { run, means, hasRepeats, repeats, cost, p50, p95 } = candidate
    const { id, name, variant_id, revision } = run.side.info
    const { label, provider, created_at } = run.side.run
    evaluations.push({
      id,
      name,
      variant_id,
      revision,
      label,
      provider,
      created_at,
      row_count: (await columns.rows(run.side)).count,
      rank: ranks[index] as [number, number],
      mean: roundStatistic(candidate.mean),
      interval: areVerdicts ? rateInterval({ means, hasRepeats, runs: repeats }) : meanInterval(means),
      change: index === 0 ? null : changeToBest(best, candidate, areVerdicts, confidence, higherIsBetter),
      cost: { mean: cost, on_frontier: costs[index] ?? null },
      latency: { p50, p95, on_frontier: latencies[index] ?? null },
    })
  }
  return {
    on,
    higher_is_better: higherIsBetter,
    is_verdict: areVerdicts,
    join: describeJoin(columns.join, requestedKey),
    shared_rows: shared.length,
    confidence: roundStatistic(confidence) as number,
    evaluations,
    warnings: [...runs.warnings, ...warnMissingRows(runs)],
  }
}

async function readNumbers({ columns, shared }: Runs, run: Run): Promise<RunNumbers> {
  const positions = shared.map((row) => run.positions[row] as number)
  /** Loops are several times as fast as Float64Array.from and filter. */
  const present = (numbers: Float64Array) => {
    const selected = new Float64Array(positions.length)
    let count = 0
    for (let index = 0; index < positions.length; index += 1) {
      const number = numbers[positions[index] as number] as number
      if (!Number.isNaN(number)) selected[count++] = number
    }
    return selected.subarray(0, count)
  }
  // Shared rows have a score.
  const means = present(run.scores.numbers)
  const counts = run.scores.repeats?.counts
  const repeats = positions.reduce((sum, position) => sum + (counts?.[position] ?? 1), 0)
  const cost = await columns.rowMeasures(run.side, 'cost')
  const latency = present((await columns.rowMeasures(run.side, 'latency')).numbers).sort()
  return {
    run,
    means,
    mean: computeTotals(means).mean ?? Number.NaN,
    hasRepeats: repeats > shared.length,
    repeats,
    cost: computeTotals(present(cost.numbers)).mean,
    p50: findQuantile(latency, 0.5),
    p95: findQuantile(latency, 0.95),
  }
}

function changeToBest(
  best: RunNumbers,
  candidate: RunNumbers,
  areVerdicts: boolean,
  confidence: number,
  higherIsBetter: boolean,
): RankedEvaluation['change'] {
  const paired = {
    baseline: best.means,
    candidate: candidate.means,
    verdicts: areVerdicts ? best.means.length : 0,
    hasRepeats: best.hasRepeats || candidate.hasRepeats,
  }
  const statistics = { ...summarizeDifferences(paired, confidence), hasOutcome: true }
  return toDifference(statistics, higherIsBetter)
}

/** One warning, which names the evaluation with the fewest scores. */
function warnMissingRows({ shared, rows, runs, on }: Runs): LeaderboardWarning[] {
  if (shared.length >= MIN_MATCH_RATE * rows.length) return []
  const scored = runs.map(({ side, positions, scores }) => ({
    id: side.info.id,
    count: rows.filter((row) => !Number.isNaN(scores.numbers[positions[row] as number] ?? Number.NaN)).length,
  }))
  const fewest = scored.reduce((fewest, run) => (run.count < fewest.count ? run : fewest))
  const missing = rows.length - shared.length
  const detail = `Only ${shared.length} of ${rows.length} rows have a score of '${on}' in ${all(runs)}. Ranks, scores and changes use these rows. '${fewest.id}' has the fewest: ${fewest.count}.`
  return [{ code: 'rows-missing', evaluation: fewest.id, rows: missing, detail }]
}

function all({ length }: Run[]): string {
  return length === 2 ? 'both evaluations' : `all ${length} evaluations`
}
