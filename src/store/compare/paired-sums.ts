// SQL that sums two number columns and their differences over paired rows.
import type { Connection, Value } from '../dialect/dialect.ts'
import type { Differences } from '../statistics/paired-differences.ts'
import type { CandidateJoin, Statement } from './joins.ts'

/** A pair of number columns. `rows` follows FROM and requires the CTEs `pair` and `measured`. */
export interface Series {
  baseline: string
  candidate: string
  isVerdict: string
  rows: string
  values: Value[]
}

/** Selects cost, latency, and whether output and expected answer differ, for each pair. */
function selectMeasured({ baseline, candidate }: CandidateJoin): Statement {
  return {
    statement: `SELECT pair.base_position AS base_position, pair.cluster AS cluster,
        a.cost AS base_cost, b.cost AS cost, a.latency AS base_latency, b.latency AS latency,
        CASE WHEN a.output_hash <> b.output_hash THEN 1 ELSE 0 END AS output_changed,
        CASE WHEN a.expected_hash <> b.expected_hash THEN 1 ELSE 0 END AS answer_differs
      FROM pair CROSS JOIN measure AS a CROSS JOIN measure AS b
      WHERE a.evaluation = ? AND a.position = pair.base_position
        AND b.evaluation = ? AND b.position = pair.position`,
    values: [baseline.key, candidate.key],
  }
}

/** Condition on the results `a` and `b`: both are scores, and both or neither are verdicts. */
export const COMPARABLE = `a.number IS NOT NULL AND b.number IS NOT NULL AND a.is_error = 0 AND b.is_error = 0
  AND a.is_verdict = b.is_verdict`

/** The scores of an evaluator, by its ordinals. */
export function scoreSeries(
  { baseline, candidate }: CandidateJoin,
  evaluator: { baseline: number; candidate: number },
): Series {
  return {
    baseline: 'a.number',
    candidate: 'b.number',
    isVerdict: 'a.is_verdict = 1',
    rows: `pair CROSS JOIN result AS a CROSS JOIN result AS b
      WHERE a.evaluation = ? AND a.evaluator = ? AND a.position = pair.base_position
        AND b.evaluation = ? AND b.evaluator = ? AND b.position = pair.position AND ${COMPARABLE}`,
    values: [baseline.key, evaluator.baseline, candidate.key, evaluator.candidate],
  }
}

export function measureSeries(column: 'cost' | 'latency'): Series {
  return {
    baseline: `base_${column}`,
    candidate: column,
    isVerdict: '1 = 0',
    rows: `measured AS pair WHERE base_${column} IS NOT NULL AND ${column} IS NOT NULL`,
    values: [],
  }
}

/** `abs_sum` is a sum of absolute values, as a scale for rounding errors. */
export interface Sums {
  n: number
  verdicts: number
  higher: number
  lower: number
  base_sum: number
  base_abs_sum: number
  sum: number
  abs_sum: number
  delta_sum: number
  delta_abs_sum: number
  delta_squares: number
}

/** Rows per partial sum. PostgreSQL adds numbers one after the other; partial sums reduce the rounding error. */
const SUM_BLOCK_SIZE = 512

function selectSums({ baseline, candidate, isVerdict, rows }: Series, index: number): string {
  const delta = `(${candidate} - ${baseline})`
  const columns: [keyof Sums, string][] = [
    ['n', 'count(*)'],
    ['verdicts', `count(*) FILTER (WHERE ${isVerdict})`],
    ['higher', `count(*) FILTER (WHERE ${candidate} > ${baseline})`],
    ['lower', `count(*) FILTER (WHERE ${candidate} < ${baseline})`],
    ['base_sum', `sum(${baseline})`],
    ['base_abs_sum', `sum(abs(${baseline}))`],
    ['sum', `sum(${candidate})`],
    ['abs_sum', `sum(abs(${candidate}))`],
    ['delta_sum', `sum(${delta})`],
    ['delta_abs_sum', `sum(abs(${delta}))`],
    ['delta_squares', `sum(${delta} * ${delta})`],
  ]
  const parts = columns.map(([name, part]) => `${part} AS part_${name}`)
  const totals = columns.map(([name]) => `coalesce(sum(part_${name}), 0) AS ${name}`)
  return `SELECT ${index} AS ordinal, ${totals.join(', ')}
    FROM (SELECT ${parts.join(', ')} FROM ${rows} GROUP BY pair.base_position / ${SUM_BLOCK_SIZE}) AS part`
}

export interface ChangeCounts {
  /** The number of pairs with different outputs. */
  outputs_changed: number
  /** The number of pairs with different expected answers. */
  answers_differ: number
}

const COUNT_CHANGES = `(SELECT count(*) FROM measured WHERE output_changed = 1) AS outputs_changed,
  (SELECT count(*) FROM measured WHERE answer_differs = 1) AS answers_differ`

