// Uploads of scenarios and results. The rows of valid records are buffered until the whole body is read.
import { FileRange } from '../../import/source.ts'
import { recordLimits, type Shape } from '../../json/records.ts'
import type { NewResult, OnConflict, ScenarioWrite } from '../../schema/scenarios.ts'
import { releaseChunk } from '../../serialize/encoding.ts'
import type { Viewer } from '../../store/access/projects.ts'
import { LineBuffer } from '../../store/buffer/line-buffer.ts'
import {
  ensureEvaluation,
  getEvaluation,
  getEvaluationVersion,
  lockEvaluation,
  lockEvaluationIfExists,
} from '../../store/evaluations/evaluations.ts'
import { getDeclaredEvaluators, humanEvaluators } from '../../store/evaluations/evaluators.ts'
import { ReplaceAllAppender } from '../../store/ingest/replace-all.ts'
import type { ResourceInfo } from '../../store/resources/resource.ts'
import { appendScenarios as appendRows } from '../../store/scenarios/append.ts'
import { type ResultRow, resultRow } from '../../store/scenarios/result-rows.ts'
import { addResults as addRows } from '../../store/scenarios/results.ts'
import { scenarioRow } from '../../store/scenarios/row.ts'
import { readRowLine, rowLine } from '../../store/scenarios/row-lines.ts'
import { RecordParser, type UploadRecords, type ValidRecord } from '../request/record-parser.ts'
import type { BulkContext, BulkOperation, RecordsBody } from './operation.ts'

export interface AppendOptions {
  viewer: Viewer
  evaluation_id: string
  shape: Shape
  onConflict: OnConflict | undefined
}

export const appendScenarios: BulkOperation<AppendOptions, ResourceInfo | undefined> = async (
  body,
  { viewer, evaluation_id, shape, onConflict },
  context,
) => {
  const toLine = ({ content, place }: ValidRecord<ScenarioWrite>) =>
    rowLine(scenarioRow(evaluation_id, content, place))
  const lines = await bufferRecords(body, { noun: 'scenario', evaluation_id, shape }, context, toLine)
  return {
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
      const begin = onConflict === 'replace_all' ? ReplaceAllAppender.begin : undefined
      const counts = await appendRows(transaction, key, rowBatches(lines, readRowLine), options, begin)
      // `replace_all` gives the evaluation another key.
      const { version } = await getEvaluation(transaction, viewer, evaluation_id)
      return { status: 201, body: JSON.stringify(counts), version }
    },
    close: () => lines.close(),
  }
}

export interface AddResultsOptions {
  viewer: Viewer
  evaluation_id: string
  shape: Shape
}

export const addResults: BulkOperation<AddResultsOptions, ResourceInfo> = async (
  body,
  { viewer, evaluation_id, shape },
  context,
) => {
  const toLine = ({ content, place }: ValidRecord<NewResult>) => JSON.stringify(resultRow(content, place))
  const lines = await bufferRecords(body, { noun: 'result', evaluation_id, shape }, context, toLine)
  const readLine = (line: Buffer): ResultRow => JSON.parse(line.toString())
  return {
    lock: (transaction) => lockEvaluation(transaction, viewer, evaluation_id),
    async store(transaction, { key }) {
      const { max_record_bytes: maxRecordBytes } = context.settings
      const counts = await addRows(transaction, key, rowBatches(lines, readLine), { maxRecordBytes })
      const version = await getEvaluationVersion(transaction, key)
      return { status: 200, body: JSON.stringify(counts), version }
    },
    close: () => lines.close(),
  }
}

/** `toLine` returns the row of a record as text. Throws a Problem if a record is invalid. */
async function bufferRecords<Value>(
  body: RecordsBody,
  records: UploadRecords,
  { settings, folder }: BulkContext,
  toLine: (record: ValidRecord<Value>) => string,
): Promise<LineBuffer> {
  const { space, turns } = body
  const lines = new LineBuffer(folder, space)
  const parser = new RecordParser(records, recordLimits(settings.max_record_bytes))
  async function addAll(parsed: Iterable<ValidRecord<unknown> | undefined>): Promise<void> {
    for (const record of parsed) {
      const added = record && lines.add(toLine(record as ValidRecord<Value>))
      if (added) await added
      const paused = turns?.pause()
      if (paused) await paused
    }
  }
  try {
    for await (const chunk of body.chunks ?? new FileRange(body.file.file).chunks()) {
      await turns?.beginTurn()
      await addAll(parser.parse(chunk))
      turns?.endTurn()
      if (body.chunks) releaseChunk(chunk)
    }
    await addAll(parser.parse())
    if (parser.errors) throw parser.errors.toProblem()
    return lines
  } catch (error) {
    await lines.close()
    throw error
  }
}

/** The buffered rows. */
async function* rowBatches<Row>(lines: LineBuffer, readLine: (line: Buffer) => Row): AsyncGenerator<Row[]> {
  for await (const batch of lines.batches()) yield batch.map(readLine)
}
