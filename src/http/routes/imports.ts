// /imports: imports a file from another tool or an Assay export, like `assay import`.
import type { FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { Problem } from '../../errors.ts'
import { ID_RULES, idSchema, isId } from '../../schema/ids.ts'
import { IMPORT_FORMATS, ImportReport } from '../../schema/imports.ts'
import { onConflictParam } from '../../schema/scenarios.ts'
import { strictObject, Type } from '../../schema/schema-builders.ts'
import type { ImportFileOptions } from '../bulk/import-file.ts'
import type { App, RouteContext } from '../route-context.ts'

const importQuerySchema = strictObject({
  format: Type.Optional(
    Type.String({
      enum: IMPORT_FORMATS,
      description: 'The format of the file. Default: detected from the content.',
    }),
  ),
  name: Type.Optional(Type.String({ description: 'The file name. Some formats derive ids from it.' })),
  evaluation: Type.Optional(
    idSchema('The id of the evaluation to import into. Overrides the id in the file.'),
  ),
  variant: Type.Optional(
    idSchema('The id of the variant. For a file of revisions: the variant to add them to.'),
  ),
  dry_run: Type.Optional(
    Type.Boolean({
      description: 'Validate the file and return the report without storing anything.',
    }),
  ),
  skip_invalid: Type.Optional(
    Type.Boolean({
      description:
        'Skip invalid records and store the others. Default: one invalid record rejects the whole file.',
    }),
  ),
  on_conflict: onConflictParam,
  baseline: Type.Optional(
    idSchema(
      'The `baseline_id` of the imported evaluation, also if it exists already. If the file contains several evaluations, each gets the member of this family with the same label and provider, and others get none.',
    ),
  ),
  map: Type.Optional(
    Type.String({
      description:
        'For tables: the roles of columns, as `COLUMN=ROLE[.KEY][:TYPE]` separated by commas, for example `answer=output,correct=score:bool,latency_ms=latency:ms`. Other columns are recognized by their names and values.',
    }),
  ),
})
type ImportQuery = Static<typeof importQuerySchema>

export function importRoutes(app: App, { writes, bulk }: RouteContext): void {
  app.route({
    method: 'POST',
    url: '/imports',
    config: { scope: 'write' },
    schema: {
      operationId: 'importFile',
      summary: 'Import a file',
      description:
        'Imports a file from another tool or an Assay export. By default, the whole file is stored or nothing. The format is detected from the content; Content-Type is ignored. A configuration in the file becomes a revision of a variant, unless that revision exists already. You can compress the file with gzip or zstd. A file that is stored compressed, or in UTF-16, is decoded. Files that belong together are sent as one tar archive: the file with the name in `name` is imported, by default the first one, and the others are the files in its folder.',
      tag: 'evaluations',
      querystring: importQuerySchema,
      body: Type.String({ format: 'binary' }),
      status: 200,
      returns: ImportReport,
      isUnversioned: true,
    },
    async handler(request, reply) {
      const { query } = request
      for (const name of ['evaluation', 'variant', 'baseline'] as const) {
        const id = query[name]
        if (id !== undefined && !isId(id))
          throw new Problem('invalid-request', `'${name}' is not a valid id. ${ID_RULES}`)
      }
      return writes.delegate(reply, {
        acceptsIfMatch: false,
        read: () => bulk.receive(request, 'importFile', importOptions(request, query)),
      })
    },
  })
}

function importOptions({ viewer, canRead }: FastifyRequest, query: ImportQuery): ImportFileOptions {
  const { name, format, evaluation, variant, dry_run, skip_invalid, on_conflict, baseline, map } = query
  return {
    project: viewer.project,
    canRead,
    name,
    format,
    evaluation,
    variant,
    map,
    dry_run,
    skip_invalid,
    on_conflict,
    baseline,
  }
}
