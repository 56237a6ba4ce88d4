// Which scenarios have a generated id: those in the table generated_id.
import type { Connection } from '../dialect/dialect.ts'

/** Condition for a row of `scenario`, which has this alias. */
export function hasGivenId(alias: string): string {
  return `NOT EXISTS (SELECT 1 FROM generated_id
      WHERE generated_id.evaluation = ${alias}.evaluation AND generated_id.position = ${alias}.position)`
}

export const FIND_GENERATED_ID = 'SELECT position FROM generated_id WHERE evaluation = ? LIMIT 1'

/** Whether not all ids of the evaluation were given. */
export async function hasGeneratedIds(connection: Connection, evaluation: number): Promise<boolean> {
  return (await connection.get(FIND_GENERATED_ID, evaluation)) !== undefined
}

export async function countGeneratedIds(connection: Connection, evaluation: number): Promise<number> {
  const row = await connection.get<{ count: number }>(
    'SELECT count(*) AS count FROM generated_id WHERE evaluation = ?',
    evaluation,
  )
  return row?.count ?? 0
}
