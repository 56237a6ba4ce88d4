// Assay's own revisions: an array of them, or one a line, as the read of a variant's revisions answers.
import { CommandError } from '../errors.ts'
import type { Found } from '../schema/findings.ts'
import { checkRevision } from '../schema/revisions.ts'
import { written } from '../schema/written.ts'
import type { Importer, ImportOptions } from './importer.ts'
import { readRecords, refusals } from './reading.ts'
import { judgeRecord } from './records.ts'
import type { Source } from './source.ts'

export const revisions: Importer = {
  name: 'revisions',
  reads: 'revisions as Assay answers them, with modified_by and config',

  claims({ opening }) {
    return opening !== undefined && ['modified_by', 'config'].every((name) => opening.names.includes(name))
  },

  async open(source, options) {
    return { findings: () => readRevisions(source, options) }
  },
}

async function* readRevisions(source: Source, options: ImportOptions): AsyncGenerator<Found> {
  const id = options.variant
  if (id === undefined) {
    throw new CommandError(
      `${source.name} holds revisions and names no variant.`,
      'Name it with --variant ID, over HTTP with variant=ID.',
      2,
    )
  }
  yield { kind: 'variant', id, written: written({ name: id }) }
  for await (const record of readRecords(source, options)) {
    if ('kind' in record) {
      yield record
      continue
    }
    const judged = judgeRecord(record, checkRevision)
    if (judged.written) yield { kind: 'revision', place: judged.place, written: judged.written }
    else yield* refusals(judged)
  }
}
