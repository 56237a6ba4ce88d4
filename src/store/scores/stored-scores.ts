// The scores that are stored with an evaluation. They are updated in each transaction that changes what they depend on, so
// reading them reads no scenario.
import type { Connection, EngineTransaction } from '../dialect/dialect.ts'
import { type DeclaredEvaluators, parseDeclaredEvaluators } from '../evaluations/evaluators.ts'
import { inLists } from '../reads/in-list.ts'
import { countPassedNumbers, readLatencies, recountScores } from './recount.ts'
import { ScoreStatistics } from './score-statistics.ts'

/** The JSON text of the scores by evaluation key. `keys` is an in-list. */
export const READ_SCORES = (keys: string) =>
  `SELECT evaluation, scores FROM evaluation_scores WHERE evaluation IN (${keys})`
export const READ_STATISTICS = `SELECT evaluators, is_unknown, scores, statistics
  FROM evaluation LEFT JOIN evaluation_scores ON evaluation = key WHERE key = ?`
const STORE_SCORES = `INSERT INTO evaluation_scores (evaluation, is_unknown, scores, statistics) VALUES (?, 0, ?, ?)
  ON CONFLICT (evaluation) DO UPDATE SET is_unknown = 0, scores = excluded.scores, statistics = excluded.statistics`
/** The newest evaluation before a key. */
export const FIND_UNKNOWN = `SELECT evaluation FROM evaluation_scores
  WHERE is_unknown = 1 AND evaluation < ? ORDER BY evaluation DESC LIMIT 1`

interface StatisticsRow {
  evaluators: string | null
  /** Null if the evaluation never had scenarios. */
  is_unknown: number | null
  scores: string | null
  statistics: string | null
}

/** The statistics of an evaluation. They are counted from its rows if they are not stored. */
export async function loadStatistics(connection: Connection, evaluation: number): Promise<ScoreStatistics> {
  const row = await connection.get<StatisticsRow>(READ_STATISTICS, evaluation)
  if (row?.is_unknown === 1) return recountScores(connection, evaluation)
  const declared = parseDeclaredEvaluators(row?.evaluators ?? null)
  return row?.statistics ? ScoreStatistics.parse(row.statistics, declared) : new ScoreStatistics(declared)
}

/** Call it after the rows are written. The caller must have locked the evaluation before it loaded the statistics. */
export async function storeStatistics(
  transaction: EngineTransaction,
  evaluation: number,
  statistics: ScoreStatistics,
): Promise<void> {
  if (statistics.needsLatencies) statistics.setLatencies(await readLatencies(transaction, evaluation))
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

/** Undefined if the scores are unknown. */
export async function readStoredScores(
  connection: Connection,
  evaluation: number,
): Promise<StoredScores | undefined> {
  const row = await connection.get<StatisticsRow>(READ_STATISTICS, evaluation)
  if (row?.is_unknown === 1) return undefined
  const { scores, statistics } = row ?? {}
  return scores && statistics ? { scores, statistics } : NO_SCORES
}

/** The newest evaluation whose scores are unknown. */
export function findUnknown(connection: Connection): Promise<{ evaluation: number } | undefined> {
  return connection.get(FIND_UNKNOWN, Number.MAX_SAFE_INTEGER)
}

/** Whether there are evaluations whose scores are counted when they are read. */
export async function hasUnknownScores(connection: Connection): Promise<boolean> {
  return (await findUnknown(connection)) !== undefined
}

/** Scores as JSON text, by key. */
export async function readScoreTexts(
  connection: Connection,
  evaluations: readonly { key: number }[],
): Promise<Map<number, string>> {
  const texts = new Map(evaluations.map(({ key }) => [key, NO_SCORES.scores]))
  for (const { placeholders, values } of inLists([...texts.keys()], 1000)) {
    const rows = await connection.all<{ evaluation: number; scores: string | null }>(
      READ_SCORES(placeholders),
      ...values,
    )
    for (const { evaluation, scores } of rows)
      texts.set(evaluation, scores ?? JSON.stringify((await recountScores(connection, evaluation)).scores))
  }
  return texts
}

/** Call it after the declared evaluators of an evaluation have changed: thresholds decide which scores pass. */
export async function updateThresholds(
  transaction: EngineTransaction,
  evaluation: number,
  previous: DeclaredEvaluators,
): Promise<void> {
  const row = await transaction.get<StatisticsRow>(READ_STATISTICS, evaluation)
  // Scores that are not stored are counted with the new thresholds later.
  if (!row?.statistics) return
  const declared = parseDeclaredEvaluators(row.evaluators)
  const statistics = ScoreStatistics.parse(row.statistics, declared)
  for (const { name } of statistics.scores.evaluators) {
    const [before, after] = [previous.get(name), declared.get(name)]
    if (before?.threshold === after?.threshold && before?.higher_is_better === after?.higher_is_better)
      continue
    const count = await countPassedNumbers(transaction, evaluation, name, statistics.declarationOf(name))
    statistics.setPassedNumbers(name, count)
  }
  await storeStatistics(transaction, evaluation, statistics)
}
