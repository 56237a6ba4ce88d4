// Forms the rows of one evaluation: scenarios that run the same row of the test set are its repeats.
import type { Connection } from '../../dialect/dialect.ts'

/** Marks a position that no row starts at. */
export const UNUSED_POSITION = -2

/** The scenarios of one evaluation. */
export interface StoredScenarios {
  /** The primary key in the database. */
  key: number
  /** The number of scenarios. */
  count: number
  /** One more than the last position. Larger than `count` if positions between the scenarios are unused. */
  positionCount: number
}

export function hasUnusedPositions({ count, positionCount }: StoredScenarios): boolean {
  return count !== positionCount
}

export interface Rows {
  /** The number of rows. */
  count: number
  /** The number of scenarios that count as repeats because their inputs and expected answers are equal to earlier ones. */
  equalCount: number
  /** By position: the position of the first scenario of the row. Undefined if each scenario is a row of its own. */
  firstPositions: Int32Array | undefined
}

const FIND_SAMPLE = 'SELECT 1 AS found FROM repetition WHERE evaluation = ? AND sample IS NOT NULL LIMIT 1'

/** Reads the index alone, in contrast to the expected answers. */
const FIND_EQUAL_INPUTS = `SELECT 1 AS found FROM measure
  WHERE evaluation = ? AND input_hash IS NOT NULL GROUP BY input_hash HAVING count(*) > 1 LIMIT 1`

/** The sample if the tool has named it, otherwise the inputs and the expected answers. Without inputs, each scenario is a row. */
const SAME_ROW = `PARTITION BY sample, CASE WHEN sample IS NULL THEN input_hash END,
  CASE WHEN sample IS NULL THEN expected_hash END,
  CASE WHEN sample IS NULL AND input_hash IS NULL THEN measure.position END`

const SCENARIOS = `FROM measure LEFT JOIN repetition
  ON repetition.evaluation = measure.evaluation AND repetition.position = measure.position`

/** Whether the tool has named the sample of a scenario. */
export async function hasSamples(connection: Connection, evaluation: number): Promise<boolean> {
  return (await connection.get(FIND_SAMPLE, evaluation)) !== undefined
}

export async function readRows(connection: Connection, evaluation: StoredScenarios): Promise<Rows> {
  const { key, count, positionCount } = evaluation
  if (!(await hasSamples(connection, key)) && !(await connection.get(FIND_EQUAL_INPUTS, key)))
    return { count, equalCount: 0, firstPositions: undefined }
  const firstPositions = new Int32Array(positionCount).fill(UNUSED_POSITION)
  const packed = await connection.readNumbers(
    `SELECT measure.position * ? + min(measure.position) OVER (${SAME_ROW}) ${SCENARIOS}
     WHERE measure.evaluation = ? AND ${connection.sql.cancelable('measure.position')}`,
    positionCount,
    key,
  )
  let rowCount = 0
  for (const pair of packed) {
    const first = pair % positionCount
    const position = (pair - first) / positionCount
    firstPositions[position] = first
    if (first === position) rowCount += 1
  }
  if (rowCount === count) return { count, equalCount: 0, firstPositions: undefined }
  return { count: rowCount, equalCount: await countEqual(connection, key, firstPositions), firstPositions }
}

async function countEqual(connection: Connection, key: number, firstPositions: Int32Array): Promise<number> {
  const named = await connection.readNumbers(
    'SELECT position FROM repetition WHERE evaluation = ? AND sample IS NOT NULL',
    key,
  )
  const isNamed = new Set(named)
  let equalCount = 0
  for (const [position, first] of firstPositions.entries())
    if (first >= 0 && first !== position && !isNamed.has(position)) equalCount += 1
  return equalCount
}