/** Sums in the order of the series, which can be empty. */
export async function readSums(
  connection: Connection,
  candidateJoin: CandidateJoin,
  series: Series[],
): Promise<{ sums: Sums[]; changes: ChangeCounts }> {
  const statements = series.map((pair, index) => ({
    statement: selectSums(pair, index),
    values: pair.values,
  }))
  // The counts of changes are read even if there is no series.
  const nonEmptyStatements =
    statements.length === 0 ? [{ statement: 'SELECT 0 AS ordinal', values: [] }] : statements
  const rows = await readBatched<Sums & ChangeCounts>(
    connection,
    candidateJoin,
    nonEmptyStatements,
    COUNT_CHANGES,
  )
  return { sums: rows.slice(0, series.length), changes: rows[0] as ChangeCounts }
}

export interface SquaredDeviations {
  squares: number
  clusters: number
}

/** The summed squared deviations of each cluster from the mean difference. */
export function readSquaredDeviations(
  connection: Connection,
  candidateJoin: CandidateJoin,
  series: { series: Series; mean: number }[],
): Promise<SquaredDeviations[]> {
  const statements = series.map(({ series: { baseline, candidate, rows, values }, mean }, index) => ({
    statement: `SELECT ${index} AS ordinal, coalesce(sum(squares), 0) AS squares, coalesce(sum(clusters), 0) AS clusters
      FROM (SELECT sum(deviation * deviation) AS squares, count(*) AS clusters
        FROM (SELECT sum(${candidate} - ${baseline} - CAST(? AS double precision)) AS deviation, pair.cluster AS cluster
          FROM ${rows} GROUP BY pair.cluster) AS one
        GROUP BY cluster / ${SUM_BLOCK_SIZE}) AS part`,
    values: [mean, ...values],
  }))
  return readBatched<SquaredDeviations>(connection, candidateJoin, statements)
}

/** Series per statement. Each statement computes the pairs once. */
const BATCH_SIZE = 8

/** `firstBatchColumns` are selected in addition in the first batch. */
async function readBatched<Row>(
  connection: Connection,
  candidateJoin: CandidateJoin,
  statements: Statement[],
  firstBatchColumns?: string,
): Promise<Row[]> {
  const pairs = buildPairCtes(candidateJoin)
  const rows: Row[] = []
  for (let start = 0; start < statements.length; start += BATCH_SIZE) {
    const batch = statements.slice(start, start + BATCH_SIZE)
    const selects = batch.map(({ statement }) => statement).join(' UNION ALL ')
    const columns =
      start === 0 && firstBatchColumns !== undefined ? `batch.*, ${firstBatchColumns}` : 'batch.*'
    const batchRows = await connection.all<Row>(
      `${pairs.statement} SELECT ${columns} FROM (${selects}) AS batch ORDER BY ordinal`,
      ...pairs.values,
      ...batch.flatMap(({ values }) => values),
    )
    rows.push(...batchRows)
  }
  return rows
}

/** The CTEs that series read from. The engine skips those that are not used. */
function buildPairCtes(candidateJoin: CandidateJoin): Statement {
  const measured = selectMeasured(candidateJoin)
  return {
    statement: `WITH pair AS MATERIALIZED (${candidateJoin.pairs.statement}), measured AS MATERIALIZED (${measured.statement})`,
    values: [...candidateJoin.pairs.values, ...measured.values],
  }
}

export interface PairedNumbers {
  baseline: Float64Array
  candidate: Float64Array
  clusters: Float64Array
  /** 1 for pairs of verdicts. */
  verdicts: Float64Array
}

/** Reads the numbers of all pairs, in baseline order. */
export async function readNumbers(
  connection: Connection,
  candidateJoin: CandidateJoin,
  { baseline, candidate, isVerdict, rows, values }: Series,
): Promise<PairedNumbers> {
  const pairs = buildPairCtes(candidateJoin)
  const read = (column: string) =>
    connection.readNumbers(
      `${pairs.statement} SELECT ${column} FROM ${rows} ORDER BY pair.base_position`,
      ...pairs.values,
      ...values,
    )
  return {
    baseline: await read(baseline),
    candidate: await read(candidate),
    clusters: await read('pair.cluster'),
    verdicts: await read(`CASE WHEN ${isVerdict} THEN 1 ELSE 0 END`),
  }
}

/** Converts sums from the database, which are not scaled. */
export function toDifferences(sums: Sums, { squares, clusters }: SquaredDeviations): Differences {
  const unscale = (value: number) => value
  return {
    baseline: { sum: sums.base_sum, absoluteSum: sums.base_abs_sum, unscale },
    candidate: { sum: sums.sum, absoluteSum: sums.abs_sum, unscale },
    delta: { sum: sums.delta_sum, absoluteSum: sums.delta_abs_sum, unscale },
    squares,
    clusters,
  }
}
