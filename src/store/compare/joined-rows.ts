// Reads joined rows: the positions, class, score difference and output change of each candidate.
import type { RowClass } from '../../schema/comparisons.ts'
import type { Connection } from '../dialect/dialect.ts'
import { inList } from '../reads/in-list.ts'
import { type JoinedColumns, NO_ROW } from './joined-columns.ts'
import { resolveName } from './joined-filters.ts'
import { classifyDelta } from './row-classes.ts'
import { isHigherBetter, listEvaluators, type Side, type Sides } from './sides.ts'

/** Positions are null where an evaluation has no such row. */
export interface JoinedRow {
  baseline: number | null
  candidates: JoinedCandidate[]
}

export interface JoinedCandidate {
  position: number | null
  class: RowClass
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
  const rows = baselinePositions.map((position): JoinedRow => ({ baseline: position, candidates: [] }))
  const baselineOutputs = await readOutputHashes(columns.connection, baseline, baselinePositions)
  for (const [ordinal, candidate] of candidates.entries()) {
    const { candidatePositions } = await columns.pairIndex(ordinal)
    const deltas = await columns.deltas(ordinal, on)
    const higherIsBetter = isHigherBetter(baseline, candidate, on)
    const positions = baselinePositions.map((position, index) => {
      const unpairedPosition = ordinal === 0 ? (rowNumbers[index] as number) - baseline.positionCount : NO_ROW
      const candidatePosition =
        position === null ? unpairedPosition : (candidatePositions[position] as number)
      return candidatePosition === NO_ROW ? null : candidatePosition
    })
    const outputs = await readOutputHashes(columns.connection, candidate, positions)
    for (const [index, row] of rows.entries()) {
      const position = positions[index] ?? null
      if (row.baseline === null || position === null) {
        row.candidates.push({ position, class: 'missing', delta: null, output_changed: null })
        continue
      }
      const delta = deltas[row.baseline] as number
      row.candidates.push({
        position,
        class: classifyDelta(delta, higherIsBetter),
        delta: Number.isFinite(delta) ? delta : null,
        output_changed: outputs.get(position) !== baselineOutputs.get(row.baseline),
      })
    }
  }
  return rows
}

/** Hashes of the outputs, by position. */
async function readOutputHashes(
  connection: Connection,
  { key }: Side,
  positions: (number | null)[],
): Promise<Map<number, string>> {
  const { placeholders, values } = inList(positions.filter((position) => position !== null))
  const rows = await connection.all<{ position: number; output_hash: Uint8Array }>(
    `SELECT position, output_hash FROM measure WHERE evaluation = ? AND position IN (${placeholders})`,
    key,
    ...values,
  )
  return new Map(
    rows.map(({ position, output_hash }) => [position, Buffer.from(output_hash).toString('base64')]),
  )
}
