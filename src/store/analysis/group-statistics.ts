// Statistics of groups of rows: counts, scores, cost and latency, and their differences from a baseline.
import { setImmediate } from 'node:timers/promises'
import type { GroupChange, GroupStatistics } from '../../schema/analysis/breakdowns.ts'
import { countChangedRows, NO_STATISTICS, toPairedStatistics } from '../compare/comparisons.ts'
import type { JoinedColumns } from '../compare/joined-columns.ts'
import {
  type PairedColumn,
  type Pairs,
  pairNumbers,
  readPairedMeasures,
  readPairedScores,
  readPairs,
} from '../compare/paired-statistics.ts'
import type { RowNumbers, SideColumns } from '../compare/side-columns.ts'
import { isHigherBetter, type Side } from '../compare/sides.ts'
import { DEFAULT_EVALUATOR, type DeclaredEvaluator } from '../evaluations/evaluators.ts'
import { type GroupDifferenceStatistics, summarizeGroupDifferences } from '../statistics/group-differences.ts'
import { summarizeDifferences } from '../statistics/paired-differences.ts'
import { roundRate } from '../statistics/rounding.ts'
import { computeTotals } from '../statistics/sums.ts'

/** Splits numbers by the index that each of them has. Numbers with the index -1 are in no list. */
export function splitByIndex(
  numbers: Int32Array,
  indexOf: (number: number) => number,
  count: number,
): Int32Array[] {
  const sizes = new Int32Array(count)
  const indexes = numbers.map(indexOf)
  for (const index of indexes) if (index >= 0) sizes[index] = (sizes[index] as number) + 1
  const lists = Array.from(sizes, (size) => new Int32Array(size))
  sizes.fill(0)
  for (const [row, index] of indexes.entries()) {
    if (index < 0) continue
    const list = lists[index] as Int32Array
    list[sizes[index] as number] = numbers[row] as number
    sizes[index] = (sizes[index] as number) + 1
  }
  return lists
}

export interface GroupedRows {
  /** By position: the index of the group, or -1. */
  indexes: Int32Array
  /** The number of groups. */
  count: number
}

/** The statistics of all rows of the groups, and of each group. */
export interface BreakdownStatistics {
  total: GroupStatistics
  groups: GroupStatistics[]
}

/** `baseline` contains the side as its first candidate. */
export async function computeGroupStatistics(
  columns: SideColumns,
  side: Side,
  { indexes, count }: GroupedRows,
  baseline: JoinedColumns | undefined,
): Promise<BreakdownStatistics> {
  const positions = Int32Array.from(indexes.keys()).filter((position) => (indexes[position] as number) >= 0)
  const groups = splitByIndex(positions, (position) => indexes[position] as number, count)
  // The total is computed like a group.
  const lists = [...groups, positions]
  const hasError = await readErrors(columns, side)
  const pairs = baseline && (await readGroupPairs(baseline, indexes, count))
  const evaluators: GroupStatistics['evaluators'][] = lists.map(() => [])
  for (const name of side.evaluators) {
    const scores = await columns.scores(side, name)
    const declared = side.declared.get(name) ?? DEFAULT_EVALUATOR
    const changes =
      pairs &&
      compareGroups(
        pairs,
        await readPairedScores(baseline, 0, name),
        isHigherBetter(baseline.baseline, side, name),
      )
    for (const [index, list] of lists.entries()) {
      const statistics = describeScores(scores as RowNumbers, list, declared)
      evaluators[index]?.push({ name, ...statistics, ...changeOf(changes, index) })
    }
    // Columns come from the cache, so that otherwise no other request would run before the last one.
    await setImmediate()
  }
  const readMeasure = async (name: 'cost' | 'latency') => {
    const { numbers } = await columns.measures(side, name)
    const changes = pairs && compareGroups(pairs, await readPairedMeasures(baseline, 0, name), false)
    await setImmediate()
    return lists.map((list, index) => {
      const values = selectNumbers(numbers, list)
      return { n: values.length, ...computeTotals(values), ...changeOf(changes, index) }
    })
  }
  const [costs, latencies] = [await readMeasure('cost'), await readMeasure('latency')]
  const statistics = lists.map((list, index) => {
    const { total: _, ...latency } = latencies[index] as (typeof latencies)[number]
    return {
      rows: list.length,
      output_errors: list.reduce((sum, position) => sum + (hasError[position] as number), 0),
      evaluators: evaluators[index] as GroupStatistics['evaluators'],
      cost: costs[index] as GroupStatistics['cost'],
      latency,
    }
  })
  return { total: statistics.pop() as GroupStatistics, groups: statistics }
}

