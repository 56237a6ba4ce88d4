// Imports revisions in Assay's own format: a JSON array, or one revision per line.
import { CommandError } from '../../errors.ts'
import type { ImportEvent } from '../../schema/import-events.ts'
import { checkRevision } from '../../schema/revisions.ts'
import { parsedValue } from '../../schema/validation/parsed-value.ts'
import type { Importer, ImportOptions } from '../importer.ts'
import { readRecords, rejectionsOf } from '../read-records.ts'
import type { Source } from '../source.ts'
import { validateRecord } from '../validate-record.ts'

export const revisions: Importer = {
  name: 'revisions',
  label: 'Assay revisions',
  description: 'revisions as returned by Assay, with modified_by and config',
  docs: 'reference/commands.md',
  example: 'assay import revisions.json --variant support-answer',

  detects({ jsonPreview }) {
    return (
      jsonPreview !== undefined && ['modified_by', 'config'].every((name) => jsonPreview.names.includes(name))
    )
  },

  async open(source, options) {
    return { events: () => readRevisions(source, options) }
  },
}

async function* readRevisions(source: Source, options: ImportOptions): AsyncGenerator<ImportEvent> {
  const id = options.variant
  if (id === undefined) {
    throw new CommandError(
      `${source.name} contains revisions but names no variant.`,
      'Name the variant with --variant ID, or over HTTP with variant=ID.',
      2,
    )
  }
  yield { kind: 'variant', id, content: parsedValue({ name: id }) }
  for await (const record of readRecords(source, options)) {
    if ('kind' in record) {
      yield record
      continue
    }
    const validated = validateRecord(record, checkRevision)
    if (validated.content) yield { kind: 'revision', place: validated.place, content: validated.content }
    else yield* rejectionsOf(validated)
  }
}
