// Deletes the results of one evaluator, in one scenario or in all scenarios of an evaluation.
import { Problem } from '../../errors.ts'
import { splitMembers } from '../../json/member-texts.ts'
import { toStorableText } from '../../json/storable-text.ts'
import { quoteNames } from '../../schema/validation/truncate.ts'
import type { Connection, Transaction } from '../dialect/dialect.ts'
import { type ReplacedTexts, replaceScenarios, replaceTexts } from './change.ts'
import { ColumnWriter } from './columns.ts'
import type { ScenarioWithId } from './corrections.ts'
import { joinResults, scoreColumn, splitResults, withResults } from './result-texts.ts'
import { recordContentChange } from './scenarios.ts'

/** Scenarios per batch. Small, because one body can be several megabytes. */
const BATCH_SIZE = 50

export const SCENARIOS_WITH_RESULT = `SELECT scenario.id AS id, scenario.position AS position, body, extra
  FROM result JOIN scenario ON scenario.evaluation = result.evaluation AND scenario.position = result.position
  WHERE result.evaluation = ? AND result.evaluator = ? AND result.position > ?
  ORDER BY result.position LIMIT ?`

/** Deletes the results of one evaluator in all scenarios. Throws evaluator-not-found. */
export async function deleteResults(
  transaction: Transaction,
  evaluation: number,
  requestedName: string,
): Promise<void> {
  const columns = await ColumnWriter.begin(transaction, evaluation)
  const evaluator = toStorableText(requestedName)
  const ordinal = columns.ordinals.score.get(evaluator)
  if (ordinal === undefined) throw evaluatorNotFound(requestedName)
  const names = scoreColumn(evaluator)
  const counts = { results: 0, scenarios: 0 }
  let bytes = 0
  for await (const scenarios of readScenariosWithResult(transaction, evaluation, ordinal)) {
    const changes = scenarios.map((stored) => removeResults(stored, evaluator))
    for (const { deletedCount, addedBytes } of changes) {
      counts.results += deletedCount
      bytes += addedBytes
    }
    counts.scenarios += changes.length
    columns.countRows(
      changes.map(() => names),
      -1,
    )
    await replaceTexts(
      transaction,
      evaluation,
      changes.map(({ texts }) => texts),
    )
    await transaction.run(
      'DELETE FROM result WHERE evaluation = ? AND evaluator = ? AND position <= ?',
      evaluation,
      ordinal,
      scenarios.at(-1)?.position ?? -1,
    )
  }
  columns.scores.deleteEvaluator(evaluator)
  await columns.finish()
  await recordContentChange(transaction, evaluation, { action: 'results.deleted', counts }, { bytes })
}

/** Deletes all results of one evaluator in one scenario. Throws result-not-found. */
export async function deleteScenarioResults(
  transaction: Transaction,
  evaluation: { key: number; id: string },
  scenario: ScenarioWithId,
  requestedName: string,
): Promise<void> {
  const count = await deleteResultsOf(transaction, evaluation, [scenario], toStorableText(requestedName))
  if (count === 0) throw resultNotFound(scenario.id, requestedName)
}

/** Deletes all results of one evaluator in these scenarios. Returns the number of deleted results. */
export async function deleteResultsOf(
  transaction: Transaction,
  evaluation: { key: number; id: string },
  scenarios: ScenarioWithId[],
  evaluator: string,
): Promise<number> {
  const changes = scenarios
    .map((stored) => ({ stored, ...removeResults(stored, evaluator) }))
    .filter(({ deletedCount }) => deletedCount > 0)
  const [first, ...others] = changes
  if (!first) return 0
  const columns = await ColumnWriter.begin(transaction, evaluation.key)
  const replacements = changes.map(({ stored, texts: { body, extra } }) => ({ stored, body, extra }))
  const bytes = await replaceScenarios(transaction, evaluation, columns, replacements)
  await columns.finish()
  const results = changes.reduce((sum, { deletedCount }) => sum + deletedCount, 0)
  const element = others.length === 0 ? { element: first.stored.id } : {}
  const counts = { results, scenarios: changes.length }
  const change = { action: 'results.deleted', ...element, counts } as const
  await recordContentChange(transaction, evaluation.key, change, { bytes })
  return results
}

interface RemovedResults {
  /** The scenario without the results. */
  texts: ReplacedTexts
  deletedCount: number
  addedBytes: number
}

function removeResults(stored: ScenarioWithId, evaluator: string): RemovedResults {
  const members = splitMembers(stored.body)
  const { results, extra, deletedCount } = withoutEvaluator(
    members.get('results') ?? '[]',
    stored.extra,
    evaluator,
  )
  const { body, digest } = withResults(members, results, extra)
  return {
    texts: { id: stored.id, position: stored.position, body, extra, digest },
    deletedCount,
    addedBytes: Buffer.byteLength(body) - Buffer.byteLength(stored.body),
  }
}

/** Extra data that is not aligned with the results does not change: it contains no details of them. */
function withoutEvaluator(results: string, extra: string | null, evaluator: string) {
  const texts = splitResults(results, extra)
  const allTexts = texts ?? splitResults(results, null) ?? []
  const kept = allTexts.filter((result) => result.evaluator !== evaluator)
  const joined = joinResults(kept, texts ? extra : null)
  return {
    results: joined.results,
    extra: texts ? joined.extra : extra,
    deletedCount: allTexts.length - kept.length,
  }
}

async function* readScenariosWithResult(
  connection: Connection,
  evaluation: number,
  ordinal: number,
): AsyncGenerator<ScenarioWithId[]> {
  for (let after = -1; ; ) {
    const scenarios = await connection.all<ScenarioWithId>(
      SCENARIOS_WITH_RESULT,
      evaluation,
      ordinal,
      after,
      BATCH_SIZE,
    )
    if (scenarios.length === 0) return
    yield scenarios
    after = scenarios.at(-1)?.position ?? after
  }
}

// These errors name no other evaluator, because a key without the scope `read` can write.

function evaluatorNotFound(name: string): Problem {
  return new Problem(
    'evaluator-not-found',
    `The evaluation has no results of the evaluator ${quoteNames([name])}. GET /api/evaluations/{evaluation_id}/summary lists its evaluators.`,
  )
}

function resultNotFound(scenario: string, name: string): Problem {
  return new Problem(
    'result-not-found',
    `The scenario '${scenario}' has no result of the evaluator ${quoteNames([name])}.`,
  )
}
