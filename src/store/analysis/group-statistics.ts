// Statistics of groups of rows: counts, scores, cost and latency, and their differences from a baseline.
import { setImmediate } from 'node:timers/promises'
import type { GroupChange, GroupStatistics } from '../../schema/analysis/breakdowns.ts'
import type { JoinedColumns } from '../compare/joined-columns.ts'
import { readPairedMeasures, readPairedScores } from '../compare/paired-statistics.ts'
import type { RowScores } from '../compare/rows/row-scores.ts'
import type { SideColumns } from '../compare/side-columns.ts'
import { isHigherBetter, type Side } from '../compare/sides.ts'
import { DEFAULT_EVALUATOR } from '../evaluations/evaluators.ts'
import { ExactSum } from '../statistics/exact-sum.ts'
import { roundRate } from '../statistics/rounding.ts'
import { compareGroups, type GroupPairs, readGroupPairs } from './group-changes.ts'
import type { GroupedRows } from './listed-groups.ts'

/** The statistics of each group, and of all their rows. */
export interface BreakdownStatistics {
  groups: GroupStatistics[]
  total: GroupStatistics
}

/** `baseline` contains the side as its first candidate. */
export async function computeGroupStatistics(
  columns: SideColumns,
  side: Side,
  grouped: GroupedRows,
  baseline: JoinedColumns | undefined,
): Promise<BreakdownStatistics> {
  const changes = baseline && new GroupChanges(baseline, await readGroupPairs(baseline, grouped))
  const evaluators: GroupStatistics['evaluators'][] = []
  for (const name of side.evaluators) {
    const declared = side.declared.get(name) ?? DEFAULT_EVALUATOR
    const scores = (await columns.rowScores(side, name)) as RowScores
    const totals = addNumbers(scores, await columns.passRates(side, name, declared), grouped)
    const groups = withChanges(totals, await changes?.ofScores(name))
    for (const [index, { total: _, ...statistics }] of groups.entries()) {
      evaluators[index] ??= []
      evaluators[index].push({ name, ...statistics })
    }
    // If the columns are cached, no other request would run before the last column.
    await setImmediate()
  }
  const readMeasure = async (name: 'cost' | 'latency') => {
    const totals = addNumbers(await columns.rowMeasures(side, name), undefined, grouped)
    return withChanges(totals, await changes?.ofMeasures(name))
  }
  const [costs, latencies] = [await readMeasure('cost'), await readMeasure('latency')]
  await setImmediate()
  const counts = countRows(await readErrors(columns, side), grouped)
  const statistics = counts.map((counts, index): GroupStatistics => {
    const { pass_rate: _, ...cost } = costs[index] as ColumnStatistics
    const { pass_rate: __, total: ___, ...latency } = latencies[index] as ColumnStatistics
    return { ...counts, evaluators: evaluators[index] ?? [], cost, latency }
  })
  const total = statistics.pop() as GroupStatistics
  return { groups: statistics, total }
}

interface ColumnStatistics {
  n: number
  total: number | null
  mean: number | null
  pass_rate: number | null
  base?: GroupChange
}

function withChanges(statistics: ColumnStatistics[], changes: GroupChange[] | undefined): ColumnStatistics[] {
  if (!changes) return statistics
  return statistics.map((group, index) => ({ ...group, base: changes[index] as GroupChange }))
}

/** The changes of each column, by group. The change of all rows is the last one. */
class GroupChanges {
  readonly #columns: JoinedColumns
  readonly #pairs: GroupPairs

  constructor(columns: JoinedColumns, pairs: GroupPairs) {
    this.#columns = columns
    this.#pairs = pairs
  }

  async ofScores(evaluator: string): Promise<GroupChange[]> {
    const { baseline, first } = this.#columns
    const numbers = await readPairedScores(this.#columns, 0, evaluator)
    await setImmediate()
    return compareGroups(this.#pairs, numbers, isHigherBetter(baseline, first, evaluator))
  }

  async ofMeasures(name: 'cost' | 'latency'): Promise<GroupChange[]> {
    const numbers = await readPairedMeasures(this.#columns, 0, name)
    await setImmediate()
    return compareGroups(this.#pairs, numbers, false)
  }
}

/** The numbers of one column in the rows of a group. */
class NumberTotals {
  n = 0
  /** How many of the numbers are 1. They are not in the sum, because most verdicts are 1. */
  ones = 0
  readonly sum = new ExactSum()
  /** How many of the numbers pass or fail, and how many pass: of rows with repeats, the share that passes. */
  judged = 0
  passed = 0

  addAll({ n, ones, sum, judged, passed }: NumberTotals): void {
    this.n += n
    this.ones += ones
    this.sum.addAll(sum)
    this.judged += judged
    this.passed += passed
  }

  statistics(): ColumnStatistics {
    const { n, ones, sum, judged, passed } = this
    return { n, ...sum.totals(n, ones), pass_rate: roundRate(passed, judged) }
  }
}

/** The statistics of a column by group. Those of all groups together are the last ones. */
function addNumbers(
  { numbers }: RowScores,
  passRates: Float64Array | undefined,
  { indexes, count }: GroupedRows,
): ColumnStatistics[] {
  const groups = Array.from({ length: count }, () => new NumberTotals())
  for (let position = 0; position < indexes.length; position += 1) {
    const number = numbers[position] as number
    const group = groups[indexes[position] as number]
    if (group === undefined || Number.isNaN(number)) continue
    group.n += 1
    if (number === 1) group.ones += 1
    else group.sum.add(number)
    const passRate = passRates?.[position] ?? Number.NaN
    if (Number.isNaN(passRate)) continue
    group.judged += 1
    group.passed += passRate
  }
  const total = new NumberTotals()
  for (const group of groups) total.addAll(group)
  return [...groups, total].map((group) => group.statistics())
}

type RowCounts = Pick<GroupStatistics, 'rows' | 'output_errors'>

/** Counts rows by group. The counts of all groups together are the last ones. */
function countRows(hasError: Uint8Array, { indexes, count }: GroupedRows): RowCounts[] {
  const groups = Array.from({ length: count }, (): RowCounts => ({ rows: 0, output_errors: 0 }))
  for (let position = 0; position < indexes.length; position += 1) {
    const group = groups[indexes[position] as number]
    if (group === undefined) continue
    group.rows += 1
    group.output_errors += hasError[position] as number
  }
  const sum = (name: keyof RowCounts) => groups.reduce((total, group) => total + group[name], 0)
  return [...groups, { rows: sum('rows'), output_errors: sum('output_errors') }]
}

/** By the position of the first scenario of a row: 1 if the application failed for a scenario of the row. */
async function readErrors(columns: SideColumns, side: Side): Promise<Uint8Array> {
  const { hasError } = await columns.cachedOf(side, 'errors', async () => {
    const hasError = new Uint8Array(side.positionCount)
    const statement = 'SELECT position FROM measure WHERE evaluation = ? AND has_error = 1'
    const { firstPositions } = await columns.rows(side)
    for (const position of await columns.connection.readNumbers(statement, side.key))
      hasError[firstPositions?.[position] ?? position] = 1
    return { hasError }
  })
  return hasError
}
