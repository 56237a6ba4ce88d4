// Windows of joined rows: which rows of the base and its candidates stand beside each other, and what became of them.
import type { RowClass } from '../schema/comparisons.ts'
import { evaluatorsOf, placeOf, type Side, type Sides } from './compared-sides.ts'
import type { Connection } from './dialect/dialect.ts'
import { type JoinedColumns, NOWHERE } from './joined-columns.ts'
import { knownName } from './joined-filters.ts'
import { roomFor } from './rooms.ts'
import { changesOf, classesOf } from './row-changes.ts'

/** Positions, null where an evaluation has no such row. */
export interface JoinedRow {
  base: number | null
  candidates: JoinedCandidate[]
}

export interface JoinedCandidate {
  position: number | null
  class: RowClass
  delta: number | null
  output_changed: boolean | null
}

/** The one asked for, else the first that base and first candidate both have, else the first. Throws invalid-request. */
export function chooseEvaluator(sides: Sides, asked: string | undefined): string | undefined {
  if (asked !== undefined) return knownName(sides, asked, 'evaluator')
  const names = evaluatorsOf(sides)
  const [base, first] = sides
  return names.find((name) => first && placeOf(base, first, name)) ?? names[0]
}

/** What stands at these places, which are few. */
export async function readJoinedRows(
  columns: JoinedColumns,
  places: Int32Array,
  on: string | undefined,
): Promise<JoinedRow[]> {
  const [base, ...candidates] = columns.sides
  const bases = [...places].map((place) => (place < base.count ? place : null))
  const rows = bases.map((base): JoinedRow => ({ base, candidates: [] }))
  const baseOutputs = await readOutputs(columns.connection, base, bases)
  for (const [at, candidate] of candidates.entries()) {
    const { partners } = await columns.places(at)
    const changes = await changesOf(columns, candidate, on)
    const classAt = classesOf(base, candidate, on)
    const positions = bases.map((position, index) => {
      const own = at === 0 ? (places[index] as number) - base.count : NOWHERE
      const found = position === null ? own : (partners[position] as number)
      return found === NOWHERE ? null : found
    })
    const outputs = await readOutputs(columns.connection, candidate, positions)
    for (const [index, row] of rows.entries()) {
      const position = positions[index] ?? null
      if (row.base === null || position === null) {
        row.candidates.push({ position, class: 'missing', delta: null, output_changed: null })
        continue
      }
      const change = changes(row.base, position)
      row.candidates.push({
        position,
        class: classAt(change),
        delta: Number.isFinite(change) ? change : null,
        output_changed: outputs.get(position) !== baseOutputs.get(row.base),
      })
    }
  }
  return rows
}

/** By position, something that is the same where outputs are. */
async function readOutputs(
  connection: Connection,
  { key }: Side,
  positions: (number | null)[],
): Promise<Map<number, string>> {
  const { marks, values } = roomFor(positions.filter((position) => position !== null))
  const rows = await connection.all<{ position: number; output_hash: Uint8Array }>(
    `SELECT position, output_hash FROM measure WHERE evaluation = ? AND position IN (${marks})`,
    key,
    ...values,
  )
  return new Map(
    rows.map(({ position, output_hash }) => [position, Buffer.from(output_hash).toString('base64')]),
  )
}
