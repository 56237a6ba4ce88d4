// The records of Assay's own files, read as they stream by.
import { JsonProblem } from '../json/problem.ts'
import { type JsonRecord, RecordReader } from '../json/records.ts'
import type { Refusal } from '../schema/findings.ts'
import type { ImportOptions } from './importer.ts'
import type { Judged } from './records.ts'
import type { Source } from './source.ts'

/** Ends with a refusal where the file cannot be read any further. */
export async function* readRecords(
  source: Source,
  { limits, onRead }: ImportOptions,
): AsyncGenerator<JsonRecord | ({ kind: 'refusal' } & Refusal)> {
  const reader = new RecordReader(source.opening?.shape ?? 'array', limits)
  try {
    let read = 0
    for await (const chunk of source.chunks()) {
      read += chunk.length
      onRead(read)
      yield* reader.push(chunk)
    }
    yield* reader.end()
  } catch (error) {
    if (!(error instanceof JsonProblem)) throw error
    yield { kind: 'refusal', record: null, line: error.line, pointer: '', detail: error.message }
  }
}

/** What is wrong with a record, one refusal for each error. */
export function* refusals({
  place,
  problem,
  errors = [],
}: Judged<unknown>): Generator<{ kind: 'refusal' } & Refusal> {
  const record = place.index + 1
  if (problem) yield { kind: 'refusal', record, line: problem.line, pointer: '', detail: problem.message }
  for (const { pointer, detail } of errors)
    yield { kind: 'refusal', record, line: place.line, pointer, detail }
}
