// Compares groups of rows with the paired rows of a baseline.
import { setImmediate } from 'node:timers/promises'
import type { GroupChange } from '../../schema/analysis/breakdowns.ts'
import { countChangedRows, NO_STATISTICS, toPairedStatistics } from '../compare/comparisons.ts'
import type { JoinedColumns } from '../compare/joined-columns.ts'
import { type PairedColumn, type Pairs, pairNumbers, readPairs } from '../compare/paired-statistics.ts'
import { type GroupDifferenceStatistics, summarizeGroupDifferences } from '../statistics/group-differences.ts'
import { summarizeDifferences } from '../statistics/paired-differences.ts'
import type { GroupedRows } from './listed-groups.ts'

/** The pairs of all groups, and of each group as a list of baseline positions. */
export interface GroupPairs extends Pairs {
  groups: Int32Array[]
}

/** Only pairs whose row of the first candidate is in a group. */
export async function readGroupPairs(
  baseline: JoinedColumns,
  { indexes, count }: GroupedRows,
): Promise<GroupPairs> {
  const { rows, ...pairs } = await readPairs(baseline, 0)
  const indexOf = (row: number) => indexes[pairs.candidatePositions[row] as number] as number
  const groupedRows = rows.filter((row) => indexOf(row) >= 0)
  return { ...pairs, rows: groupedRows, groups: splitByIndex(groupedRows, groupedRows.map(indexOf), count) }
}

/** Splits numbers into lists by the index that each of them has. */
function splitByIndex(numbers: Int32Array, indexes: Int32Array, count: number): Int32Array[] {
  const sizes = new Int32Array(count)
  for (const index of indexes) sizes[index] = (sizes[index] as number) + 1
  const lists = Array.from(sizes, (size) => new Int32Array(size))
  sizes.fill(0)
  for (let row = 0; row < numbers.length; row += 1) {
    const index = indexes[row] as number
    const list = lists[index] as Int32Array
    list[sizes[index] as number] = numbers[row] as number
    sizes[index] = (sizes[index] as number) + 1
  }
  return lists
}

/** The interval of all rows is the one that summaries have. */
const TOTAL_CONFIDENCE = 0.95

/** The change of each group, and of all rows as the last one. An evaluator that one evaluation lacks has no column. */
export async function compareGroups(
  { groups, ...pairs }: GroupPairs,
  column: PairedColumn | undefined,
  higherIsBetter: boolean,
): Promise<GroupChange[]> {
  const total = column ? summarizeDifferences(pairNumbers(pairs.rows, pairs, column)) : NO_STATISTICS
  // Other requests run in between: each part can take tens of milliseconds.
  await setImmediate()
  const statistics: GroupDifferenceStatistics[] = column
    ? summarizeGroupDifferences(groups.map((rows) => pairNumbers(rows, pairs, column)))
    : groups.map(() => ({ ...NO_STATISTICS, confidence: null, contribution: null }))
  const confidence = total.interval === null ? null : TOTAL_CONFIDENCE
  return [...statistics, { ...total, confidence, contribution: total.delta }].map((group) =>
    toGroupChange(group, higherIsBetter),
  )
}

function toGroupChange(statistics: GroupDifferenceStatistics, higherIsBetter: boolean): GroupChange {
  const { confidence, contribution } = statistics
  const { n, base_mean, delta, interval, outcome } = toPairedStatistics(statistics, higherIsBetter)
  return {
    n,
    mean: base_mean,
    delta,
    interval,
    confidence,
    outcome,
    contribution,
    ...countChangedRows(statistics, higherIsBetter),
  }
}
