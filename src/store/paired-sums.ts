// Statements that add up two columns of numbers and their differences over paired rows.
import type { Connection, Value } from './dialect/dialect.ts'
import type { Differences } from './differences.ts'
import type { Joined, Statement } from './joins.ts'

/** Numbers of each side of a pair: `rows` is what stands behind FROM, and needs the CTEs `pair` and `measured`. */
export interface Series {
  base: string
  candidate: string
  isVerdict: string
  rows: string
  values: Value[]
}

/** What was measured of each pair, both sides of it. */
function measuredRows({ base, candidate }: Joined): Statement {
  return {
    statement: `SELECT pair.base_position AS base_position, pair.cluster AS cluster,
        a.cost AS base_cost, b.cost AS cost, a.latency AS base_latency, b.latency AS latency,
        CASE WHEN a.output_hash <> b.output_hash THEN 1 ELSE 0 END AS output_changed,
        CASE WHEN a.expected_hash <> b.expected_hash THEN 1 ELSE 0 END AS answer_differs
      FROM pair CROSS JOIN measure AS a CROSS JOIN measure AS b
      WHERE a.evaluation = ? AND a.position = pair.base_position
        AND b.evaluation = ? AND b.position = pair.position`,
    values: [base.key, candidate.key],
  }
}

/** Condition on results `a` and `b`: each is a score, and both are verdicts or none is. */
export const COMPARABLE = `a.number IS NOT NULL AND b.number IS NOT NULL AND a.is_error = 0 AND b.is_error = 0
  AND a.is_verdict = b.is_verdict`

/** The scores of an evaluator, by its place in each evaluation. */
export function scoreSeries(
  { base, candidate }: Joined,
  evaluator: { base: number; candidate: number },
): Series {
  return {
    base: 'a.number',
    candidate: 'b.number',
    isVerdict: 'a.is_verdict = 1',
    rows: `pair CROSS JOIN result AS a CROSS JOIN result AS b
      WHERE a.evaluation = ? AND a.evaluator = ? AND a.position = pair.base_position
        AND b.evaluation = ? AND b.evaluator = ? AND b.position = pair.position AND ${COMPARABLE}`,
    values: [base.key, evaluator.base, candidate.key, evaluator.candidate],
  }
}

export function measureSeries(column: 'cost' | 'latency'): Series {
  return {
    base: `base_${column}`,
    candidate: column,
    isVerdict: '1 = 0',
    rows: `measured AS pair WHERE base_${column} IS NOT NULL AND ${column} IS NOT NULL`,
    values: [],
  }
}

export interface Sums {
  n: number
  verdicts: number
  higher: number
  lower: number
  base_sum: number
  base_size: number
  sum: number
  size: number
  delta_sum: number
  delta_size: number
  delta_squares: number
}

/**
 * PostgreSQL adds one number after the other and loses digits over many of them; so many are added up by themselves
 * first.
 */
const ADDED_UP = 512

function sumsOf({ base, candidate, isVerdict, rows }: Series, place: number): string {
  const delta = `(${candidate} - ${base})`
  const columns: [keyof Sums, string][] = [
    ['n', 'count(*)'],
    ['verdicts', `count(*) FILTER (WHERE ${isVerdict})`],
    ['higher', `count(*) FILTER (WHERE ${candidate} > ${base})`],
    ['lower', `count(*) FILTER (WHERE ${candidate} < ${base})`],
    ['base_sum', `sum(${base})`],
    ['base_size', `sum(abs(${base}))`],
    ['sum', `sum(${candidate})`],
    ['size', `sum(abs(${candidate}))`],
    ['delta_sum', `sum(${delta})`],
    ['delta_size', `sum(abs(${delta}))`],
    ['delta_squares', `sum(${delta} * ${delta})`],
  ]
  const parts = columns.map(([name, part]) => `${part} AS part_${name}`)
  const whole = columns.map(([name]) => `coalesce(sum(part_${name}), 0) AS ${name}`)
  return `SELECT ${place} AS place, ${whole.join(', ')}
    FROM (SELECT ${parts.join(', ')} FROM ${rows} GROUP BY pair.base_position / ${ADDED_UP}) AS part`
}

export interface Changes {
  /** How many pairs have other outputs, and how many have other expected answers. */
  outputs_changed: number
  answers_differ: number
}

