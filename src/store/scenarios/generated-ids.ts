// Which scenarios have a generated id: those in the table generated_id. The ids of evaluations that version 0.1 has written are
// classified when they are read, until their rows are in that table too.
import type { Connection, EngineTransaction } from '../dialect/dialect.ts'

/** Texts of these characters are positions, with the suffixes that make them unique. */
const POSITION_CHARACTERS = '0123456789 #:'
const isPosition = (text: string) => `ltrim(${text}, '${POSITION_CHARACTERS}') = ''`

/**
 * Condition for a row of `scenario` and one of `unclassified_ids`: the form of the id shows that an importer made it from the position.
 * UUIDs count as given: rows are never paired by a UUID by accident, so it does not matter whether one was generated.
 */
const isMadeFromPosition = (scenario: string) => `(
  (source = 'table' AND ${scenario}.id = CAST(${scenario}.position + 1 AS text))
  OR ((source = 'phoenix' OR source LIKE 'promptfoo%') AND ${isPosition(`${scenario}.id`)})
  OR (source LIKE 'lm-evaluation-harness%' AND ${scenario}.id LIKE 'record %')
  OR (source = 'DeepEval' AND ${scenario}.id LIKE '%test_case_%'
    AND ${isPosition(`replace(replace(${scenario}.id, 'conversational_', ''), 'test_case_', '')`)}))`

/** Condition for a row of `scenario`, which has this alias. */
export function hasGivenId(alias: string): string {
  return `NOT EXISTS (SELECT 1 FROM generated_id
      WHERE generated_id.evaluation = ${alias}.evaluation AND generated_id.position = ${alias}.position)
    AND NOT EXISTS (SELECT 1 FROM unclassified_ids
      WHERE unclassified_ids.evaluation = ${alias}.evaluation AND ${alias}.position < end_position
        AND ${isMadeFromPosition(alias)})`
}

export const FIND_GENERATED_ID = 'SELECT position FROM generated_id WHERE evaluation = ? LIMIT 1'
export const FIND_UNCLASSIFIED_IDS = 'SELECT end_position FROM unclassified_ids WHERE evaluation = ?'

/** Returns false if all ids of the evaluation were given. */
export async function mayHaveGeneratedIds(connection: Connection, evaluation: number): Promise<boolean> {
  const rows = await Promise.all([
    connection.get(FIND_GENERATED_ID, evaluation),
    connection.get(FIND_UNCLASSIFIED_IDS, evaluation),
  ])
  return rows.some((row) => row !== undefined)
}

/** The rows of an evaluation that are not classified and have a generated id. */
const UNCLASSIFIED_ROWS = `FROM unclassified_ids
  JOIN scenario ON scenario.evaluation = unclassified_ids.evaluation AND scenario.position < end_position
  WHERE unclassified_ids.evaluation = ? AND ${isMadeFromPosition('scenario')}`

export async function countGeneratedIds(connection: Connection, evaluation: number): Promise<number> {
  const row = await connection.get<{ count: number }>(
    `SELECT (SELECT count(*) FROM generated_id WHERE evaluation = ?) + (SELECT count(*) ${UNCLASSIFIED_ROWS}) AS count`,
    evaluation,
    evaluation,
  )
  return row?.count ?? 0
}

/** Classifies the rows from a position to the end of the unclassified ones. The caller must have locked the evaluation. */
export async function classifyIds(
  transaction: EngineTransaction,
  evaluation: number,
  start: number,
): Promise<void> {
  await transaction.run(
    `INSERT INTO generated_id (evaluation, position)
     SELECT scenario.evaluation, scenario.position ${UNCLASSIFIED_ROWS} AND scenario.position >= ?`,
    evaluation,
    start,
  )
  if (start > 0)
    await transaction.run(
      'UPDATE unclassified_ids SET end_position = ? WHERE evaluation = ?',
      start,
      evaluation,
    )
  else await transaction.run('DELETE FROM unclassified_ids WHERE evaluation = ?', evaluation)
}
