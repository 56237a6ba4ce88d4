// /imports: imports a file from another tool or an Assay export, like `assay import`.
import type { FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { CommandError, invalidContent, Problem } from '../../errors.ts'
import { type ColumnOptions, type Importer, importEventsOf, UnreadableFile } from '../../import/importer.ts'
import { BufferingError, Source } from '../../import/source.ts'
import { isTar, openTar } from '../../import/tar/read-tar.ts'
import { createParseScenarios } from '../../parse/parse-import.ts'
import { ID_RULES, idSchema, isId } from '../../schema/ids.ts'
import { IMPORT_FORMATS, ImportReport } from '../../schema/imports.ts'
import { onConflictParam } from '../../schema/scenarios.ts'
import { strictObject, Type } from '../../schema/schema-builders.ts'
import { expansionLimits, recordLimits, type Settings } from '../../settings/settings.ts'
import { cannotBuffer } from '../../store/buffer/row-buffer.ts'
import { RolledBackImport, StagedImport } from '../../store/ingest/staged-import.ts'
import { storedDataOf } from '../../store/ingest/stored-data.ts'
import { type Reader, temporaryFolder } from '../../store/store.ts'
import { checkContentLength, readBody } from '../request/body.ts'
import type { UploadContext } from '../request/parse-body.ts'
import type { Upload } from '../request/uploads.ts'
import type { App, RouteContext } from '../route-context.ts'

const columnsParam = (role: string) =>
  Type.Optional(Type.String({ description: `For tables: the columns with ${role}, separated by commas.` }))
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
  input: columnsParam('inputs'),
  output: Type.Optional(Type.String({ description: 'For tables: the column with the output.' })),
  expected: columnsParam('expected answers'),
  score: columnsParam('scores'),
  extra: columnsParam('extra data of the scenario'),
  map: Type.Optional(
    Type.String({
      description:
        'For tables: the roles of columns, as `COLUMN=ROLE[.KEY][:TYPE]` separated by commas, for example `answer=output,correct=score:bool,latency_ms=latency:ms`. Other columns are recognized by their names and values.',
    }),
  ),
})
type ImportQuery = Static<typeof importQuerySchema>

export function importRoutes(app: App, { reader, writes, settings, uploads }: RouteContext): void {
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
      try {
        return await writes.handle(reply, {
          read: () => stageUpload(request, query, { reader, settings, uploads }),
          async store(transaction, { stagedImport, file }) {
            const report = await stagedImport.store(transaction, request.viewer.project, file, query)
            const written = [
              ...report.evaluations.map(({ id }) => ({ noun: 'evaluation', id }) as const),
              ...report.variants.map(({ id }) => ({ noun: 'variant', id }) as const),
            ]
            return { status: 200, body: JSON.stringify(visibleTo(request, report)), written }
          },
          cleanUp: ({ stagedImport }) => stagedImport.close(),
        })
      } catch (error) {
        if (!(error instanceof RolledBackImport)) throw error
        const report = visibleTo(request, error.report)
        if (!query.dry_run) throw rejectedFileProblem(report, error.isConflict, query.skip_invalid)
        return reply.header('cache-control', 'no-store').send(report)
      }
    },
  })
}

/** A key without the scope `read` gets no stored name, and no id that it did not send. */
function visibleTo({ canRead }: FastifyRequest, report: ImportReport): ImportReport {
  if (canRead) return report
  const { deleted: _, ...visible } = report
  const evaluations = report.evaluations.map(({ missing, missing_ids, ...each }) => ({
    ...each,
    name: each.id,
  }))
  return { ...visible, evaluations }
}

/** Estimated bytes of temporary files per byte of the body: the file itself, and the buffered rows. */
const BUFFERED_BYTES_PER_BYTE = 3.25
/** After this time, uploads that arrived earlier get a turn. */
const MAX_TURN_MS = 10

/** Buffers the body in a temporary file first, because an importer may have to read it twice. */
async function stageUpload(
  request: FastifyRequest,
  query: ImportQuery,
  { reader, settings, uploads }: UploadContext & { reader: Reader },
) {
  checkContentLength(request, settings)
  const upload = await uploads.admit(request, BUFFERED_BYTES_PER_BYTE)
  try {
    return await stageFile(request, query, { reader, settings }, upload)
  } finally {
    upload.finish()
  }
}

