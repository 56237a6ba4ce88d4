// The scores that are stored with an evaluation. They are updated in each transaction that changes what they depend on, so
// reading them reads no scenario.
import type { Connection, Transaction } from '../dialect/dialect.ts'
import { inLists } from '../reads/in-list.ts'
import { type DeclaredEvaluators, parseDeclaredEvaluators } from './evaluators.ts'
import { ScoreStatistics } from './score-statistics.ts'

/** The JSON text of the scores by evaluation key. `keys` is an in-list. */
export const READ_SCORES = (keys: string) =>
  `SELECT evaluation, scores FROM evaluation_scores WHERE evaluation IN (${keys})`
export const READ_STATISTICS = `SELECT evaluators, scores, statistics
  FROM evaluation LEFT JOIN evaluation_scores ON evaluation = key WHERE key = ?`
const STORE_SCORES = `INSERT INTO evaluation_scores (evaluation, scores, statistics) VALUES (?, ?, ?)
  ON CONFLICT (evaluation) DO UPDATE SET scores = excluded.scores, statistics = excluded.statistics`

/** The latencies of an evaluation. */
const READ_LATENCIES = 'SELECT latency FROM measure WHERE evaluation = ? AND latency IS NOT NULL'

/** The scores of one evaluator, other than verdicts, that reach a threshold. */
export const COUNT_PASSED_NUMBERS = (comparison: '>=' | '<=') =>
  `SELECT count(*) AS count FROM result
   WHERE evaluation = ? AND evaluator = (SELECT ordinal FROM evaluation_column
       WHERE evaluation_column.evaluation = result.evaluation AND kind = 'score' AND name = ?)
     AND is_error = 0 AND is_verdict = 0 AND number ${comparison} ?`

interface StatisticsRow {
  evaluators: string | null
  /** Both are null if the evaluation never had scenarios. */
  scores: string | null
  statistics: string | null
}

export async function loadStatistics(connection: Connection, evaluation: number): Promise<ScoreStatistics> {
  const row = await connection.get<StatisticsRow>(READ_STATISTICS, evaluation)
  const declared = parseDeclaredEvaluators(row?.evaluators ?? null)
  return row?.statistics ? ScoreStatistics.parse(row.statistics, declared) : new ScoreStatistics(declared)
}

/** Call it after the rows are written. The caller must have locked the evaluation before it loaded the statistics. */
export async function storeStatistics(
  transaction: Transaction,
  evaluation: number,
  statistics: ScoreStatistics,
): Promise<void> {
  if (statistics.needsLatencies)
    statistics.setLatencies(await transaction.readNumbers(READ_LATENCIES, evaluation))
  const { scores, statistics: text } = toStoredScores(statistics)
  await transaction.run(STORE_SCORES, evaluation, scores, text)
}

/** The stored texts. */
export interface StoredScores {
  scores: string
  statistics: string
}

export function toStoredScores(statistics: ScoreStatistics): StoredScores {
  return { scores: JSON.stringify(statistics.scores), statistics: statistics.toText() }
}

/** What is stored for an evaluation that never had scenarios: no row. */
const NO_SCORES = toStoredScores(new ScoreStatistics(new Map()))

export async function readStoredScores(connection: Connection, evaluation: number): Promise<StoredScores> {
  const { scores, statistics } = (await connection.get<StatisticsRow>(READ_STATISTICS, evaluation)) ?? {}
  return scores && statistics ? { scores, statistics } : NO_SCORES
}

/** Scores as JSON text, by key. */
export async function readScoreTexts(
  connection: Connection,
  evaluations: readonly { key: number }[],
): Promise<Map<number, string>> {
  const texts = new Map(evaluations.map(({ key }) => [key, NO_SCORES.scores]))
  for (const { placeholders, values } of inLists([...texts.keys()], 1000)) {
    const rows = await connection.all<{ evaluation: number; scores: string }>(
      READ_SCORES(placeholders),
      ...values,
    )
    for (const { evaluation, scores } of rows) texts.set(evaluation, scores)
  }
  return texts
}

/** Call it after the declared evaluators of an evaluation have changed: thresholds decide which scores pass. */
export async function updateThresholds(
  transaction: Transaction,
  evaluation: number,
  previous: DeclaredEvaluators,
): Promise<void> {
  const row = await transaction.get<StatisticsRow>(READ_STATISTICS, evaluation)
  if (!row?.statistics) return
  const declared = parseDeclaredEvaluators(row.evaluators)
  const statistics = ScoreStatistics.parse(row.statistics, declared)
  for (const { name } of statistics.scores.evaluators) {
    const [before, after] = [previous.get(name), declared.get(name)]
    if (before?.threshold === after?.threshold && before?.higher_is_better === after?.higher_is_better)
      continue
    const { threshold, higher_is_better } = statistics.declarationOf(name)
    const statement = COUNT_PASSED_NUMBERS(higher_is_better ? '>=' : '<=')
    const counted =
      threshold === null
        ? undefined
        : await transaction.get<{ count: number }>(statement, evaluation, name, threshold)
    statistics.setPassedNumbers(name, counted?.count ?? 0)
  }
  await storeStatistics(transaction, evaluation, statistics)
}
