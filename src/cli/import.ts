// assay import: imports files of results into the store, each file completely or not at all.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { StoreNotFound } from '../errors.ts'
import { checkFormat } from '../import/formats.ts'
import { type Importer, importEventsOf } from '../import/importer.ts'
import type { Source } from '../import/source.ts'
import { isId } from '../schema/ids.ts'
import type { ImportReport } from '../schema/imports.ts'
import { type Settings, usageError } from '../settings/settings.ts'
import { ensureProject } from '../store/access/projects.ts'
import { type ImportResult, StagedImport } from '../store/ingest/staged-import.ts'
import { type Store, temporaryFolder } from '../store/store.ts'
import type { Command } from './command.ts'
import { importOptions, listFiles, openFile } from './import/input-files.ts'
import { printReport, rejectionError, totals } from './import/report.ts'
import { formatCount, formatMegabytes, Progress } from './output/progress.ts'
import { print } from './output/terminal-text.ts'
import { withStore } from './with-store.ts'

// Keeps the young generation small: a larger one would cost 60 MB of memory and save only 10 % of the time.
setFlagsFromString('--semi-space-growth-factor=1')

export const importFiles: Command = {
  name: 'import',
  argumentNames: 'FILE…',
  summary: 'Import result files, or folders of them, into the store. Use - for standard input.',
  argumentCount: [1, Number.POSITIVE_INFINITY],
  async run(settings, paths) {
    for (const name of ['evaluation', 'variant', 'project'] as const) {
      if (!isId(settings[name] ?? 'none'))
        throw usageError(`--${name} must have 1 to 200 printable characters.`, 'import')
    }
    checkFormat(settings.format)
    if (paths.filter((path) => path === '-').length > 1)
      throw usageError('Standard input (-) can be used only once.', 'import')
    const reports: ImportReport[] = []
    let skipped: string[] = []
    try {
      const input = await listFiles(paths, settings)
      skipped = input.skipped
      await withStoreForImport(settings, (store, storeSettings) =>
        importAll(store, storeSettings, input.files, reports),
      )
    } finally {
      // After an error, files that were imported before it remain stored, so they are reported too.
      if (settings.json) print(JSON.stringify(totals(reports, skipped), null, 2))
      else {
        for (const report of reports) printReport(report, settings)
        for (const file of skipped) print(`${file}: skipped, unknown format`)
      }
    }
    const rejected = reports.filter((report) => report.refused > 0)
    if (rejected.length > 0) throw rejectionError(rejected, settings)
  },
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

/** Thrown to roll back the transaction of a dry run or a rejected file. */
class RolledBack extends Error {
  override name = 'RolledBack'
}

export async function importFile(
  store: Store,
  settings: Settings,
  source: Source,
  importer: Importer,
): Promise<ImportReport> {
  const { dry_run: isDryRun } = settings
  const staged = new StagedImport(temporaryFolder(settings))
  const file = { file: source.name, format: importer.name }
  const isRejected = () => staged.isRejected(settings.skip_invalid)
  try {
    await stage(source, importer, settings, staged)
    if (isRejected()) return staged.report(file, { stored: false })
    let result: ImportResult | undefined
    const progress = new Progress('Storing', formatCount)
    try {
      await store.writer.transaction(async (transaction) => {
        const project = await ensureProject(transaction, settings.project)
        const onStored = (stored: number) => progress.show(stored, staged.count)
        result = await staged.store(transaction, project, onStored)
        if (isDryRun || isRejected()) throw new RolledBack()
      })
      return staged.report(file, { stored: true, result })
    } catch (error) {
      if (!(error instanceof RolledBack)) throw error
      return staged.report(file, { stored: false, result, isDryRun: isDryRun })
    } finally {
      progress.end()
    }
  } finally {
    await staged.close()
  }
}

async function stage(
  source: Source,
  importer: Importer,
  settings: Settings,
  staged: StagedImport,
): Promise<void> {
  const progress = new Progress(`Reading ${source.name}`, formatMegabytes)
  const options = importOptions(settings, (bytes) => progress.show(bytes, source.size))
  try {
    for await (const event of importEventsOf(importer, source, options)) await staged.add(event)
  } finally {
    progress.end()
  }
}
