// Sum, quantiles and histogram bins of number columns, several columns per statement. The range of each column is known
// before, so the SQL never overflows a double, which is an error in PostgreSQL.
import type { Connection, SqlFragments, Value } from '../dialect/dialect.ts'
import type { BoundSql } from '../reads/conditions.ts'
import { finiteOrNull } from '../statistics/rounding.ts'
import { computeTotals, type Sums, selectSums } from '../statistics/sums.ts'

export interface ValueRange {
  n: number
  minimum: number | null
  maximum: number | null
}

/** Statistics are null if there are no numbers or the value overflows a double. */
export interface ColumnStatistics extends ValueRange {
  total: number | null
  mean: number | null
  quantiles: Record<keyof typeof FRACTIONS, number | null>
  bins: Bin[]
  /** The count of numbers that match `passCondition`. */
  passed: number
}

/** The count of numbers from `from` (inclusive) to `to` (exclusive). The last bin includes `to`. */
export interface Bin {
  from: number
  to: number
  count: number
}

/** A column of numbers, its rows, and an optional condition for numbers that pass. */
export interface NumberColumn {
  range: ValueRange
  /** The SQL expression of the number. */
  value: string
  /** The SQL after FROM, including all conditions. */
  rows: string
  values: Value[]
  passCondition?: BoundSql | undefined
  /** The count of ones if all numbers are 0 or 1. Then no query is needed. */
  oneCount?: number | undefined
}

const FRACTIONS = { p05: 0.05, p25: 0.25, p50: 0.5, p75: 0.75, p95: 0.95 }
const BIN_COUNT = 20

/** Columns per statement. */
const BATCH_SIZE = 50

const NO_QUANTILES = { p05: null, p25: null, p50: null, p75: null, p95: null }

/** Reads the statistics of each column. Their rows can refer to the CTEs in `withClause`. */
export async function readColumnStatistics(
  connection: Connection,
  withClause: BoundSql,
  columns: NumberColumn[],
): Promise<ColumnStatistics[]> {
  const statistics = columns.map(({ range, oneCount }) =>
    oneCount === undefined || range.n === 0
      ? emptyStatistics(range)
      : toStatistics(range, computeVerdictRow(range.n, oneCount)),
  )
  const columnsToQuery = [...columns.entries()].filter(
    ([, { range, oneCount }]) => range.n > 0 && oneCount === undefined,
  )
  for (let start = 0; start < columnsToQuery.length; start += BATCH_SIZE) {
    const batch = columnsToQuery.slice(start, start + BATCH_SIZE)
    const selects = batch.map(([ordinal, column]) => selectStatistics(connection.sql, ordinal, column))
    const rows = await connection.all<StatisticsRow>(
      `${withClause.sql} ${selects.map(({ sql }) => sql).join('\nUNION ALL ')}`,
      ...withClause.values,
      ...selects.flatMap(({ values }) => values),
    )
    for (const row of rows) {
      const { range } = columns[row.ordinal] as NumberColumn
      statistics[row.ordinal] = toStatistics(range, row)
    }
  }
  return statistics
}

type StatisticsRow = { ordinal: number; passed: number } & Sums<'value'> & Record<string, number | null>

function selectStatistics(
  sql: SqlFragments,
  ordinal: number,
  { range, value, rows, values, passCondition }: NumberColumn,
): BoundSql {
  const columns = [
    `${ordinal} AS ordinal`,
    selectSums('value', { value, maximum: largestValue(range) }),
    ...Object.entries(FRACTIONS).map(([name, fraction]) => `${sql.quantile(value, fraction)} AS ${name}`),
    passCondition ? `count(*) FILTER (WHERE ${passCondition.sql}) AS passed` : 'CAST(0 AS bigint) AS passed',
    ...computeInnerEdges(range).map(
      (_, index) => `count(*) FILTER (WHERE ${value} < ?) AS below${index + 1}`,
    ),
  ]
  return {
    sql: `SELECT ${columns.join(', ')} FROM ${rows}`,
    values: [...(passCondition?.values ?? []), ...computeInnerEdges(range), ...values],
  }
}

/** The row that the query would return for `n` numbers, of which `oneCount` are 1 and the others 0. */
function computeVerdictRow(n: number, oneCount: number): StatisticsRow {
  const zeroCount = n - oneCount
  const numberAt = (rank: number) => Number(rank >= zeroCount)
  const quantiles = Object.entries(FRACTIONS).map(([name, fraction]) => {
    const rank = fraction * (n - 1)
    const [low, high] = [numberAt(Math.floor(rank)), numberAt(Math.ceil(rank))]
    return [name, low + (high - low) * (rank % 1)] as const
  })
  const below = Array.from({ length: BIN_COUNT - 1 }, (_, index) => [`below${index + 1}`, zeroCount] as const)
  return {
    ordinal: 0,
    passed: 0,
    value_sum: oneCount,
    value_abs_sum: oneCount,
    value_large: null,
    ...Object.fromEntries([...quantiles, ...below]),
  }
}

function toStatistics(range: ValueRange, row: StatisticsRow): ColumnStatistics {
  const quantiles = Object.keys(FRACTIONS).map((name) => [name, finiteOrNull(row[name])])
  return {
    ...range,
    ...computeTotals(range.n, 'value', row),
    quantiles: Object.fromEntries(quantiles) as ColumnStatistics['quantiles'],
    bins: computeBins(range, row),
    passed: row.passed,
  }
}

function emptyStatistics(range: ValueRange): ColumnStatistics {
  return { ...range, total: null, mean: null, quantiles: NO_QUANTILES, bins: [], passed: 0 }
}

/** A single bin if all numbers are equal. */
function computeBins(range: ValueRange, row: StatisticsRow): Bin[] {
  const { n, minimum, maximum } = replaceNulls(range)
  if (minimum === maximum) return [{ from: minimum, to: maximum, count: n }]
  const edges = [minimum, ...computeInnerEdges(range), maximum]
  const below = [0, ...computeInnerEdges(range).map((_, index) => row[`below${index + 1}`] ?? 0), n]
  return Array.from({ length: BIN_COUNT }, (_, index) => ({
    from: edges[index] ?? minimum,
    to: edges[index + 1] ?? maximum,
    count: (below[index + 1] ?? n) - (below[index] ?? 0),
  }))
}

/** The boundaries between bins. */
function computeInnerEdges(range: ValueRange): number[] {
  const { minimum, maximum } = replaceNulls(range)
  return Array.from({ length: BIN_COUNT - 1 }, (_, index) => {
    const fraction = (index + 1) / BIN_COUNT
    const edge = minimum + (maximum - minimum) * fraction
    return Number.isFinite(edge) ? edge : minimum * (1 - fraction) + maximum * fraction
  })
}

function replaceNulls({ n, minimum, maximum }: ValueRange): { n: number; minimum: number; maximum: number } {
  return { n, minimum: minimum ?? 0, maximum: maximum ?? 0 }
}

function largestValue(range: ValueRange): number {
  const { minimum, maximum } = replaceNulls(range)
  return Math.max(Math.abs(minimum), Math.abs(maximum))
}
