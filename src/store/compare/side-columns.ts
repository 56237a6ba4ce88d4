// Cached arrays with the numbers of all rows of one evaluation: scores, cost and latency.
import type { Connection } from '../dialect/dialect.ts'
import type { BoundSql } from '../reads/conditions.ts'
import { type ComparisonCache, combineVersions, type RowColumns } from './comparison-cache.ts'
import { hasUnusedPositions } from './join-keys.ts'
import type { Side } from './sides.ts'

/** The scores of one evaluator, or cost or latency, by position. */
export interface RowNumbers extends RowColumns {
  /** NaN for rows without a number. */
  numbers: Float64Array
  /** 1 for scores that are verdicts. */
  verdicts: Uint8Array
}

export class SideColumns {
  readonly connection: Connection
  readonly cache: ComparisonCache

  constructor(connection: Connection, cache: ComparisonCache) {
    this.connection = connection
    this.cache = cache
  }

  /** Undefined if the evaluation does not have the evaluator. */
  async scores(side: Side, evaluator: string): Promise<RowNumbers | undefined> {
    const ordinal = side.ordinals.get(evaluator)
    if (ordinal === undefined) return undefined
    return this.cachedOf(side, `scores ${ordinal}`, async () => {
      const rows = {
        sql: 'FROM result WHERE evaluation = ? AND evaluator = ? AND is_error = 0 AND number IS NOT NULL',
        values: [side.key, ordinal],
      }
      // A verdict is 0 or 1, so it is read together with its position.
      const statement = `SELECT position * 2 + number ${rows.sql} AND is_verdict = 1`
      const verdicts = await this.connection.readNumbers(statement, ...rows.values)
      const others = { ...rows, sql: `${rows.sql} AND is_verdict = 0` }
      const scores =
        verdicts.length === side.count
          ? noNumbers(side)
          : await readRowNumbers(this.connection, side, 'number', others)
      for (const verdict of verdicts) {
        const position = Math.floor(verdict / 2)
        scores.numbers[position] = verdict % 2
        scores.verdicts[position] = 1
      }
      return scores
    })
  }

  measures(side: Side, column: 'cost' | 'latency'): Promise<RowNumbers> {
    const rows = { sql: `FROM measure WHERE evaluation = ? AND ${column} IS NOT NULL`, values: [side.key] }
    return this.cachedOf(side, column, () => readRowNumbers(this.connection, side, column, rows))
  }

  /** Caches columns of one evaluation. The name must identify the computation completely. */
  cachedOf<Result extends RowColumns>(
    side: Side,
    name: string,
    compute: () => Promise<Result>,
  ): Promise<Result> {
    return this.cache.columns.getOrCreate(`${combineVersions([side])} ${name}`, compute)
  }
}

/** `rows` is SQL from FROM to WHERE. */
async function readRowNumbers(
  connection: Connection,
  side: Side,
  column: string,
  rows: BoundSql,
): Promise<RowNumbers> {
  const found = await connection.readNumbers(`SELECT ${column} ${rows.sql} ORDER BY position`, ...rows.values)
  // If every row has a number, the positions are known.
  if (found.length === side.count && !hasUnusedPositions(side)) return { ...noNumbers(side), numbers: found }
  const rowNumbers = noNumbers(side)
  if (found.length === 0) return rowNumbers
  const positions = await connection.readNumbers(
    `SELECT position ${rows.sql} ORDER BY position`,
    ...rows.values,
  )
  for (const [index, position] of positions.entries()) rowNumbers.numbers[position] = found[index] as number
  return rowNumbers
}

function noNumbers({ positionCount }: Side): RowNumbers {
  return {
    numbers: new Float64Array(positionCount).fill(Number.NaN),
    verdicts: new Uint8Array(positionCount),
  }
}
