// Finds a row by its number. Numbers are those of all rows in their original order, and deleted rows leave gaps.
import type { QueryClient } from '@tanstack/react-query'
import { evaluationRows } from '../queries/evaluations.ts'

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

interface NumberedRow {
  /** The number minus 1. */
  position: number
}

/** `readRow` reads a row by its index in the original order. Most evaluations have no gaps, so this is usually one request. */
export async function findByNumber<Row extends NumberedRow>(
  number: number,
  readRow: (index: number) => Promise<Row | undefined>,
): Promise<Row | undefined> {
  const position = number - 1
  // The index of a row is at most its position.
  let [low, high, index] = [0, position, position]
  while (low <= high) {
    const row = await readRow(index)
    if (row?.position === position) return row
    if (row && row.position < position) low = index + 1
    else high = index - 1
    index = Math.floor((low + high) / 2)
  }
  return undefined
}
