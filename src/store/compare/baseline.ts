// The rows of a baseline that are paired with rows of an evaluation, and their score differences.

import { toStorableText } from '../../json/storable-text.ts'
import { readScenarioIds } from '../reads/scenario-ids.ts'
import { finiteOrNull } from '../statistics/rounding.ts'
import type { JoinedColumns } from './joined-columns.ts'

/** The score difference between a row and its paired baseline row. `base` is the mean of its repeats. */
export interface RowDelta {
  evaluator: string
  base: number | null
  delta: number | null
}

export interface PairedRow {
  id: string
  position: number
  deltas: RowDelta[]
}

/** The score differences between the rows of an evaluation and its baseline, by the position of each scenario. */
export async function readDeltasByPosition(columns: JoinedColumns, evaluator: string): Promise<Float64Array> {
  const { rowNumbers } = columns.pairIndex(0)
  const { deltas } = await columns.changes(0, toStorableText(evaluator))
  const { firstPositions } = await columns.rows(columns.first)
  return Float64Array.from(rowNumbers, (_, position) => {
    const first = firstPositions?.[position] ?? position
    return deltas[rowNumbers[first] ?? -1] ?? Number.NaN
  })
}

/** The paired baseline rows of a few scenarios, by the position of the scenario. */
export async function readPairedRows(
  columns: JoinedColumns,
  positions: number[],
): Promise<Map<number, PairedRow>> {
  const { connection, baseline, first } = columns
  const { rowNumbers } = columns.pairIndex(0)
  const { firstPositions } = await columns.rows(first)
  const rows = new Map(
    positions.map((position) => [position, rowNumbers[firstPositions?.[position] ?? position] ?? -1]),
  )
  const isPaired = (row: number) => row >= 0 && row < baseline.positionCount
  const pairedRows = [...new Set(rows.values())].filter(isPaired)
  const ids = await readScenarioIds(connection, baseline.key, pairedRows)
  const deltasOf = await openRowDeltas(columns)
  return new Map(
    [...rows].flatMap(([position, row]) => {
      const id = ids.get(row)
      return id === undefined ? [] : [[position, { id, position: row, deltas: deltasOf(row) }]]
    }),
  )
}

/** Differences are null if they do not fit a double. */
async function openRowDeltas(columns: JoinedColumns): Promise<(row: number) => RowDelta[]> {
  const evaluators: { evaluator: string; scores: Float64Array | undefined; deltas: Float64Array }[] = []
  for (const evaluator of columns.first.evaluators) {
    const scores = (await columns.rowScores(columns.baseline, evaluator))?.numbers
    evaluators.push({ evaluator, scores, deltas: (await columns.changes(0, evaluator)).deltas })
  }
  return (row) =>
    evaluators.map(({ evaluator, scores, deltas }) => {
      return { evaluator, base: finiteOrNull(scores?.[row]), delta: finiteOrNull(deltas[row]) }
    })
}
