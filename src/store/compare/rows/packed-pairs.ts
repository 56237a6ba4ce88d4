// Reads the pairs of a join as numbers: from indexes alone if they have all that is needed.
import type { Connection } from '../../dialect/dialect.ts'
import { hasUnusedPositions } from '../join-keys.ts'
import type { CandidateJoin, JoinedEvaluation } from '../joins.ts'

/** The numbers that the rows of an evaluation have in the table, by position. */
type RowNumbersOf = (evaluation: JoinedEvaluation) => Promise<Float64Array>

/**
 * Both positions of each pair, packed into one number: the position in the baseline times `positionCount` of the candidate, plus the
 * position in the candidate. Transferring rows takes longer than joining them.
 */
export async function readPackedPairs(
  connection: Connection,
  join: CandidateJoin,
  rowNumbersOf: RowNumbersOf,
): Promise<Float64Array> {
  const { baseline, candidate, pairs } = join
  const { rowNumber } = connection.sql
  const isIndexEnough = join.isByScenarioId && ![baseline, candidate].some(hasUnusedPositions)
  if (rowNumber !== undefined && isIndexEnough) {
    const packed = await readIndexedPairs(connection, join, rowNumber, rowNumbersOf)
    if (packed) return packed
  }
  return connection.readNumbers(
    `SELECT base_position * ? + position FROM (${pairs.sql}) AS pair`,
    candidate.positionCount,
    ...pairs.values,
  )
}

/** Reads only the index of the positions, all of which must be in use. */
export function readRowNumbers(connection: Connection, key: number): Promise<Float64Array> {
  const { rowNumber } = connection.sql
  return connection.readNumbers(
    `SELECT ${rowNumber} FROM scenario WHERE evaluation = ? ORDER BY position`,
    key,
  )
}

/** Positions are in the table between the bodies, so reading them takes several times as long. Undefined if there are large gaps. */
async function readIndexedPairs(
  connection: Connection,
  { baseline, candidate }: CandidateJoin,
  rowNumber: string,
  rowNumbersOf: RowNumbersOf,
): Promise<Float64Array | undefined> {
  const a = findPositions(await rowNumbersOf(baseline))
  const b = findPositions(await rowNumbersOf(candidate))
  if (!a || !b) return undefined
  const packed = await connection.readNumbers(
    `SELECT (a.${rowNumber} - ?) * ? + b.${rowNumber} - ? FROM scenario AS a CROSS JOIN scenario AS b
     WHERE a.evaluation = ? AND b.evaluation = ? AND b.id = a.id`,
    a.first,
    b.positions.length,
    b.first,
    baseline.key,
    candidate.key,
  )
  return packed.map((pair) => {
    const number = pair % b.positions.length
    const baseNumber = (pair - number) / b.positions.length
    return (a.positions[baseNumber] as number) * candidate.positionCount + (b.positions[number] as number)
  })
}

/** The array is at most so many times as long as the evaluation. */
const MAX_GAPS = 8

/** By row number, counted from the first one. Rows that are uploaded at the same time have numbers with gaps. */
function findPositions(rowNumbers: Float64Array): { first: number; positions: Int32Array } | undefined {
  let [first, last] = [Infinity, -Infinity]
  for (const number of rowNumbers) {
    first = Math.min(first, number)
    last = Math.max(last, number)
  }
  if (rowNumbers.length === 0 || last - first >= MAX_GAPS * rowNumbers.length) return undefined
  const positions = new Int32Array(last - first + 1)
  for (const [position, number] of rowNumbers.entries()) positions[number - first] = position
  return { first, positions }
}
