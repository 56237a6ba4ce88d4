// What is found out about the numbers of one column: sum, quantiles, and how many lie in each part of their range.
// One statement asks for several columns; least and most of each are known before, so nothing in it is computed that
// could leave the range of a double, which PostgreSQL refuses.
import type { Connection, SqlWords, Value } from './dialect/dialect.ts'
import type { Fragment } from './filters.ts'
import { settled } from './rounding.ts'

export interface Extent {
  n: number
  minimum: number | null
  maximum: number | null
}

/** Null where there is no number, or where a figure is outside of a double's range. */
export interface Figures extends Extent {
  total: number | null
  mean: number | null
  quantiles: Record<keyof typeof FRACTIONS, number | null>
  bins: Bin[]
  /** How many pass, where the column says which do. */
  passed: number
}

/** How many numbers are from `from` on and below `to`; the last bin has its end in it. */
export interface Bin {
  from: number
  to: number
  count: number
}

/** A column with numbers in it: what it is called here, its rows, and which number passes, if that is to be counted. */
export interface Column {
  extent: Extent
  /** The name of its value. */
  value: string
  /** What stands behind FROM, down to the last condition. */
  rows: string
  values: Value[]
  passes?: Fragment | undefined
  /** How many of the numbers are 1, where all others are 0: then nothing else has to be asked. */
  ones?: number | undefined
}

const FRACTIONS = { p05: 0.05, p25: 0.25, p50: 0.5, p75: 0.75, p95: 0.95 }
const BINS = 20

/** Sums of larger numbers are computed of smaller ones. */
const LARGE = 1e290
const SHARE = 2 ** 60
/** Beside a large number this is nothing; divided, it could be too small for a double. */
const NOTHING = 1e-200

/** So many columns are asked for at once. */
const AT_ONCE = 50

const NO_QUANTILES = { p05: null, p25: null, p50: null, p75: null, p95: null }

/** The figures of each column. Their rows may refer to what the statement begins with. */
export async function findFigures(
  connection: Connection,
  beginning: Fragment,
  columns: Column[],
): Promise<Figures[]> {
  const figures = columns.map(({ extent, ones }) =>
    ones === undefined || extent.n === 0
      ? withoutNumbers(extent)
      : readFigures(extent, rowOfVerdicts(extent.n, ones)),
  )
  const asked = [...columns.entries()].filter(([, { extent, ones }]) => extent.n > 0 && ones === undefined)
  for (let at = 0; at < asked.length; at += AT_ONCE) {
    const some = asked.slice(at, at + AT_ONCE)
    const selects = some.map(([place, column]) => selectFigures(connection.sql, place, column))
    const rows = await connection.all<FigureRow>(
      `${beginning.sql} ${selects.map(({ sql }) => sql).join('\nUNION ALL ')}`,
      ...beginning.values,
      ...selects.flatMap(({ values }) => values),
    )
    for (const row of rows) {
      const { extent } = columns[row.place] as Column
      figures[row.place] = readFigures(extent, row)
    }
  }
  return figures
}

type FigureRow = { place: number; total: number; size: number; passed: number } & Record<string, number>

function selectFigures(
  sql: SqlWords,
  place: number,
  { extent, value, rows, values, passes }: Column,
): Fragment {
  const share = isLarge(extent)
    ? `CASE WHEN abs(${value}) < ${NOTHING} THEN 0 ELSE ${value} / ${SHARE} END`
    : value
  const columns = [
    `${place} AS place`,
    `sum(${share}) AS total`,
    `sum(abs(${share})) AS size`,
    ...Object.entries(FRACTIONS).map(([name, fraction]) => `${sql.quantile(value, fraction)} AS ${name}`),
    passes ? `count(*) FILTER (WHERE ${passes.sql}) AS passed` : 'CAST(0 AS bigint) AS passed',
    ...innerEdges(extent).map((_, index) => `count(*) FILTER (WHERE ${value} < ?) AS below${index + 1}`),
  ]
  return {
    sql: `SELECT ${columns.join(', ')} FROM ${rows}`,
    values: [...(passes?.values ?? []), ...innerEdges(extent), ...values],
  }
}

/** What would be found of so many numbers, of which these are 1 and the others 0. */
function rowOfVerdicts(n: number, ones: number): FigureRow {
  const zeros = n - ones
  const at = (place: number) => Number(place >= zeros)
  const quantiles = Object.entries(FRACTIONS).map(([name, fraction]) => {
    const place = fraction * (n - 1)
    const [low, high] = [at(Math.floor(place)), at(Math.ceil(place))]
    return [name, low + (high - low) * (place % 1)] as const
  })
  const below = Array.from({ length: BINS - 1 }, (_, index) => [`below${index + 1}`, zeros] as const)
  return { place: 0, total: ones, size: ones, passed: 0, ...Object.fromEntries([...quantiles, ...below]) }
}

function readFigures(extent: Extent, row: FigureRow): Figures {
  const share = isLarge(extent) ? SHARE : 1
  const sum = settled(row.total, row.size)
  const quantiles = Object.keys(FRACTIONS).map((name) => [name, finite(row[name])])
  return {
    ...extent,
    total: finite(sum * share),
    mean: finite((sum / extent.n) * share),
    quantiles: Object.fromEntries(quantiles) as Figures['quantiles'],
    bins: binsOf(extent, row),
    passed: row.passed,
  }
}

function withoutNumbers(extent: Extent): Figures {
  return { ...extent, total: null, mean: null, quantiles: NO_QUANTILES, bins: [], passed: 0 }
}

/** One for all where the numbers are the same. */
function binsOf(extent: Extent, row: FigureRow): Bin[] {
  const { n, minimum, maximum } = ends(extent)
  if (minimum === maximum) return [{ from: minimum, to: maximum, count: n }]
  const edges = [minimum, ...innerEdges(extent), maximum]
  const below = [0, ...innerEdges(extent).map((_, index) => row[`below${index + 1}`] ?? 0), n]
  return Array.from({ length: BINS }, (_, index) => ({
    from: edges[index] ?? minimum,
    to: edges[index + 1] ?? maximum,
    count: (below[index + 1] ?? n) - (below[index] ?? 0),
  }))
}

/** Where one bin ends and the next begins. */
function innerEdges(extent: Extent): number[] {
  const { minimum, maximum } = ends(extent)
  return Array.from({ length: BINS - 1 }, (_, index) => {
    const part = (index + 1) / BINS
    const edge = minimum + (maximum - minimum) * part
    return Number.isFinite(edge) ? edge : minimum * (1 - part) + maximum * part
  })
}

function ends({ n, minimum, maximum }: Extent): { n: number; minimum: number; maximum: number } {
  return { n, minimum: minimum ?? 0, maximum: maximum ?? 0 }
}

function isLarge(extent: Extent): boolean {
  const { minimum, maximum } = ends(extent)
  return Math.max(Math.abs(minimum), Math.abs(maximum)) > LARGE
}

function finite(value: number | null | undefined): number | null {
  return Number.isFinite(value) ? (value as number) : null
}
