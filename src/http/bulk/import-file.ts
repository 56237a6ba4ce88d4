// Imports an uploaded file from another tool, or an Assay export.

import { CommandError, invalidContent, Problem, UnreadableFile } from '../../errors.ts'
import { chooseImporter, describeUnknownFormat } from '../../import/formats.ts'
import { type Importer, importEventsOf } from '../../import/importer.ts'
import { Source } from '../../import/source.ts'
import { isTar, openTar } from '../../import/tar/read-tar.ts'
import { recordLimits } from '../../json/records.ts'
import type { ImportReport } from '../../schema/imports.ts'
import type { OnConflict } from '../../schema/scenarios.ts'
import { RolledBackImport, StagedImport } from '../../store/ingest/staged-import.ts'
import { storedDataOf } from '../../store/ingest/stored-data.ts'
import type { BulkContext, BulkOperation, RecordsBody } from './operation.ts'
import { throwBufferingProblem } from './operation.ts'

export interface ImportFileOptions {
  project: number
  /** A key without the scope `read` gets no stored name, and no id that it did not send. */
  canRead: boolean
  name: string | undefined
  format: string | undefined
  evaluation: string | undefined
  variant: string | undefined
  map: string | undefined
  dry_run: boolean | undefined
  skip_invalid: boolean | undefined
  on_conflict: OnConflict | undefined
  baseline: string | undefined
}

export const importFile: BulkOperation<ImportFileOptions, undefined> = async (body, options, context) => {
  const { stagedImport, file } = await stageFile(body, options, context)
  const { project, dry_run = false, skip_invalid = false } = options
  return {
    async store(transaction) {
      const report = await stagedImport.store(transaction, project, file, options)
      const written = [
        ...report.evaluations.map(({ id }) => ({ noun: 'evaluation', id }) as const),
        ...report.variants.map(({ id }) => ({ noun: 'variant', id }) as const),
      ]
      return { status: 200, body: JSON.stringify(visibleReport(report, options)), written }
    },
    recover(error) {
      if (!(error instanceof RolledBackImport)) throw error
      const report = visibleReport(error.report, options)
      if (!dry_run) throw rejectedFileProblem(report, error.isConflict, skip_invalid)
      const response = { status: 200, location: null, etag: null, body: JSON.stringify(report) }
      return { response, isReplayed: false }
    },
    close: () => stagedImport.close(),
  }
}

function visibleReport(report: ImportReport, { canRead }: ImportFileOptions): ImportReport {
  if (canRead) return report
  const { deleted: _, ...visible } = report
  const evaluations = report.evaluations.map(({ missing, missing_ids, ...each }) => ({
    ...each,
    name: each.id,
  }))
  return { ...visible, evaluations }
}

async function stageFile(
  body: RecordsBody,
  options: ImportFileOptions,
  { reader, settings, folder }: BulkContext,
) {
  const { space, turns } = body
  const buffering = { folder, space, maxExpandedBytes: settings.max_body_bytes }
  const name = options.name ?? 'import'
  const file = await (body.chunks
    ? Source.buffer(body.chunks, name, folder, buffering)
    : Source.fromTemporaryFile(body.file, name, buffering)
  ).catch(throwBufferingProblem)
  const stagedImport = new StagedImport(folder, space)
  let source = file
  try {
    if (isTar(file.head)) source = await openTar(file, options.name)
    const importer = findImporter(source, options)
    const importOptions = {
      ...options,
      on_conflict: options.on_conflict ?? 'error',
      stored: storedDataOf(reader, options.project),
      limits: recordLimits(settings.max_record_bytes),
    }
    await turns?.beginTurn()
    for await (const event of importEventsOf(importer, source, importOptions)) {
      const added = stagedImport.add(event)
      if (added) await added
      const paused = turns?.pause()
      if (paused) await paused
    }
    turns?.endTurn()
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

function findImporter(source: Source, { format, map }: ImportFileOptions): Importer {
  const importer = chooseImporter(source, format, map)
  if (importer) return importer
  throw invalidContent(
    '',
    `The file has an unknown format. ${describeUnknownFormat(source, 'map', 'format=NAME')}`,
  )
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
