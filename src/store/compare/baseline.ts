// The rows of a baseline that are paired with rows of an evaluation, and their score differences.
import { toStorableText } from '../../json/storable-text.ts'
import type { Connection } from '../dialect/dialect.ts'
import { inList } from '../reads/in-list.ts'
import type { JoinedColumns } from './joined-columns.ts'
import type { Side } from './sides.ts'

/** The score difference between a row and its paired baseline row. */
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

/** The score differences between an evaluation and its baseline, by the position in the evaluation. */
export async function readDeltasByPosition(columns: JoinedColumns, evaluator: string): Promise<Float64Array> {
  const { rowNumbers } = await columns.pairIndex(0)
  const deltas = await columns.deltas(0, toStorableText(evaluator))
  return Float64Array.from(rowNumbers, (row) => deltas[row] ?? Number.NaN)
}

/** The paired baseline rows of a few rows, by the position of the row in the evaluation. */
export async function readPairedRows(
  { connection, baseline, first, firstJoin }: JoinedColumns,
  positions: number[],
): Promise<Map<number, PairedRow>> {
  const { sql, values } = firstJoin.pairsAt(positions)
  const pairs = await connection.all<{ position: number; base_position: number; id: string }>(
    `SELECT pair.position AS position, pair.base_position AS base_position, scenario.id AS id
     FROM (${sql}) AS pair
     CROSS JOIN scenario WHERE scenario.evaluation = ? AND scenario.position = pair.base_position`,
    ...values,
    baseline.key,
  )
  const candidateScore = await readScores(connection, first, positions)
  const baselineScore = await readScores(
    connection,
    baseline,
    pairs.map(({ base_position }) => base_position),
  )
  return new Map(
    pairs.map(({ position, base_position, id }) => {
      const deltas = first.evaluators.map((evaluator) =>
        toRowDelta(evaluator, baselineScore(base_position, evaluator), candidateScore(position, evaluator)),
      )
      return [position, { id, position: base_position, deltas }]
    }),
  )
}

interface Score {
  number: number
  is_verdict: number
}

async function readScores(connection: Connection, { key, ordinals }: Side, positions: number[]) {
  if (ordinals.size === 0) return () => undefined
  const names = new Map([...ordinals].map(([name, ordinal]) => [ordinal, name]))
  const list = inList(positions)
  // Evaluators are listed one by one: with a range, the engine would scan every position.
  const rows = await connection.all<Score & { position: number; evaluator: number }>(
    `SELECT position, evaluator, number, is_verdict FROM result
     WHERE evaluation = ? AND evaluator IN (${[...names.keys()].join(', ')}) AND position IN (${list.placeholders})
       AND is_error = 0 AND number IS NOT NULL`,
    key,
    ...list.values,
  )
  const scores = new Map(rows.map((row) => [`${row.position} ${names.get(row.evaluator)}`, row]))
  return (position: number, evaluator: string): Score | undefined => scores.get(`${position} ${evaluator}`)
}

/** The difference is null if it does not fit a double. */
function toRowDelta(evaluator: string, baseline: Score | undefined, candidate: Score | undefined): RowDelta {
  const isSameKind = baseline?.is_verdict === candidate?.is_verdict
  const delta = baseline && candidate && isSameKind ? candidate.number - baseline.number : Number.NaN
  return { evaluator, base: baseline?.number ?? null, delta: Number.isFinite(delta) ? delta : null }
}
