// Compares groups of rows with the paired rows of a baseline.
import { setImmediate } from 'node:timers/promises'
import type { GroupChange } from '../../schema/analysis/breakdowns.ts'
import type { JoinedColumns } from '../compare/joined-columns.ts'
import {
  countChangedRows,
  NO_STATISTICS,
  type PairedColumn,
  type Pairs,
  pairNumbers,
  type RowStatistics,
  readPairs,
  toDifference,
} from '../compare/paired-statistics.ts'
import { summarizeGroupDifferences } from '../statistics/group-differences.ts'
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
  const { hasOutcome } = pairs
  if (!column)
    return [...groups, pairs.rows].map(() =>
      toGroupChange({ ...NO_STATISTICS, confidence: null, contribution: null }, higherIsBetter),
    )
  const { changes: totalChanges, ...all } = pairNumbers(pairs.rows, pairs, column)
  const total = { ...summarizeDifferences(all), changes: totalChanges, hasOutcome }
  // Other requests run in between: each part can take tens of milliseconds.
  await setImmediate()
  const pairsOfGroups = groups.map((rows) => pairNumbers(rows, pairs, column))
  const statistics = summarizeGroupDifferences(pairsOfGroups).map((group, index) => {
    return { ...group, changes: (pairsOfGroups[index] as (typeof pairsOfGroups)[number]).changes, hasOutcome }
  })
  const confidence = total.interval === null ? null : TOTAL_CONFIDENCE
  return [...statistics, { ...total, confidence, contribution: total.delta }].map((group) =>
    toGroupChange(group, higherIsBetter),
  )
}

interface GroupRowStatistics extends Omit<RowStatistics, 'pairs'> {
  confidence: number | null
  contribution: number | null
}

function toGroupChange(statistics: GroupRowStatistics, higherIsBetter: boolean): GroupChange {
  const { n, base_mean, confidence, contribution } = statistics
  return {
    n,
    mean: base_mean,
    ...toDifference(statistics, higherIsBetter),
    confidence,
    contribution,
    ...countChangedRows(statistics, higherIsBetter),
  }
}
