// The scores of evaluations in a few figures, counted by the database, and kept as long as the version stands.
import type { EvaluatorScores, Scores } from '../schema/scores.ts'
import type { Connection } from './dialect/dialect.ts'
import { type DeclaredEvaluator, declaredEvaluators, UNDECLARED } from './evaluators.ts'
import { KeptTexts } from './kept-texts.ts'
import { settled } from './rounding.ts'

/** SQL: whether a row of `result` is a score; whatever an evaluator said that failed, it is none. */
const IS_SCORE = 'is_error = 0 AND number IS NOT NULL'
const IS_VERDICT = `${IS_SCORE} AND is_verdict = 1`

/** Of numbers this large the sum may be out of range, which is an error: they are summed so many times smaller. */
const LARGE = '1e290'
const SCALE = 2 ** 40

/** SQL: two sums, of the large numbers of a column and of the others, which could become too small. */
const sums = (
  column: string,
  where = '',
) => `sum(${column}) FILTER (WHERE abs(${column}) < ${LARGE}${where}) AS ${column}_sum,
    sum(abs(${column})) FILTER (WHERE abs(${column}) < ${LARGE}${where}) AS ${column}_size,
    sum(${column} / ${SCALE}) FILTER (WHERE abs(${column}) >= ${LARGE}${where}) AS ${column}_large`

const AT_ONCE = 20
const THESE = `IN (${Array(AT_ONCE).fill('?').join(', ')})`

const READ_EVALUATORS = `SELECT key, evaluators FROM evaluation WHERE key ${THESE}`
const READ_COLUMNS = `SELECT evaluation, name, ordinal AS evaluator FROM evaluation_column
  WHERE evaluation ${THESE} AND kind = 'score' ORDER BY evaluation, ordinal`
const READ_MEASURES = `SELECT evaluation, count(*) FILTER (WHERE has_error = 1) AS output_errors,
    count(cost) AS costs, ${sums('cost')},
    count(latency) AS latencies, ${sums('latency')}
  FROM measure WHERE evaluation ${THESE} GROUP BY evaluation`
/** The one in the middle, or the two. */
const READ_MIDDLES = `SELECT evaluation, min(latency) AS low, max(latency) AS high
  FROM (SELECT evaluation, latency, row_number() OVER (PARTITION BY evaluation ORDER BY latency) AS place,
      count(*) OVER (PARTITION BY evaluation) AS n
    FROM measure WHERE evaluation ${THESE} AND latency IS NOT NULL) AS placed
  WHERE place IN ((n + 1) / 2, (n + 2) / 2) GROUP BY evaluation`
const READ_RESULTS = `SELECT evaluation, evaluator, count(*) FILTER (WHERE ${IS_SCORE}) AS n, ${sums('number', ' AND is_error = 0')},
    count(*) FILTER (WHERE is_error = 1) AS errors, count(*) FILTER (WHERE ${IS_VERDICT}) AS judged,
    count(*) FILTER (WHERE ${IS_VERDICT} AND number = 1) AS passed
  FROM result WHERE evaluation ${THESE} GROUP BY evaluation, evaluator`
const COUNT_PASSED = (comparison: '>=' | '<=') => `SELECT count(*) AS judged,
    count(*) FILTER (WHERE number ${comparison} ?) AS passed
  FROM result WHERE evaluation = ? AND evaluator = ? AND ${IS_SCORE} AND is_verdict = 0`

interface MeasureRow {
  evaluation: number
  output_errors: number
  costs: number
  cost_sum: number | null
  cost_size: number | null
  cost_large: number | null
  latencies: number
  latency_sum: number | null
  latency_size: number | null
  latency_large: number | null
}

interface MiddleRow {
  evaluation: number
  low: number
  high: number
}

interface Judged {
  judged: number
  passed: number
}

interface ResultRow extends Judged {
  evaluation: number
  evaluator: number
  n: number
  number_sum: number | null
  number_size: number | null
  number_large: number | null
  errors: number
}

interface ColumnRow {
  evaluation: number
  name: string
  evaluator: number
}

const NO_MEASURES: Partial<MeasureRow> = {}
const NO_RESULTS: Partial<ResultRow> = {}

/** By key, of evaluations that are there. */
export async function readScores(
  connection: Connection,
  evaluations: readonly number[],
): Promise<Map<number, Scores>> {
  const scores = new Map<number, Scores>()
  for (let at = 0; at < evaluations.length; at += AT_ONCE) {
    const some = evaluations.slice(at, at + AT_ONCE)
    for (const [key, one] of await readSome(connection, some)) scores.set(key, one)
  }
  return scores
}

