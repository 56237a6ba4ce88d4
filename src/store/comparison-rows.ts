// Windows of joined rows: which rows of the base and its candidates stand beside each other, and what became of them.
import { Problem } from '../errors.ts'
import { storable } from '../json/storable.ts'
import type { RowClass } from '../schema/comparisons.ts'
import { evaluatorsOf, isHigherBetter, placeOf, type Side, type Sides } from './compared-sides.ts'
import type { Connection } from './dialect/dialect.ts'
import type { Join, Joined, Statement } from './joins.ts'
import { COMPARABLE } from './paired-sums.ts'
import { roomFor } from './rooms.ts'
import { shownNames } from './shown-names.ts'
import { classRows, type Segment, segmentsOf } from './shown-rows.ts'

export interface RowsQuestion {
  show: RowClass | 'all'
  /** The evaluator that classes are about; undefined where there is none. */
  on: string | undefined
  offset: number
  limit: number
}

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
  const names = evaluatorsOf(sides)
  if (asked === undefined) {
    const [base, first] = sides
    return names.find((name) => first && placeOf(base, first, name)) ?? names[0]
  }
  const name = storable(asked)
  if (names.includes(name)) return name
  const there = names.length === 0 ? 'They have none' : `They have ${shownNames(names)}`
  throw new Problem('invalid-request', `No evaluation here has an evaluator '${asked}'. ${there}.`)
}

/** How many rows are shown, and those of the window. */
export async function readJoinedRows(
  connection: Connection,
  sides: Sides,
  { joined }: Join,
  question: RowsQuestion,
): Promise<{ total: number; rows: JoinedRow[] }> {
  const first = joined[0] as Joined
  const { show } = question
  const { total, places } =
    show === 'all' || show === 'missing'
      ? await readWindow(connection, segmentsOf(first, show), question)
      : await readClass(connection, classRows(sides, first, show, question.on), question)
  const bases = places.flatMap(({ base }) => (base === null ? [] : [base]))
  const found: Map<number, JoinedCandidate>[] = []
  for (const [place, candidate] of sides.slice(1).entries())
    found.push(await partners(connection, sides[0], candidate, joined[place] as Joined, question.on, bases))
  return {
    total,
    rows: places.map(({ base, candidate }) => ({
      base,
      candidates: found.map((of, place) =>
        base === null ? missing(place === 0 ? candidate : null) : (of.get(base) ?? missing(null)),
      ),
    })),
  }
}

function missing(position: number | null): JoinedCandidate {
  return { position, class: 'missing', delta: null, output_changed: null }
}

/** A row of the base, or one that only the first candidate has. */
interface Place {
  base: number | null
  candidate: number | null
}

interface Places {
  total: number
  places: Place[]
}

async function readWindow(
  connection: Connection,
  segments: Segment[],
  { offset, limit }: RowsQuestion,
): Promise<Places> {
  const places: Place[] = []
  let total = 0
  for (const { of, count, statement, values } of segments) {
    const [from, wanted] = [Math.max(0, offset - total), limit - places.length]
    total += count
    if (from >= count || wanted === 0) continue
    const positions = await connection.numbers(`${statement} LIMIT ? OFFSET ?`, ...values, wanted, from)
    for (const position of positions)
      places.push(of === 'base' ? { base: position, candidate: null } : { base: null, candidate: position })
  }
  return { total, places }
}

/** The largest change first. How many there are is counted on the way, or by itself where the window is behind them. */
async function readClass(
  connection: Connection,
  { statement, values }: Statement,
  { offset, limit }: RowsQuestion,
): Promise<Places> {
  const rows = await connection.all<{ position: number; total: number }>(
    `SELECT position, count(*) OVER () AS total FROM (${statement}) AS shown
     ORDER BY change DESC, position LIMIT ? OFFSET ?`,
    ...values,
    limit,
    offset,
  )
  const places = rows.map(({ position }) => ({ base: position, candidate: null }))
  if (rows[0] || offset === 0) return { total: rows[0]?.total ?? 0, places }
  const count = `SELECT count(*) AS total FROM (${statement}) AS shown`
  return { total: (await connection.get<{ total: number }>(count, ...values))?.total ?? 0, places }
}

interface PairRow {
  base_position: number
  position: number
  base_number: number | null
  number: number | null
  is_comparable: number
  output_changed: number
}

/** What stands beside these rows of the base, by their positions. */
async function partners(
  connection: Connection,
  base: Side,
  candidate: Side,
  { pairs }: Joined,
  on: string | undefined,
  positions: number[],
): Promise<Map<number, JoinedCandidate>> {
  const place = on === undefined ? undefined : placeOf(base, candidate, on)
  const isHigher = on === undefined || isHigherBetter(base, candidate, on)
  const chosen = roomFor(positions)
  const rows = await connection.all<PairRow>(
    `WITH chosen AS MATERIALIZED (SELECT base_position, position FROM (${pairs.statement}) AS pair
       WHERE base_position IN (${chosen.marks}))
     SELECT chosen.base_position AS base_position, chosen.position AS position,
       a.number AS base_number, b.number AS number, CASE WHEN ${COMPARABLE} THEN 1 ELSE 0 END AS is_comparable,
       CASE WHEN c.output_hash <> d.output_hash THEN 1 ELSE 0 END AS output_changed
     FROM chosen
     LEFT JOIN result AS a ON a.evaluation = ? AND a.evaluator = ? AND a.position = chosen.base_position
     LEFT JOIN result AS b ON b.evaluation = ? AND b.evaluator = ? AND b.position = chosen.position
     LEFT JOIN measure AS c ON c.evaluation = ? AND c.position = chosen.base_position
     LEFT JOIN measure AS d ON d.evaluation = ? AND d.position = chosen.position`,
    ...pairs.values,
    ...chosen.values,
    base.key,
    place?.base ?? NO_EVALUATOR,
    candidate.key,
    place?.candidate ?? NO_EVALUATOR,
    base.key,
    candidate.key,
  )
  return new Map(rows.map((row) => [row.base_position, joinedCandidate(row, isHigher)]))
}

/** No result is of this evaluator. */
const NO_EVALUATOR = -1

function joinedCandidate(row: PairRow, isHigherBetter: boolean): JoinedCandidate {
  const { position, base_number, number } = row
  const output_changed = row.output_changed === 1
  if (row.is_comparable === 0 || base_number === null || number === null)
    return { position, class: 'incomparable', delta: null, output_changed }
  const delta = number - base_number
  return {
    position,
    class:
      number === base_number ? 'same' : number > base_number === isHigherBetter ? 'improved' : 'regressed',
    delta: Number.isFinite(delta) ? delta : null,
    output_changed,
  }
}
