// Statistics of cost, latency and scores over joined rows: counts, means, and the mean difference with its confidence
// interval. They are computed in memory, so both engines return the same numbers, of any size.
import type { BaselineStatistics } from '../../schema/summaries.ts'
import {
  type PairedDifferenceStatistics,
  type PairedNumbers,
  summarizeDifferences,
} from '../statistics/paired-differences.ts'
import type { JoinedColumns } from './joined-columns.ts'
import { CHANGE, changeOf } from './row-classes.ts'
import type { RowScores } from './rows/row-scores.ts'
import type { Side } from './sides.ts'

export interface ComparisonStatistics {
  /** By name. Evaluators that one side lacks are omitted. */
  evaluators: Map<string, RowStatistics>
  cost: RowStatistics
  latency: RowStatistics
}

/** The statistics of some joined rows. */
export interface RowStatistics extends PairedDifferenceStatistics {
  /** The numbers that they are computed from. */
  pairs: PairedNumbers
  /** How many rows certainly changed, and how many differ although their repeats overlap. */
  changes: ChangedRows
  /** False if the joined rows are different rows of a test set. */
  hasOutcome: boolean
}

interface ChangedRows {
  higher: number
  lower: number
  unclear: number
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
  const summarize = (column: PairedColumn): RowStatistics => {
    const { changes, ...numbers } = pairNumbers(rows, pairs, column)
    return { ...summarizeDifferences(numbers), pairs: numbers, changes, hasOutcome: pairs.hasOutcome }
  }
  const statistics = new Map<string, RowStatistics>()
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

/** The pairs of a baseline and a candidate. Each row is given by the position of its first scenario. */
export interface Pairs {
  /** The baseline positions of all pairs, in ascending order. */
  rows: Int32Array
  /** By baseline position. */
  candidatePositions: Int32Array
  /** False if the joined rows are different rows of a test set. */
  hasOutcome: boolean
}

/** The candidate is counted from 0. */
export async function readPairs(columns: JoinedColumns, candidate: number): Promise<Pairs> {
  const { candidatePositions } = columns.pairIndex(candidate)
  const rows = candidatePositions.map((_, row) => row)
  const isPaired = (row: number) => (candidatePositions[row] as number) >= 0
  const hasOutcome = !(await columns.hasDifferentRows(candidate))
  return { rows: rows.filter(isPaired), candidatePositions, hasOutcome }
}

/** The scores of both evaluations by row. */
export interface PairedColumn {
  base: RowScores
  candidate: RowScores
}

/** Undefined if an evaluation does not have the evaluator. */
export async function readPairedScores(
  columns: JoinedColumns,
  candidate: number,
  evaluator: string,
): Promise<PairedColumn | undefined> {
  const base = await columns.rowScores(columns.baseline, evaluator)
  const scores = await columns.rowScores(columns.sides[candidate + 1] as Side, evaluator)
  return base && scores && { base, candidate: scores }
}

export async function readPairedMeasures(
  columns: JoinedColumns,
  candidate: number,
  name: 'cost' | 'latency',
): Promise<PairedColumn> {
  return {
    base: await columns.rowMeasures(columns.baseline, name),
    candidate: await columns.rowMeasures(columns.sides[candidate + 1] as Side, name),
  }
}

/** The pairs of some rows that can be compared. */
export function pairNumbers(
  rows: Int32Array,
  { candidatePositions }: Pairs,
  { base, candidate }: PairedColumn,
): PairedNumbers & { changes: ChangedRows } {
  const [baseNumbers, numbers] = [new Float64Array(rows.length), new Float64Array(rows.length)]
  const counts = [0, 0, 0, 0, 0]
  let [n, verdicts, hasRepeats] = [0, 0, false]
  for (const row of rows) {
    const position = candidatePositions[row] as number
    const change = changeOf(base, row, candidate, position)
    counts[change] = (counts[change] as number) + 1
    if (change === CHANGE.incomparable) continue
    const number = base.numbers[row] as number
    baseNumbers[n] = number
    // Means of the same repeats in another order can differ by rounding errors.
    numbers[n] = change === CHANGE.same ? number : (candidate.numbers[position] as number)
    verdicts += base.verdicts[row] as number
    hasRepeats ||= isRepeated(base, row) || isRepeated(candidate, position)
    n += 1
  }
  return {
    baseline: baseNumbers.subarray(0, n),
    candidate: numbers.subarray(0, n),
    verdicts,
    hasRepeats,
    changes: {
      higher: counts[CHANGE.higher] as number,
      lower: counts[CHANGE.lower] as number,
      unclear: counts[CHANGE.unclear] as number,
    },
  }
}

function isRepeated({ repeats }: RowScores, row: number): boolean {
  return repeats !== undefined && (repeats.counts[row] as number) > 1
}

const NO_PAIRS: PairedNumbers = {
  baseline: new Float64Array(),
  candidate: new Float64Array(),
  verdicts: 0,
  hasRepeats: false,
}

/** For an evaluator that one side lacks. */
export const NO_STATISTICS: RowStatistics = {
  ...summarizeDifferences(NO_PAIRS),
  pairs: NO_PAIRS,
  changes: { higher: 0, lower: 0, unclear: 0 },
  hasOutcome: true,
}

export function countChangedRows(
  { changes: { higher, lower, unclear } }: Pick<RowStatistics, 'changes'>,
  higherIsBetter: boolean,
): Pick<BaselineStatistics, 'regressed' | 'improved' | 'unclear'> {
  return higherIsBetter
    ? { regressed: lower, improved: higher, unclear }
    : { regressed: higher, improved: lower, unclear }
}

/** The difference in the direction that the evaluator declares. */
export function toDifference(
  { delta, interval, direction, detectable, hasOutcome }: Omit<RowStatistics, 'pairs' | 'changes'>,
  higherIsBetter: boolean,
): Pick<BaselineStatistics, 'delta' | 'interval' | 'outcome' | 'detectable'> {
  const isDirected = direction === 'higher' || direction === 'lower'
  const outcome = isDirected ? ((direction === 'higher') === higherIsBetter ? 'better' : 'worse') : direction
  return { delta, interval, outcome: hasOutcome ? outcome : null, detectable }
}
