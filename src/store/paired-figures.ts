// What is found out about columns of numbers over the rows that are paired: how many are equal, their means, and the
// mean of the differences with its interval.
import type { Connection } from './dialect/dialect.ts'
import { describeDifferences, gatherDifferences, type PairedFigures } from './differences.ts'
import type { Joined } from './joins.ts'
import {
  asDifferences,
  askSquares,
  askSums,
  type Changes,
  measureSeries,
  readNumbers,
  type Series,
  type Squares,
  type Sums,
  scoreSeries,
} from './paired-sums.ts'

/** The numbers of an evaluator in each evaluation. */
export interface EvaluatorPlaces {
  base: number
  candidate: number
}

export interface ComparedFigures extends Changes {
  /** In the order of what was asked for. */
  evaluators: PairedFigures[]
  cost: PairedFigures
  latency: PairedFigures
}

export async function findPairedFigures(
  connection: Connection,
  joined: Joined,
  evaluators: EvaluatorPlaces[],
): Promise<ComparedFigures> {
  const isWild = await findWild(connection, joined)
  const all: { series: Series; isWild: boolean }[] = [
    ...MEASURES.map((column) => ({ series: measureSeries(column), isWild: isWild(column, column) })),
    ...evaluators.map((places) => ({
      series: scoreSeries(joined, places),
      isWild: isWild(places.base, places.candidate),
    })),
  ]
  const tame = all.filter((one) => !one.isWild).map(({ series }) => series)
  const { found, changes } = await addUp(connection, joined, tame)
  for (const { series, isWild } of all)
    if (isWild) found.set(series, await gather(connection, joined, series))
  const [cost, latency, ...figures] = all.map(({ series }) => found.get(series) as PairedFigures)
  return {
    outputs_changed: changes.outputs_changed,
    answers_differ: changes.answers_differ,
    evaluators: figures,
    cost: cost as PairedFigures,
    latency: latency as PairedFigures,
  }
}

const MEASURES = ['cost', 'latency'] as const

/**
 * Condition: PostgreSQL may refuse to compute with the number, for squares and sums that leave the range of a double.
 * Squares of differences of all others stay inside.
 */
const IS_WILD = (number: string) => `${number} <> 0 AND abs(${number}) NOT BETWEEN 1e-100 AND 1e100`

/** Tells, of the number of an evaluator or what was measured, whether there is such a number on either side. */
async function findWild(connection: Connection, { base, candidate }: Joined) {
  const inBase = await findWildIn(connection, base.key)
  const inCandidate = await findWildIn(connection, candidate.key)
  return (of: number | string, ofCandidate: number | string) => inBase.has(of) || inCandidate.has(ofCandidate)
}

async function findWildIn(connection: Connection, evaluation: number): Promise<Set<number | string>> {
  const scores = await connection.all<{ evaluator: number }>(
    `SELECT evaluator FROM result WHERE evaluation = ? AND ${IS_WILD('number')} GROUP BY evaluator`,
    evaluation,
  )
  const measures = await connection.get<Record<string, number>>(
    `SELECT ${MEASURES.map((column) => `count(*) FILTER (WHERE ${IS_WILD(column)}) AS ${column}`).join(', ')}
     FROM measure WHERE evaluation = ?`,
    evaluation,
  )
  return new Set([
    ...scores.map(({ evaluator }) => evaluator),
    ...MEASURES.filter((column) => (measures?.[column] ?? 0) > 0),
  ])
}

/** Computed in the database. */
async function addUp(
  connection: Connection,
  joined: Joined,
  series: Series[],
): Promise<{ found: Map<Series, PairedFigures>; changes: Changes }> {
  const { sums, changes } = await askSums(connection, joined, series)
  const all = series.map((one, place) => ({ series: one, sums: sums[place] as Sums }))
  const isClustered = joined.repeats.base + joined.repeats.candidate > 0
  const uneven = all.filter(({ sums }) => isClustered || isFarFromZero(sums))
  const squares = await askSquares(
    connection,
    joined,
    uneven.map(({ series, sums }) => ({ series, mean: sums.n === 0 ? 0 : sums.delta_sum / sums.n })),
  )
  const around = new Map(uneven.map(({ series }, place) => [series, squares[place] as Squares]))
  const found = all.map(({ series, sums }): [Series, PairedFigures] => {
    const differences = asDifferences(sums, around.get(series) ?? squaresOf(sums))
    return [series, describeDifferences(sums, differences)]
  })
  return { found: new Map(found), changes }
}

/** Whether the squares around the mean would be a small difference of two large numbers. */
function isFarFromZero({ n, delta_sum, delta_squares }: Sums): boolean {
  return n > 0 && delta_sum ** 2 / n > delta_squares / 2
}

function squaresOf({ n, delta_sum, delta_squares }: Sums): Squares {
  return { squares: n === 0 ? 0 : delta_squares - delta_sum ** 2 / n, clusters: n }
}

/** Numbers at the edges of a double's range are rare: they are added up here, where nothing is refused. */
async function gather(connection: Connection, joined: Joined, series: Series): Promise<PairedFigures> {
  const { base, candidate, clusters, verdicts } = await readNumbers(connection, joined, series)
  const counts = {
    n: candidate.length,
    verdicts: verdicts.filter((is) => is === 1).length,
    higher: candidate.filter((number, row) => number > (base[row] ?? 0)).length,
    lower: candidate.filter((number, row) => number < (base[row] ?? 0)).length,
  }
  return describeDifferences(counts, gatherDifferences(base, candidate, clusters))
}
