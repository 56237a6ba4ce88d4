// Reads the repeats of a few rows, and lists the rows of a view.

import type { Order } from '../../../schema/filters/orders.ts'
import { MAX_LISTED_REPEATS, type RowRepeats } from '../../../schema/rows.ts'
import { sortByDelta } from '../../query/deltas.ts'
import { readScenarioIds } from '../../reads/scenario-ids.ts'
import { finiteOrNull, roundStatistic } from '../../statistics/rounding.ts'
import type { SideColumns } from '../side-columns.ts'
import type { Side } from '../sides.ts'
import type { RowScores } from './row-scores.ts'

/** The first positions of the rows that have a scenario in a view, in the order of the view, or of the means of their repeats. */
export async function groupPositions(
  columns: SideColumns,
  side: Side,
  positions: Float64Array,
  order: Order,
): Promise<Float64Array> {
  const { firstPositions } = await columns.rows(side)
  if (!firstPositions) return positions
  const rows = Float64Array.from(new Set(positions.map((position) => firstPositions[position] as number)))
  if (order.by === 'position') return order.direction === 'desc' ? rows.sort().reverse() : rows.sort()
  const scores = await readSortedScores(columns, side, order)
  if (!scores) return rows
  rows.sort()
  const means = rows.map((row) => scores.numbers[row] as number)
  const sorted = sortByDelta(means, order.direction)
  const others = rows.filter((_, index) => !Number.isFinite(means[index]))
  const ordered = new Float64Array(rows.length)
  ordered.set(Float64Array.from(sorted, (index) => rows[index] as number))
  ordered.set(others, sorted.length)
  return ordered
}

async function readSortedScores(
  columns: SideColumns,
  side: Side,
  { by, name }: Order,
): Promise<RowScores | undefined> {
  if (by === 'result') return columns.rowScores(side, name)
  return by === 'cost' || by === 'latency' ? columns.rowMeasures(side, by) : undefined
}

/** The ids of the repeats in order, by the first position of their row. Rows with a single scenario are omitted. */
export async function readRepeatIds(
  columns: SideColumns,
  side: Side,
  rows: readonly number[],
): Promise<Map<number, string[]>> {
  const positionsOfRows = await findRepeats(columns, side, rows)
  const listed = [...positionsOfRows].map(([row, positions]) => ({
    row,
    positions: positions.slice(0, MAX_LISTED_REPEATS),
  }))
  const positions = listed.flatMap(({ positions }) => positions)
  const ids = await readScenarioIds(columns.connection, side.key, positions)
  return new Map(
    listed.map(({ row, positions }) => [row, positions.map((position) => ids.get(position) as string)]),
  )
}

/** The repeats with their scores, by the first position of their row. Rows with a single scenario are omitted. */
export async function readRepeats(
  columns: SideColumns,
  side: Side,
  rows: readonly number[],
): Promise<Map<number, RowRepeats>> {
  const ids = await readRepeatIds(columns, side, rows)
  const positionsOfRows = await findRepeats(columns, side, rows)
  const repeats = new Map<number, RowRepeats>()
  for (const [row, scenarios] of ids)
    repeats.set(row, { count: positionsOfRows.get(row)?.length ?? 0, scenarios, scores: [] })
  for (const evaluator of side.evaluators) {
    const scores = await columns.scores(side, evaluator)
    const means = await columns.rowScores(side, evaluator)
    for (const [row, positions] of positionsOfRows)
      repeats.get(row)?.scores.push({
        evaluator,
        is_verdict: means?.verdicts[row] === 1,
        mean: roundStatistic(means?.numbers[row]),
        scores: positions
          .slice(0, MAX_LISTED_REPEATS)
          .map((position) => finiteOrNull(scores?.numbers[position])),
      })
  }
  return repeats
}

/** The positions of all repeats, by the first position of their row. */
async function findRepeats(
  columns: SideColumns,
  side: Side,
  rows: readonly number[],
): Promise<Map<number, number[]>> {
  const { firstPositions } = await columns.rows(side)
  const found = new Map<number, number[]>(rows.map((row) => [row, []]))
  for (const [position, first] of firstPositions?.entries() ?? []) found.get(first)?.push(position)
  return new Map([...found].filter(([, positions]) => positions.length > 1))
}
