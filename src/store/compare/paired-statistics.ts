// Statistics of cost, latency and scores over paired rows: counts, means, and the mean difference with its confidence
// interval. They are computed in memory, so both engines return the same numbers, of any size.
import {
  type PairedDifferenceStatistics,
  type PairedNumbers,
  summarizeDifferences,
} from '../statistics/paired-differences.ts'
import type { JoinedColumns } from './joined-columns.ts'
import type { CandidateJoin } from './joins.ts'
import type { RowNumbers } from './side-columns.ts'
import type { Side } from './sides.ts'

export interface ComparisonStatistics {
  /** By name. Evaluators that one side lacks are omitted. */
  evaluators: Map<string, PairedDifferenceStatistics>
  cost: PairedDifferenceStatistics
  latency: PairedDifferenceStatistics
}

/** Compares the baseline with a candidate, counted from 0. `isIncluded` selects rows by candidate position. */
export async function readPairedStatistics(
  columns: JoinedColumns,
  candidate: number,
  evaluators: string[],
  isIncluded?: Uint8Array,
): Promise<ComparisonStatistics> {
  const pairs = await readPairs(columns, candidate)
  const rows = isIncluded
    ? pairs.rows.filter((row) => isIncluded[pairs.candidatePositions[row] as number] === 1)
    : pairs.rows
  const summarize = (numbers: PairedColumn) => summarizeDifferences(pairNumbers(rows, pairs, numbers))
  const statistics = new Map<string, PairedDifferenceStatistics>()
  for (const name of evaluators) {
    const scores = await readPairedScores(columns, candidate, name)
    if (scores) statistics.set(name, summarize(scores))
  }
  return {
    evaluators: statistics,
    cost: summarize(await readPairedMeasures(columns, candidate, 'cost')),
    latency: summarize(await readPairedMeasures(columns, candidate, 'latency')),
  }
}

/** The pairs of a baseline and a candidate. */
export interface Pairs {
  /** The baseline positions of all pairs, in ascending order. */
  rows: Int32Array
  /** By baseline position. */
  candidatePositions: Int32Array
  /** The cluster of each pair by baseline position. Undefined if no join key is repeated. */
  clusters: Int32Array | undefined
}

/** The candidate is counted from 0. */
export async function readPairs(columns: JoinedColumns, candidate: number): Promise<Pairs> {
  const { candidatePositions } = await columns.pairIndex(candidate)
  const rows = candidatePositions.map((_, row) => row)
  const isPaired = (row: number) => (candidatePositions[row] as number) >= 0
  return { rows: rows.filter(isPaired), candidatePositions, clusters: await readClusters(columns, candidate) }
}

/** The numbers of both evaluations, each by its positions. */
export interface PairedColumn {
  base: RowNumbers
  candidate: RowNumbers
}

/** Undefined if an evaluation does not have the evaluator. */
export async function readPairedScores(
  columns: JoinedColumns,
  candidate: number,
  evaluator: string,
): Promise<PairedColumn | undefined> {
  const base = await columns.scores(columns.baseline, evaluator)
  const scores = await columns.scores(columns.sides[candidate + 1] as Side, evaluator)
  return base && scores && { base, candidate: scores }
}

export async function readPairedMeasures(
  columns: JoinedColumns,
  candidate: number,
  name: 'cost' | 'latency',
): Promise<PairedColumn> {
  return {
    base: await columns.measures(columns.baseline, name),
    candidate: await columns.measures(columns.sides[candidate + 1] as Side, name),
  }
}

/** The pairs of some rows with a number on both sides. Scores of which only one is a verdict cannot be compared. */
export function pairNumbers(
  rows: Int32Array,
  { candidatePositions, clusters }: Pairs,
  { base, candidate }: PairedColumn,
): PairedNumbers {
  const [baseNumbers, numbers] = [new Float64Array(rows.length), new Float64Array(rows.length)]
  const pairClusters = clusters && new Int32Array(rows.length)
  let [n, verdicts] = [0, 0]
  for (const row of rows) {
    const position = candidatePositions[row] as number
    if (base.verdicts[row] !== candidate.verdicts[position]) continue
    const [baseNumber, number] = [base.numbers[row] as number, candidate.numbers[position] as number]
    if (Number.isNaN(baseNumber) || Number.isNaN(number)) continue
    baseNumbers[n] = baseNumber
    numbers[n] = number
    if (pairClusters) pairClusters[n] = clusters[row] as number
    verdicts += base.verdicts[row] as number
    n += 1
  }
  return {
    baseline: baseNumbers.subarray(0, n),
    candidate: numbers.subarray(0, n),
    clusters: pairClusters?.subarray(0, n),
    verdicts,
  }
}

/** The cluster of each pair by baseline position. Undefined if no join key is repeated. */
async function readClusters(
  { connection, join, baseline }: JoinedColumns,
  candidate: number,
): Promise<Int32Array | undefined> {
  const { pairs, repeats } = join.joins[candidate] as CandidateJoin
  if (repeats.baseline + repeats.candidate === 0) return undefined
  const packed = await connection.readNumbers(
    `SELECT base_position * ? + cluster FROM (${pairs.sql}) AS pair`,
    baseline.positionCount,
    ...pairs.values,
  )
  const clusters = new Int32Array(baseline.positionCount)
  for (const pair of packed)
    clusters[Math.floor(pair / baseline.positionCount)] = pair % baseline.positionCount
  return clusters
}

export interface ChangeCounts {
  /** The number of pairs with different outputs. */
  outputs_changed: number
  /** The number of pairs with different expected answers. */
  answers_differ: number
  /** The number of pairs with different inputs. Values that differ only in type, and rows without inputs, do not count. */
  inputs_differ: number
}

export async function countChanges(
  { connection, join }: JoinedColumns,
  candidate: number,
): Promise<ChangeCounts> {
  const { baseline, candidate: side, pairs } = join.joins[candidate] as CandidateJoin
  const row = await connection.get<ChangeCounts>(
    `SELECT count(*) FILTER (WHERE a.output_hash <> b.output_hash) AS outputs_changed,
       count(*) FILTER (WHERE a.expected_hash <> b.expected_hash) AS answers_differ,
       count(*) FILTER (WHERE a.input_text_hash <> b.input_text_hash) AS inputs_differ
     FROM (${pairs.sql}) AS pair CROSS JOIN measure AS a CROSS JOIN measure AS b
     WHERE ${connection.sql.cancelable('pair.base_position')} AND a.evaluation = ? AND a.position = pair.base_position
       AND b.evaluation = ? AND b.position = pair.position`,
    ...pairs.values,
    baseline.key,
    side.key,
  )
  return row as ChangeCounts
}
