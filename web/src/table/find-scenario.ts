// Reads the id of a scenario by the number of its row.
import type { QueryClient } from '@tanstack/react-query'
import { evaluationRows } from '../queries/evaluations.ts'
import { findByNumber } from './find-number.ts'

/** The id of the scenario with a number in an evaluation. */
export async function findScenario(
  queryClient: QueryClient,
  evaluation: string,
  number: number,
): Promise<string | undefined> {
  const { rowQuery } = evaluationRows(evaluation, { filters: [] })
  const readRow = async (index: number) => (await queryClient.fetchQuery(rowQuery(index))).rows[0]
  return (await findByNumber(number, readRow))?.id
}
