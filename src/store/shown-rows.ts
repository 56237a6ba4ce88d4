// Which joined rows are shown, and in what order: the statements behind windows of them.
import type { RowClass } from '../schema/comparisons.ts'
import { isHigherBetter, placeOf, type Side, type Sides } from './compared-sides.ts'
import type { Joined, Statement } from './joins.ts'
import { COMPARABLE } from './paired-sums.ts'

/** Rows behind each other in one order: positions of the base, or of the first candidate where the base has none. */
export interface Segment extends Statement {
  of: 'base' | 'candidate'
  count: number
}

export function segmentsOf({ base, candidate, matched, pairs }: Joined, show: 'all' | 'missing'): Segment[] {
  const ofBase: Segment =
    show === 'all'
      ? { of: 'base', count: base.count, ...everyRow(base.key) }
      : { of: 'base', count: base.count - matched, ...withoutPartner(base.key, pairs, 'base_position') }
  const rest = withoutPartner(candidate.key, pairs, 'position')
  return [ofBase, { of: 'candidate', count: candidate.count - matched, ...rest }]
}

/** The rows of a class, as positions of the base, and by how much each changed. */
export function classRows(
  [base, first]: Sides,
  joined: Joined,
  show: RowClass,
  on: string | undefined,
): Statement {
  const place = first && on !== undefined ? placeOf(base, first, on) : undefined
  if (!place) return unscoredRows(joined, show)
  return rowsOfClass(joined, place, show, isHigherBetter(base, first as Side, on as string))
}

/** Without an evaluator in both, no pair can be compared. */
function unscoredRows({ pairs: { statement, values } }: Joined, show: RowClass): Statement {
  const condition = show === 'incomparable' ? '1 = 1' : '1 = 0'
  return {
    statement: `SELECT base_position AS position, 0 AS change FROM (${statement}) AS pair WHERE ${condition}`,
    values,
  }
}

/** Their positions in the base, and by how much they changed. */
function rowsOfClass(
  { base, candidate, pairs }: Joined,
  place: { base: number; candidate: number },
  show: RowClass,
  isHigherBetter: boolean,
): Statement {
  const comparable = `pair CROSS JOIN result AS a CROSS JOIN result AS b
    WHERE a.evaluation = ? AND a.evaluator = ? AND a.position = pair.base_position
      AND b.evaluation = ? AND b.evaluator = ? AND b.position = pair.position AND ${COMPARABLE}`
  const rows =
    show === 'incomparable'
      ? `SELECT base_position AS position, 0 AS change FROM pair
         WHERE base_position NOT IN (SELECT pair.base_position FROM ${comparable})`
      : `SELECT pair.base_position AS position, ${CHANGE} AS change FROM ${comparable}
         AND b.number ${comparisonOf(show, isHigherBetter)} a.number`
  return {
    statement: `WITH pair AS MATERIALIZED (${pairs.statement}) ${rows}`,
    values: [...pairs.values, base.key, place.base, candidate.key, place.candidate],
  }
}

function comparisonOf(show: RowClass, isHigherBetter: boolean): '=' | '<' | '>' {
  if (show === 'same') return '='
  return (show === 'improved') === isHigherBetter ? '>' : '<'
}

/** PostgreSQL refuses a difference that is outside of a double's range: of such there is none larger. */
const CHANGE = `CASE WHEN abs(a.number) < 8e307 AND abs(b.number) < 8e307 THEN abs(b.number - a.number)
  WHEN (a.number > 0) = (b.number > 0) THEN abs(b.number - a.number) ELSE ${Number.MAX_VALUE} END`

function everyRow(evaluation: number): Statement {
  return {
    statement: 'SELECT position FROM measure WHERE evaluation = ? ORDER BY position',
    values: [evaluation],
  }
}

function withoutPartner(evaluation: number, pairs: Statement, side: 'base_position' | 'position'): Statement {
  return {
    statement: `SELECT position FROM measure WHERE evaluation = ?
      AND position NOT IN (SELECT ${side} FROM (${pairs.statement}) AS pair) ORDER BY position`,
    values: [evaluation, ...pairs.values],
  }
}