function changeOf(changes: GroupChange[] | undefined, index: number): { base?: GroupChange } {
  return changes ? { base: changes[index] as GroupChange } : {}
}

/** By position: 1 if the application failed. */
async function readErrors(columns: SideColumns, side: Side): Promise<Uint8Array> {
  const { hasError } = await columns.cachedOf(side, 'errors', async () => {
    const hasError = new Uint8Array(side.positionCount)
    const statement = 'SELECT position FROM measure WHERE evaluation = ? AND has_error = 1'
    for (const position of await columns.connection.readNumbers(statement, side.key)) hasError[position] = 1
    return { hasError }
  })
  return hasError
}

/** The numbers of some rows, without those that have none. */
function selectNumbers(numbers: Float64Array, positions: Int32Array): Float64Array {
  return Float64Array.from(positions, (position) => numbers[position] as number).filter(
    (number) => !Number.isNaN(number),
  )
}

function describeScores(
  { numbers, verdicts }: RowNumbers,
  positions: Int32Array,
  { threshold, higher_is_better }: DeclaredEvaluator,
): Pick<GroupStatistics['evaluators'][number], 'n' | 'mean' | 'pass_rate'> {
  let [judged, passed] = [0, 0]
  for (const position of positions) {
    const number = numbers[position] as number
    const isVerdict = verdicts[position] === 1
    if (Number.isNaN(number) || (!isVerdict && threshold === null)) continue
    const limit = isVerdict || threshold === null ? 1 : threshold
    judged += 1
    if (isVerdict || higher_is_better ? number >= limit : number <= limit) passed += 1
  }
  const scores = selectNumbers(numbers, positions)
  return { n: scores.length, mean: computeTotals(scores).mean, pass_rate: roundRate(passed, judged) }
}

/** The pairs of each group, as lists of baseline positions. */
interface GroupPairs extends Pairs {
  groups: Int32Array[]
}

/** Only pairs whose row of the candidate is in a group. */
async function readGroupPairs(
  baseline: JoinedColumns,
  indexes: Int32Array,
  count: number,
): Promise<GroupPairs> {
  const { rows, ...pairs } = await readPairs(baseline, 0)
  const indexOf = (row: number) => indexes[pairs.candidatePositions[row] as number] as number
  return {
    ...pairs,
    rows: rows.filter((row) => indexOf(row) >= 0),
    groups: splitByIndex(rows, indexOf, count),
  }
}

/** The change of each group, and of all rows as the last one. */
function compareGroups(
  { groups, ...pairs }: GroupPairs,
  column: PairedColumn | undefined,
  higherIsBetter: boolean,
): GroupChange[] {
  const total = column ? summarizeDifferences(pairNumbers(pairs.rows, pairs, column)) : NO_STATISTICS
  const statistics: GroupDifferenceStatistics[] = column
    ? summarizeGroupDifferences(groups.map((rows) => pairNumbers(rows, pairs, column)))
    : groups.map(() => ({ ...NO_STATISTICS, confidence: null, contribution: null }))
  const confidence = total.interval === null ? null : TOTAL_CONFIDENCE
  return [...statistics, { ...total, confidence, contribution: total.delta }].map((group) =>
    toGroupChange(group, higherIsBetter),
  )
}

/** The interval of all rows is the one that summaries have. */
const TOTAL_CONFIDENCE = 0.95

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
