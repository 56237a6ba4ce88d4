// Adds the scenarios of an upload to an evaluation.
import type { Shape } from '../../json/records.ts'
import type { OnConflict, ScenarioWrite } from '../../schema/scenarios.ts'
import type { Viewer } from '../../store/access/projects.ts'
import {
  ensureEvaluation,
  getEvaluation,
  lockEvaluationIfExists,
} from '../../store/evaluations/evaluations.ts'
import { getDeclaredEvaluators, humanEvaluators } from '../../store/evaluations/evaluators.ts'
import { beginAppend } from '../../store/ingest/replace-all.ts'
import { appendScenarios as appendRows } from '../../store/scenarios/append.ts'
import { scenarioRow } from '../../store/scenarios/row.ts'
import { readRowLine, rowLine } from '../../store/scenarios/row-lines.ts'
import type { ValidRecord } from '../request/record-parser.ts'
import { writeInTransaction } from '../request/write-transaction.ts'
import type { BulkOperation } from './operation.ts'
import { bufferRecords, rowBatches } from './records.ts'

export interface AppendOptions {
  viewer: Viewer
  evaluation_id: string
  shape: Shape
  onConflict: OnConflict | undefined
}

export const appendScenarios: BulkOperation<AppendOptions> = async (
  body,
  { viewer, evaluation_id, shape, onConflict },
  context,
) => {
  const toLine = ({ content, place }: ValidRecord<ScenarioWrite>) =>
    rowLine(scenarioRow(evaluation_id, content, place))
  const lines = await bufferRecords(body, { records: 'scenarios', evaluation_id, shape }, context, toLine)
  return {
    store: (writer, writeContext) =>
      writeInTransaction(writer, writeContext, {
        lock: (transaction) => lockEvaluationIfExists(transaction, viewer, evaluation_id),
        async store(transaction, evaluation) {
          const key = evaluation?.key ?? (await ensureEvaluation(transaction, viewer, evaluation_id))
          const keepsHumanResults = onConflict === 'replace' || onConflict === 'replace_all'
          const options = {
            onConflict,
            ...(keepsHumanResults && {
              humanEvaluators: humanEvaluators(await getDeclaredEvaluators(transaction, key)),
            }),
          }
          const counts = await appendRows(
            transaction,
            key,
            rowBatches(lines, readRowLine),
            options,
            beginAppend,
          )
          // `replace_all` gives the evaluation another key.
          const { version } = await getEvaluation(transaction, viewer, evaluation_id)
          return { status: 201, body: JSON.stringify(counts), version }
        },
      }),
    close: () => lines.close(),
  }
}
