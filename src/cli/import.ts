// assay import: imports result files into the store. By default, each file is stored completely or not at all.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { StoreNotFound, UsageError } from '../errors.ts'
import { checkFormat, formatsHelp } from '../import/formats.ts'
import { type Importer, importEventsOf } from '../import/importer.ts'
import type { Source } from '../import/source.ts'
import type { ImportReport } from '../schema/imports.ts'
import { ON_CONFLICT, type OnConflict } from '../schema/scenarios.ts'
import type { Settings } from '../settings/settings.ts'
import { ensureProject } from '../store/access/projects.ts'
import { RolledBackImport, StagedImport } from '../store/ingest/staged-import.ts'
import { type Store, temporaryFolder } from '../store/store.ts'
import type { Command } from './command.ts'
import { importOptions, listFiles, openFile } from './import/input-files.ts'
import { printReport, rejectionError, sumReports } from './import/report.ts'
import { formatCount, formatMegabytes, Progress } from './output/progress.ts'
import { print } from './output/terminal-text.ts'
import { checkNames } from './validation.ts'
import { withStore } from './with-store.ts'

// Keeps the young generation small: a larger one would cost 60 MB of memory and save only 10 % of the time.
setFlagsFromString('--semi-space-growth-factor=1')

export const importFiles: Command = {
  argumentCount: [1, Number.POSITIVE_INFINITY],
  details: formatsHelp(),
  async run(settings, paths) {
    checkNames(settings, 'evaluation', 'variant', 'project')
    checkFormat(settings.format)
    checkOnConflict(settings.on_conflict)
    if (paths.filter((path) => path === '-').length > 1)
      throw new UsageError('Standard input (-) can be used only once.')
    const reports: ImportReport[] = []
    let skippedFiles: string[] = []
    try {
      const input = await listFiles(paths, settings)
      skippedFiles = input.skipped
      await withStoreForImport(settings, (store, storeSettings) =>
        importAll(store, storeSettings, input.files, reports),
      )
    } finally {
      // After an error, files that were imported before it remain stored, so they are reported too.
      if (settings.json) print(JSON.stringify(sumReports(reports, skippedFiles), null, 2))
      else {
        for (const report of reports) printReport(report, settings)
        for (const file of skippedFiles) print(`${file}: skipped, unknown format`)
      }
    }
    const rejectedReports = reports.filter((report) => report.refused > 0)
    if (rejectedReports.length > 0) throw rejectionError(rejectedReports, settings)
  },
}

function checkOnConflict(value: string): OnConflict {
  const rule = ON_CONFLICT.find((name) => name === value)
  if (rule) return rule
  throw new UsageError(`--on-conflict must be one of ${ON_CONFLICT.join(', ')}.`)
}

/** A dry run does not create the store. If the store does not exist, it uses a temporary empty one. */
async function withStoreForImport(
  settings: Settings,
  work: (store: Store, settings: Settings) => Promise<void>,
): Promise<void> {
  try {
    return await withStore(settings, (store) => work(store, settings), !settings.dry_run)
  } catch (error) {
    if (!(error instanceof StoreNotFound)) throw error
  }
  const data = await mkdtemp(join(tmpdir(), 'assay-dry-run-'))
  const temporarySettings = { ...settings, data, database: undefined }
  try {
    await withStore(temporarySettings, (store) => work(store, temporarySettings), true)
  } finally {
    await rm(data, { recursive: true, force: true })
  }
}

async function importAll(
  store: Store,
  settings: Settings,
  files: string[],
  reports: ImportReport[],
): Promise<void> {
  for (const file of files) {
    const { source, importer } = await openFile(file, settings)
    try {
      reports.push(await importFile(store, settings, source, importer))
    } finally {
      await source.close()
    }
  }
}

export async function importFile(
  store: Store,
  settings: Settings,
  source: Source,
  importer: Importer,
): Promise<ImportReport> {
  const stagedImport = new StagedImport(temporaryFolder(settings))
  const file = { file: source.name, format: importer.name }
  try {
    await stageFile(source, importer, settings, stagedImport)
    const progress = new Progress('Storing', formatCount)
    const onStored = (storedCount: number) => progress.show(storedCount, stagedImport.count)
    const { dry_run, skip_invalid } = settings
    const options = { dry_run, skip_invalid, on_conflict: checkOnConflict(settings.on_conflict) }
    const storing = store.writer.transaction(async (transaction) => {
      const project = await ensureProject(transaction, settings.project)
      return stagedImport.store(transaction, project, file, options, onStored)
    })
    return await storing.finally(() => progress.end())
  } catch (error) {
    if (error instanceof RolledBackImport) return error.report
    throw error
  } finally {
    await stagedImport.close()
  }
}

async function stageFile(
  source: Source,
  importer: Importer,
  settings: Settings,
  stagedImport: StagedImport,
): Promise<void> {
  const progress = new Progress(`Reading ${source.name}`, formatMegabytes)
  const options = importOptions(settings, (bytes) => progress.show(bytes, source.size))
  try {
    for await (const event of importEventsOf(importer, source, options)) await stagedImport.add(event)
  } finally {
    progress.end()
  }
}
