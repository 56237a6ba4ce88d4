// Reads the records of an upload of scenarios or results: the rows of valid ones are buffered until the whole body is read.

import { FileRange } from '../../import/source.ts'
import { recordLimits } from '../../json/records.ts'
import { releaseChunk } from '../../serialize/release-chunk.ts'
import { LineBuffer } from '../../store/buffer/line-buffer.ts'
import { temporaryFolder } from '../../store/store.ts'
import { RecordParser, type UploadRecords, type ValidRecord } from '../request/record-parser.ts'
import type { BulkContext, RecordsBody } from './operation.ts'

/** `toLine` returns the row of a record as text. Throws a Problem if a record is invalid. */
export async function bufferRecords<Value>(
  body: RecordsBody,
  records: UploadRecords,
  { settings }: BulkContext,
  toLine: (record: ValidRecord<Value>) => string,
): Promise<LineBuffer> {
  const { space, turns } = body
  const lines = new LineBuffer(temporaryFolder(settings), space)
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
      await addAll(parser.push(chunk))
      turns?.endTurn()
      if (body.chunks) releaseChunk(chunk)
    }
    await addAll(parser.end())
    if (parser.errors.count > 0) throw parser.errors.toProblem()
    return lines
  } catch (error) {
    await lines.close()
    throw error
  }
}

/** The buffered rows. */
export async function* rowBatches<Row>(
  lines: LineBuffer,
  readLine: (line: Buffer) => Row,
): AsyncGenerator<Row[]> {
  for await (const batch of lines.batches()) yield batch.map(readLine)
}