async function stageFile(
  request: FastifyRequest,
  query: ImportQuery,
  { reader, settings }: { reader: Reader; settings: Settings },
  upload: Upload,
) {
  const folder = temporaryFolder(settings)
  const limits = { space: upload, expansion: expansionLimits(settings) }
  const body = readBody(request, settings)
  const file = await Source.buffer(body, query.name ?? 'import', folder, limits).catch(throwBufferingProblem)
  const stagedImport = new StagedImport(folder, upload)
  let source = file
  try {
    if (isTar(file.head)) source = await openTar(file, query.name)
    const stored = storedDataOf(reader, request.viewer.project)
    const parseScenarios = createParseScenarios(upload.parseOptions)
    const options = { ...importOptions(query, settings), stored, parseScenarios }
    const importer = await findImporter(source, query.format, options.columns)
    await upload.beginTurn(Math.max(file.size, source.size))
    let turnStart = performance.now()
    for await (const event of importEventsOf(importer, source, options)) {
      if (performance.now() - turnStart > MAX_TURN_MS) {
        await upload.yieldTurn()
        turnStart = performance.now()
      }
      await stagedImport.add(event)
    }
    return { stagedImport, file: { file: source.path, format: importer.name } }
  } catch (error) {
    await stagedImport.close()
    if (error instanceof UnreadableFile) throw invalidContent('', error.message)
    if (error instanceof CommandError) throw invalidContent('', `${error.message} ${error.hint}`)
    return throwBufferingProblem(error)
  } finally {
    if (source !== file) await source.close()
    await file.close()
  }
}

function throwBufferingProblem(error: unknown): never {
  throw error instanceof BufferingError ? cannotBuffer(error.cause) : error
}

const COLUMN_PARAMS = 'map'

/** Loads the importers on first use: a service that only serves reads needs none. */
async function findImporter(
  source: Source,
  format: string | undefined,
  columns: ColumnOptions,
): Promise<Importer> {
  const { chooseImporter, describeUnknownFormat } = await import('../../import/formats.ts')
  const importer = chooseImporter(source, format, columns)
  if (importer) return importer
  throw invalidContent(
    '',
    `The file has an unknown format. ${describeUnknownFormat(source, COLUMN_PARAMS, 'format=NAME')}`,
  )
}

function importOptions(query: ImportQuery, settings: Settings) {
  const splitNames = (list: string | undefined) => list?.split(',').filter((name) => name !== '') ?? []
  return {
    evaluation: query.evaluation,
    variant: query.variant,
    columns: {
      input: splitNames(query.input),
      output: splitNames(query.output),
      expected: splitNames(query.expected),
      score: splitNames(query.score),
      extra: splitNames(query.extra),
      map: query.map,
    },
    on_conflict: query.on_conflict ?? 'error',
    limits: recordLimits(settings),
    onRead: () => undefined,
  }
}

const MAX_LISTED_ERRORS = 100

function rejectedFileProblem(report: ImportReport, isConflict: boolean, skipsInvalid = false): Problem {
  const code = isConflict ? 'conflict' : 'invalid-content'
  const [firstNote] = report.refusals
  const members = { errors: listErrors(report), error_count: report.refusals.length, report }
  if (report.refusals.every(({ record }) => record === null)) {
    const detail = `${firstNote?.detail} (Line ${firstNote?.line}.) Nothing was stored.`
    return new Problem(code, detail, {}, { members })
  }
  const records = report.refused === 1 ? 'One record was' : `${report.refused} records were`
  const location =
    firstNote?.record == null
      ? `line ${firstNote?.line}`
      : `record ${firstNote.record}, line ${firstNote.line}`
  const hint = skipsInvalid ? '' : ' Set skip_invalid=true to store the other records.'
  const detail = `${records} rejected. The first error (${location}): ${firstNote?.detail} Nothing was stored.${hint}`
  return new Problem(code, detail, {}, { members })
}

function listErrors({ refusals }: ImportReport) {
  return refusals.slice(0, MAX_LISTED_ERRORS).map(({ pointer, line, detail }) => ({ pointer, line, detail }))
}
