// Statistics of cost, latency and scores over paired rows: counts, means, and the mean difference with its confidence
// interval.
import type { Connection } from '../dialect/dialect.ts'
import {
  computeDifferences,
  type PairedDifferenceStatistics,
  summarizeDifferences,
} from '../statistics/paired-differences.ts'
import type { CandidateJoin } from './joins.ts'
import {
  type ChangeCounts,
  measureSeries,
  readNumbers,
  readSquaredDeviations,
  readSums,
  type Series,
  type SquaredDeviations,
  type Sums,
  scoreSeries,
  toDifferences,
} from './paired-sums.ts'

/** The ordinals of an evaluator in both evaluations. */
export interface EvaluatorOrdinals {
  baseline: number
  candidate: number
}

export interface ComparisonStatistics extends ChangeCounts {
  /** In the order of the requested evaluators. */
  evaluators: PairedDifferenceStatistics[]
  cost: PairedDifferenceStatistics
  latency: PairedDifferenceStatistics
}

export async function readPairedStatistics(
  connection: Connection,
  candidateJoin: CandidateJoin,
  evaluators: EvaluatorOrdinals[],
): Promise<ComparisonStatistics> {
  const isExtreme = await findExtremes(connection, candidateJoin)
  const allSeries: { series: Series; isExtreme: boolean }[] = [
    ...MEASURES.map((column) => ({ series: measureSeries(column), isExtreme: isExtreme(column, column) })),
    ...evaluators.map((ordinals) => ({
      series: scoreSeries(candidateJoin, ordinals),
      isExtreme: isExtreme(ordinals.baseline, ordinals.candidate),
    })),
  ]
  const ordinarySeries = allSeries.filter(({ isExtreme }) => !isExtreme).map(({ series }) => series)
  const { statistics, changes } = await computeInDatabase(connection, candidateJoin, ordinarySeries)
  for (const { series, isExtreme } of allSeries)
    if (isExtreme) statistics.set(series, await computeInMemory(connection, candidateJoin, series))
  const [cost, latency, ...scores] = allSeries.map(
    ({ series }) => statistics.get(series) as PairedDifferenceStatistics,
  )
  return {
    outputs_changed: changes.outputs_changed,
    answers_differ: changes.answers_differ,
    evaluators: scores,
    cost: cost as PairedDifferenceStatistics,
    latency: latency as PairedDifferenceStatistics,
  }
}

const MEASURES = ['cost', 'latency'] as const

/**
 * SQL condition for numbers whose squares or sums can exceed the range of a double, which is an error in PostgreSQL.
 * The squared differences of all other numbers stay in range.
 */
const IS_EXTREME = (number: string) => `${number} <> 0 AND abs(${number}) NOT BETWEEN 1e-100 AND 1e100`

/** Returns a predicate: whether an evaluator (by ordinal) or a measure (by name) has extreme numbers on either side. */
async function findExtremes(connection: Connection, { baseline, candidate }: CandidateJoin) {
  const inBaseline = await findExtremesIn(connection, baseline.key)
  const inCandidate = await findExtremesIn(connection, candidate.key)
  return (baselineColumn: number | string, candidateColumn: number | string) =>
    inBaseline.has(baselineColumn) || inCandidate.has(candidateColumn)
}

async function findExtremesIn(connection: Connection, evaluation: number): Promise<Set<number | string>> {
  const scores = await connection.all<{ evaluator: number }>(
    `SELECT evaluator FROM result WHERE evaluation = ? AND ${IS_EXTREME('number')} GROUP BY evaluator`,
    evaluation,
  )
  const measures = await connection.get<Record<string, number>>(
    `SELECT ${MEASURES.map((column) => `count(*) FILTER (WHERE ${IS_EXTREME(column)}) AS ${column}`).join(', ')}
     FROM measure WHERE evaluation = ?`,
    evaluation,
  )
  return new Set([
    ...scores.map(({ evaluator }) => evaluator),
    ...MEASURES.filter((column) => (measures?.[column] ?? 0) > 0),
  ])
}

async function computeInDatabase(
  connection: Connection,
  candidateJoin: CandidateJoin,
  series: Series[],
): Promise<{ statistics: Map<Series, PairedDifferenceStatistics>; changes: ChangeCounts }> {
  const { sums, changes } = await readSums(connection, candidateJoin, series)
  const seriesSums = series.map((columns, index) => ({ series: columns, sums: sums[index] as Sums }))
  const isClustered = candidateJoin.repeats.baseline + candidateJoin.repeats.candidate > 0
  const seriesToCenter = seriesSums.filter(({ sums }) => isClustered || isFarFromZero(sums))
  const squares = await readSquaredDeviations(
    connection,
    candidateJoin,
    seriesToCenter.map(({ series, sums }) => ({ series, mean: sums.n === 0 ? 0 : sums.delta_sum / sums.n })),
  )
  const deviations = new Map(
    seriesToCenter.map(({ series }, index) => [series, squares[index] as SquaredDeviations]),
  )
  const statistics = seriesSums.map(({ series, sums }): [Series, PairedDifferenceStatistics] => {
    const differences = toDifferences(sums, deviations.get(series) ?? deviationsFromSums(sums))
    return [series, summarizeDifferences(sums, differences)]
  })
  return { statistics: new Map(statistics), changes }
}

/** Whether computing the squared deviations from the sums would lose precision by cancellation. */
function isFarFromZero({ n, delta_sum, delta_squares }: Sums): boolean {
  return n > 0 && delta_sum ** 2 / n > delta_squares / 2
}

function deviationsFromSums({ n, delta_sum, delta_squares }: Sums): SquaredDeviations {
  return { squares: n === 0 ? 0 : delta_squares - delta_sum ** 2 / n, clusters: n }
}

/** Extreme numbers are rare. They are summed in memory, where overflow is not an error. */
async function computeInMemory(
  connection: Connection,
  candidateJoin: CandidateJoin,
  series: Series,
): Promise<PairedDifferenceStatistics> {
  const { baseline, candidate, clusters, verdicts } = await readNumbers(connection, candidateJoin, series)
  const counts = {
    n: candidate.length,
    verdicts: verdicts.filter((isVerdict) => isVerdict === 1).length,
    higher: candidate.filter((number, row) => number > (baseline[row] ?? 0)).length,
    lower: candidate.filter((number, row) => number < (baseline[row] ?? 0)).length,
  }
  return summarizeDifferences(counts, computeDifferences(baseline, candidate, clusters))
}
