// Statistics of cost, latency and scores over paired rows: counts, means, and the mean difference with its confidence
// interval. They are computed in memory, so both engines return the same numbers, of any size.
import {
  type PairedDifferenceStatistics,
  type PairedNumbers,
  summarizeDifferences,
} from '../statistics/paired-differences.ts'
import { type JoinedColumns, NO_ROW, type RowNumbers } from './joined-columns.ts'
import type { CandidateJoin } from './joins.ts'
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
  const { baseline } = columns
  const side = columns.sides[candidate + 1] as Side
  const { candidatePositions } = await columns.pairIndex(candidate)
  const clusters = await readClusters(columns, candidate)
  const pairedPositions = isIncluded
    ? candidatePositions.map((position) => (isIncluded[position] === 1 ? position : NO_ROW))
    : candidatePositions
  const summarize = (base: RowNumbers, numbers: RowNumbers) =>
    summarizeDifferences(pairNumbers(pairedPositions, base, numbers, clusters))
  const statistics = new Map<string, PairedDifferenceStatistics>()
  for (const name of evaluators) {
    const base = await columns.scores(baseline, name)
    const scores = await columns.scores(side, name)
    if (base && scores) statistics.set(name, summarize(base, scores))
  }
  const readMeasure = async (column: 'cost' | 'latency') =>
    summarize(await columns.measures(baseline, column), await columns.measures(side, column))
  return {
    evaluators: statistics,
    cost: await readMeasure('cost'),
    latency: await readMeasure('latency'),
  }
}

/** The pairs with a number on both sides. Scores of which only one is a verdict cannot be compared. */
function pairNumbers(
  candidatePositions: Int32Array,
  base: RowNumbers,
  candidate: RowNumbers,
  clusters: Int32Array | undefined,
): PairedNumbers {
  const size = candidatePositions.length
  const [baseNumbers, numbers] = [new Float64Array(size), new Float64Array(size)]
  const pairClusters = clusters && new Int32Array(size)
  let [n, verdicts] = [0, 0]
  for (let row = 0; row < size; row += 1) {
    const position = candidatePositions[row] as number
    if (position < 0 || base.verdicts[row] !== candidate.verdicts[position]) continue
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
