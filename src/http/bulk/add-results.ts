// Adds the results of an upload to existing scenarios.
import type { Shape } from '../../json/records.ts'
import type { NewResult } from '../../schema/scenarios.ts'
import type { Viewer } from '../../store/access/projects.ts'
import { getEvaluationVersion, lockEvaluation } from '../../store/evaluations/evaluations.ts'
import { getDeclaredEvaluators, humanEvaluators } from '../../store/evaluations/evaluators.ts'
import { type ResultRow, resultRow } from '../../store/scenarios/result-rows.ts'
import { addResults as addRows } from '../../store/scenarios/results.ts'
import type { ValidRecord } from '../request/record-parser.ts'
import { writeInTransaction } from '../request/write-transaction.ts'
import type { BulkOperation } from './operation.ts'
import { bufferRecords, rowBatches } from './records.ts'

export interface AddResultsOptions {
  viewer: Viewer
  evaluation_id: string
  shape: Shape
}

export const addResults: BulkOperation<AddResultsOptions> = async (
  body,
  { viewer, evaluation_id, shape },
  context,
) => {
  const toLine = ({ content, place }: ValidRecord<NewResult>) => JSON.stringify(resultRow(content, place))
  const lines = await bufferRecords(body, { records: 'results', shape }, context, toLine)
  const readLine = (line: Buffer): ResultRow => JSON.parse(line.toString())
  return {
    store: (writer, writeContext) =>
      writeInTransaction(writer, writeContext, {
        lock: (transaction) => lockEvaluation(transaction, viewer, evaluation_id),
        async store(transaction, { key }) {
          const isReviewer = viewer.confined_to !== null
          const counts = await addRows(transaction, key, rowBatches(lines, readLine), {
            maxRecordBytes: context.settings.max_record_bytes,
            allowedEvaluators: isReviewer
              ? humanEvaluators(await getDeclaredEvaluators(transaction, key))
              : undefined,
          })
          const version = await getEvaluationVersion(transaction, key)
          return { status: 200, body: JSON.stringify(counts), version }
        },
      }),
    close: () => lines.close(),
  }
}