const CHANGES = `(SELECT count(*) FROM measured WHERE output_changed = 1) AS outputs_changed,
  (SELECT count(*) FROM measured WHERE answer_differs = 1) AS answers_differ`

/** In the order of the series, of which there may be none. */
export async function askSums(
  connection: Connection,
  joined: Joined,
  series: Series[],
): Promise<{ sums: Sums[]; changes: Changes }> {
  const statements = series.map((one, place) => ({ statement: sumsOf(one, place), values: one.values }))
  const nothing = { statement: 'SELECT 0 AS place', values: [] }
  const asked = statements.length === 0 ? [nothing] : statements
  const rows = await ask<Sums & Changes>(connection, joined, asked, CHANGES)
  return { sums: rows.slice(0, series.length), changes: rows[0] as Changes }
}

export interface Squares {
  squares: number
  clusters: number
}

/** Of how much the differences of each cluster are off their mean. */
export function askSquares(
  connection: Connection,
  joined: Joined,
  series: { series: Series; mean: number }[],
): Promise<Squares[]> {
  const statements = series.map(({ series: { base, candidate, rows, values }, mean }, place) => ({
    statement: `SELECT ${place} AS place, coalesce(sum(squares), 0) AS squares, coalesce(sum(clusters), 0) AS clusters
      FROM (SELECT sum(off * off) AS squares, count(*) AS clusters
        FROM (SELECT sum(${candidate} - ${base} - CAST(? AS double precision)) AS off, pair.cluster AS cluster
          FROM ${rows} GROUP BY pair.cluster) AS one
        GROUP BY cluster / ${ADDED_UP}) AS part`,
    values: [mean, ...values],
  }))
  return ask<Squares>(connection, joined, statements)
}

/** So many are asked for at once, over pairs that are found once. */
const AT_ONCE = 8

/** `first` are columns that only the first row needs to have. */
async function ask<Row>(
  connection: Connection,
  joined: Joined,
  asked: Statement[],
  first?: string,
): Promise<Row[]> {
  const pairs = withPairs(joined)
  const rows: Row[] = []
  for (let at = 0; at < asked.length; at += AT_ONCE) {
    const some = asked.slice(at, at + AT_ONCE)
    const selects = some.map(({ statement }) => statement).join(' UNION ALL ')
    const columns = at === 0 && first !== undefined ? `every.*, ${first}` : 'every.*'
    const found = await connection.all<Row>(
      `${pairs.statement} SELECT ${columns} FROM (${selects}) AS every ORDER BY place`,
      ...pairs.values,
      ...some.flatMap(({ values }) => values),
    )
    rows.push(...found)
  }
  return rows
}

/** What series read from. An engine leaves out what none of them does. */
function withPairs(joined: Joined): Statement {
  const measured = measuredRows(joined)
  return {
    statement: `WITH pair AS MATERIALIZED (${joined.pairs.statement}), measured AS MATERIALIZED (${measured.statement})`,
    values: [...joined.pairs.values, ...measured.values],
  }
}

export interface PairedNumbers {
  base: Float64Array
  candidate: Float64Array
  clusters: Float64Array
  /** 1 where they are verdicts. */
  verdicts: Float64Array
}

/** In order of the base. */
export async function readNumbers(
  connection: Connection,
  joined: Joined,
  { base, candidate, isVerdict, rows, values }: Series,
): Promise<PairedNumbers> {
  const pairs = withPairs(joined)
  const read = (column: string) =>
    connection.numbers(
      `${pairs.statement} SELECT ${column} FROM ${rows} ORDER BY pair.base_position`,
      ...pairs.values,
      ...values,
    )
  return {
    base: await read(base),
    candidate: await read(candidate),
    clusters: await read('pair.cluster'),
    verdicts: await read(`CASE WHEN ${isVerdict} THEN 1 ELSE 0 END`),
  }
}

/** As they come from the database, in no other unit. */
export function asDifferences(sums: Sums, { squares, clusters }: Squares): Differences {
  const scale = (value: number) => value
  return {
    base: { sum: sums.base_sum, size: sums.base_size, scale },
    candidate: { sum: sums.sum, size: sums.size, scale },
    delta: { sum: sums.delta_sum, size: sums.delta_size, scale },
    squares,
    clusters,
  }
}
