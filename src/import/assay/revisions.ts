// Imports revisions in Assay's own format: a JSON array, or one revision per line. The first line of a copied variant
// contains the variant.
import { CommandError } from '../../errors.ts'
import type { JsonPreview } from '../../json/detect-shape.ts'
import { checkRevision } from '../../schema/revisions.ts'
import { parsedValue } from '../../schema/validation/parsed-value.ts'
import type { Importer } from '../importer.ts'
import { readRecords, rejectionsOf } from '../read-records.ts'
import { validateRecord } from '../validate-record.ts'
import { readVariantHeader } from './export-header.ts'

export const revisions: Importer = {
  name: 'revisions',
  label: 'Assay revisions',
  description: 'revisions as returned by Assay, with modified_by and config',
  docs: 'reference/commands.md',
  example: 'assay import revisions.json --variant support-answer',
  isOwnFormat: true,

  detects({ jsonPreview }) {
    const { names = [] } = jsonPreview ?? {}
    return isVariantExport(jsonPreview) || ['modified_by', 'config'].every((name) => names.includes(name))
  },

  checkOptions(source, { variant }) {
    if (variant !== undefined || isVariantExport(source.jsonPreview)) return
    throw new CommandError(
      `${source.name} contains revisions but names no variant.`,
      'Name the variant with --variant ID, or over HTTP with variant=ID.',
      2,
    )
  },

  async open(source, options) {
    this.checkOptions?.(source, options)
    return {
      async *events() {
        const id = options.variant
        const isExport = isVariantExport(source.jsonPreview)
        if (!isExport && id !== undefined) yield { kind: 'variant', id, content: parsedValue({ name: id }) }
        for await (const record of readRecords(source, options.limits)) {
          if ('kind' in record) {
            yield record
          } else if (isExport && record.index === 0) {
            const header = readVariantHeader(record)
            if (!header.content) return yield* rejectionsOf(header)
            yield { kind: 'variant', id: id ?? header.content.value.id, content: header.content }
          } else {
            const validated = validateRecord(record, checkRevision)
            if (validated.content)
              yield { kind: 'revision', place: validated.place, content: validated.content }
            else yield* rejectionsOf(validated)
          }
        }
      },
    }
  },
}

/** The first line of an exported variant contains the variant itself. */
function isVariantExport(preview: JsonPreview | undefined): boolean {
  return preview?.shape === 'lines' && preview.names.join() === 'variant' && preview.paths.has('variant.id')
}
