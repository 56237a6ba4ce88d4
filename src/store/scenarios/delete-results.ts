// Deletes the results of one evaluator in all scenarios of an evaluation.
import { Problem } from '../../errors.ts'
import { splitMembers } from '../../json/member-texts.ts'
import { toStorableText } from '../../json/storable-text.ts'
import { quoteNames } from '../../schema/validation/truncate.ts'
import type { Connection, Transaction } from '../dialect/dialect.ts'
import { replaceTexts } from './change.ts'
import { ColumnWriter } from './columns.ts'
import { joinResults, scoreColumn, splitResults, withResults } from './result-texts.ts'
import { recordContentChange, type StoredScenario } from './scenarios.ts'

/** Scenarios per batch. Small, because one body can be several megabytes. */
const BATCH_SIZE = 50

type ScenarioWithId = StoredScenario & { id: string }

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
  if (ordinal === undefined) throw evaluatorNotFound(requestedName, columns)
  const names = scoreColumn(evaluator)
  const counts = { results: 0, scenarios: 0 }
  let bytes = 0
  for await (const scenarios of readScenariosWithResult(transaction, evaluation, ordinal)) {
    const changes = scenarios.map((stored) => {
      const members = splitMembers(stored.body)
      const { results, extra, deletedCount } = withoutEvaluator(
        members.get('results') ?? '[]',
        stored.extra,
        evaluator,
      )
      counts.results += deletedCount
      const { body, digest } = withResults(members, results, extra)
      bytes += Buffer.byteLength(body) - Buffer.byteLength(stored.body)
      return { id: stored.id, position: stored.position, body, extra, digest }
    })
    counts.scenarios += changes.length
    columns.removeRows(changes.map(() => names))
    await replaceTexts(transaction, evaluation, changes)
    await transaction.run(
      'DELETE FROM result WHERE evaluation = ? AND evaluator = ? AND position <= ?',
      evaluation,
      ordinal,
      changes.at(-1)?.position ?? -1,
    )
  }
  columns.scores.deleteEvaluator(evaluator)
  await columns.finish()
  await recordContentChange(transaction, evaluation, { action: 'results.deleted', counts }, { bytes })
}

/** Extra data that is not aligned with the results does not change: it contains no details of them. */
function withoutEvaluator(results: string, extra: string | null, evaluator: string) {
  const texts = splitResults(results, extra)
  const allTexts = texts ?? splitResults(results, null) ?? []
  const remainingTexts = allTexts.filter((result) => result.evaluator !== evaluator)
  const joined = joinResults(remainingTexts, texts ? extra : null)
  return {
    results: joined.results,
    extra: texts ? joined.extra : extra,
    deletedCount: allTexts.length - remainingTexts.length,
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

function evaluatorNotFound(name: string, { ordinals }: ColumnWriter): Problem {
  const names = [...ordinals.score.keys()]
  const hint = names.length === 0 ? 'It has no results.' : `It has results of ${quoteNames(names)}.`
  return new Problem(
    'evaluator-not-found',
    `The evaluation has no results of the evaluator ${quoteNames([name])}. ${hint}`,
  )
}
