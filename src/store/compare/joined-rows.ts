// Reads joined rows: the positions, class, scores, score difference and output change of each candidate.
import type { RowClass, RowScore } from '../../schema/comparisons.ts'
import type { Connection } from '../dialect/dialect.ts'
import { readRowsAt } from '../reads/in-list.ts'
import { finiteOrNull, roundStatistic } from '../statistics/rounding.ts'
import type { JoinedColumns } from './joined-columns.ts'
import { resolveName } from './joined-filters.ts'
import { NO_ROW } from './joins.ts'
import { classOf } from './row-classes.ts'
import { readRepeatIds } from './rows/repeats.ts'
import { isHigherBetter, listEvaluators, type Side, type Sides } from './sides.ts'

/** Positions are null where an evaluation has no such row. */
export interface JoinedRow {
  baseline: number | null
  /** The score of the baseline. Null without one. */
  base_score: RowScore | null
  /** The ids of the repeats of the baseline row. Null if it has none. */
  base_repeats: string[] | null
  candidates: JoinedCandidate[]
}

export interface JoinedCandidate {
  position: number | null
  class: RowClass
  score: RowScore | null
  repeats: string[] | null
  delta: number | null
  output_changed: boolean | null
}

/** Defaults to the first evaluator that baseline and first candidate share, or the first. Throws invalid-request. */
export function chooseEvaluator(sides: Sides, requested: string | undefined): string | undefined {
  if (requested !== undefined) return resolveName(sides, requested, 'evaluator')
  const names = listEvaluators(sides)
  const [baseline, first] = sides
  return names.find((name) => baseline.ordinals.has(name) && first?.ordinals.has(name)) ?? names[0]
}

/** Reads a few rows by row number. */
export async function readJoinedRows(
  columns: JoinedColumns,
  rowNumbers: Int32Array,
  on: string | undefined,
): Promise<JoinedRow[]> {
  const [baseline, ...candidates] = columns.sides
  const baselinePositions = [...rowNumbers].map((row) => (row < baseline.positionCount ? row : null))
  const baselineScoreOf = await readScore(columns, baseline, on)
  const baselineRepeats = await readRepeatIds(columns, baseline, withoutNulls(baselinePositions))
  const rows = baselinePositions.map(
    (position): JoinedRow => ({
      baseline: position,
      base_score: baselineScoreOf(position),
      base_repeats: baselineRepeats.get(position ?? NO_ROW) ?? null,
      candidates: [],
    }),
  )
  const baselineOutputs = await readOutputHashes(columns.connection, baseline, baselinePositions)
  for (const [ordinal, candidate] of candidates.entries()) {
    const { candidatePositions } = columns.pairIndex(ordinal)
    const { deltas, changes } = await columns.changes(ordinal, on)
    const scoreOf = await readScore(columns, candidate, on)
    const higherIsBetter = isHigherBetter(baseline, candidate, on)
    const positions = baselinePositions.map((position, index) => {
      const unpairedPosition = ordinal === 0 ? (rowNumbers[index] as number) - baseline.positionCount : NO_ROW
      const candidatePosition =
        position === null ? unpairedPosition : (candidatePositions[position] as number)
      return candidatePosition === NO_ROW ? null : candidatePosition
    })
    const repeatsOf = await readRepeatIds(columns, candidate, withoutNulls(positions))
    const outputs = await readOutputHashes(columns.connection, candidate, positions)
    for (const [index, row] of rows.entries()) {
      const position = positions[index] ?? null
      const scores = { score: scoreOf(position), repeats: repeatsOf.get(position ?? NO_ROW) ?? null }
      if (row.baseline === null || position === null) {
        row.candidates.push({ position, class: 'missing', ...scores, delta: null, output_changed: null })
        continue
      }
      const delta = deltas[row.baseline] as number
      row.candidates.push({
        position,
        class: classOf(changes[row.baseline] as number, higherIsBetter),
        ...scores,
        delta: roundMeans(delta, scores.repeats !== null || row.base_repeats !== null),
        output_changed: outputs.get(position) !== baselineOutputs.get(row.baseline),
      })
    }
  }
  return rows
}

/** Reads the score of the row that starts at a position. */
async function readScore(
  columns: JoinedColumns,
  side: Side,
  on: string | undefined,
): Promise<(position: number | null) => RowScore | null> {
  const scores = on === undefined ? undefined : await columns.rowScores(side, on)
  return (position) => {
    const mean = position === null ? undefined : scores?.numbers[position]
    if (!scores || position === null || mean === undefined || Number.isNaN(mean)) return null
    const count = scores.repeats ? (scores.repeats.counts[position] as number) : 1
    const passes = scores.verdicts[position] === 1 ? Math.round(count * mean) : null
    return { count, passes, mean: roundStatistic(mean) }
  }
}

/** Means of repeats have rounding errors; the difference of two scores is exact. */
function roundMeans(delta: number, hasRepeats: boolean): number | null {
  return hasRepeats ? roundStatistic(delta) : finiteOrNull(delta)
}

function withoutNulls(positions: (number | null)[]): number[] {
  return positions.filter((position) => position !== null)
}

/** Hashes of the outputs, by position. */
async function readOutputHashes(
  connection: Connection,
  { key }: Side,
  positions: (number | null)[],
): Promise<Map<number, string>> {
  const rows = await readRowsAt<{ output_hash: Uint8Array }>(
    connection,
    'measure',
    'output_hash',
    key,
    withoutNulls(positions),
  )
  return new Map(
    [...rows].map(([position, { output_hash }]) => [position, Buffer.from(output_hash).toString('base64')]),
  )
}