async function readSome(connection: Connection, keys: number[]): Promise<Map<number, Scores>> {
  // One statement for any number: the last key stands in for those that are missing.
  const padded = keys.concat(Array(AT_ONCE - keys.length).fill(keys.at(-1)))
  const [evaluations, columns, measures, middles, results] = await Promise.all([
    connection.all<{ key: number; evaluators: string | null }>(READ_EVALUATORS, ...padded),
    connection.all<ColumnRow>(READ_COLUMNS, ...padded),
    connection.all<MeasureRow>(READ_MEASURES, ...padded),
    connection.all<MiddleRow>(READ_MIDDLES, ...padded),
    connection.all<ResultRow>(READ_RESULTS, ...padded),
  ])
  const columnsOf = Map.groupBy(columns, ({ evaluation }) => evaluation)
  const scores = new Map<number, Scores>()
  for (const { key, evaluators } of evaluations) {
    const measured = measures.find(({ evaluation }) => evaluation === key)
    const middle = middles.find(({ evaluation }) => evaluation === key)
    const found = new Map(
      results.filter(({ evaluation }) => evaluation === key).map((row) => [row.evaluator, row]),
    )
    const declared = declaredEvaluators(evaluators)
    const scored: EvaluatorScores[] = []
    for (const column of columnsOf.get(key) ?? []) {
      const evaluator = declared.get(column.name) ?? UNDECLARED
      scored.push(await evaluatorScores(connection, column, evaluator, found.get(column.evaluator)))
    }
    scores.set(key, { ...measuredScores(measured, middle), evaluators: scored })
  }
  return scores
}

function measuredScores(
  measured: MeasureRow | undefined,
  middle: MiddleRow | undefined,
): Omit<Scores, 'evaluators'> {
  const { output_errors = 0, costs = 0, latencies = 0, ...sum } = measured ?? NO_MEASURES
  return {
    output_errors,
    cost: {
      n: costs,
      total: totalOf(costs, sum.cost_sum, sum.cost_size, sum.cost_large),
      mean: meanOf(costs, sum.cost_sum, sum.cost_size, sum.cost_large),
    },
    latency: {
      n: latencies,
      mean: meanOf(latencies, sum.latency_sum, sum.latency_size, sum.latency_large),
      p50: middle ? middle.low / 2 + middle.high / 2 : null,
    },
  }
}

async function evaluatorScores(
  connection: Connection,
  { evaluation, name, evaluator }: ColumnRow,
  { higher_is_better, threshold }: DeclaredEvaluator,
  { n = 0, errors = 0, judged = 0, passed = 0, ...sum }: Partial<ResultRow> = NO_RESULTS,
): Promise<EvaluatorScores> {
  let verdicts: Judged = { judged, passed }
  if (threshold !== null && n > judged) {
    const statement = COUNT_PASSED(higher_is_better ? '>=' : '<=')
    const compared = await connection.get<Judged>(statement, threshold, evaluation, evaluator)
    verdicts = { judged: judged + (compared?.judged ?? 0), passed: passed + (compared?.passed ?? 0) }
  }
  const pass_rate = verdicts.judged === 0 ? null : verdicts.passed / verdicts.judged
  return {
    name,
    higher_is_better,
    n,
    errors,
    mean: meanOf(n, sum.number_sum, sum.number_size, sum.number_large),
    pass_rate,
  }
}

type Sum = number | null | undefined

/** Null where there is none, or none that a double can hold. */
function totalOf(n: number, sum: Sum, size: Sum, large: Sum): number | null {
  const total = settled(sum ?? 0, size ?? 0) + (large ?? 0) * SCALE
  return n > 0 && Number.isFinite(total) ? total : null
}

function meanOf(n: number, sum: Sum, size: Sum, large: Sum): number | null {
  return n === 0 ? null : settled(sum ?? 0, size ?? 0) / n + ((large ?? 0) / n) * SCALE
}

/** Characters of scores that are kept. */
const ROOM = 8 * 1024 * 1024

/** Scores as JSON texts, counted once for each version of an evaluation. */
export class KeptScores {
  readonly #kept = new KeptTexts(ROOM)

  /** By key. The evaluations are there, in these versions, as the connection sees them. */
  async of(
    connection: Connection,
    evaluations: readonly { key: number; version: string }[],
  ): Promise<Map<number, string>> {
    const texts = new Map<number, string>()
    for (const { key, version } of evaluations) {
      const kept = this.#kept.find(`${key} ${version}`)
      if (kept !== undefined) texts.set(key, kept)
    }
    const missing = evaluations.filter(({ key }) => !texts.has(key))
    const scores = await readScores(
      connection,
      missing.map(({ key }) => key),
    )
    for (const { key, version } of missing) {
      const text = JSON.stringify(scores.get(key))
      texts.set(key, text)
      this.#kept.keep(`${key} ${version}`, text)
    }
    return texts
  }
}

/** Scores as a member of an evaluation, for a list. */
export function scoresMember(scores: KeptScores) {
  return async (connection: Connection, evaluations: readonly { key: number; version: string }[]) => {
    const texts = await scores.of(connection, evaluations)
    return new Map(Array.from(texts, ([key, text]) => [key, `"scores":${text}`]))
  }
}
