// assay import: takes files of results into the store, each of them whole or not at all.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { NoStore } from '../errors.ts'
import { checkFormat } from '../import/formats.ts'
import { findingsOf, type Importer } from '../import/importer.ts'
import type { Source } from '../import/source.ts'
import { isId } from '../schema/ids.ts'
import type { ImportReport } from '../schema/imports.ts'
import { type Settings, wrongUse } from '../settings.ts'
import { type ImportResult, StagedImport } from '../store/imports.ts'
import { ensureProject } from '../store/projects.ts'
import { type Store, scratchFolder } from '../store/store.ts'
import { type Command, print } from './command.ts'
import { importOptions, listFiles, openFile } from './import-files.ts'
import { printReport, someRefused, totals } from './import-report.ts'
import { megabytes, Progress, whole } from './progress.ts'
import { withStore } from './store.ts'

// What is read is soon garbage, all of it: more room for young objects would cost 60 MB, and save a tenth of the time.
setFlagsFromString('--semi-space-growth-factor=1')

export const importFiles: Command = {
  name: 'import',
  takes: 'FILE…',
  summary: 'Takes files of results, or folders of them, into the store; - is standard input.',
  words: [1, Number.POSITIVE_INFINITY],
  async run(settings, words) {
    for (const name of ['evaluation', 'variant', 'project'] as const) {
      if (!isId(settings[name] ?? 'none'))
        throw wrongUse(`--${name} is not a name of 1 to 200 printable characters.`, 'import')
    }
    checkFormat(settings.format)
    if (words.filter((word) => word === '-').length > 1)
      throw wrongUse('Standard input can be read once.', 'import')
    const reports: ImportReport[] = []
    let skipped: string[] = []
    try {
      const found = await listFiles(words, settings)
      skipped = found.skipped
      await withStoreOrEmpty(settings, (store, own) => importAll(store, own, found.files, reports))
    } finally {
      // What was stored before something failed is stored.
      if (settings.json) print(JSON.stringify(totals(reports, skipped), null, 2))
      else {
        for (const report of reports) printReport(report, settings)
        for (const file of skipped) print(`${file}: passed over, of no format that Assay knows`)
      }
    }
    const refused = reports.filter((report) => report.refused > 0)
    if (refused.length > 0) throw someRefused(refused, settings)
  },
}

/** What a dry run would do to a store that is not there is what it does to an empty one. */
async function withStoreOrEmpty(
  settings: Settings,
  work: (store: Store, settings: Settings) => Promise<void>,
): Promise<void> {
  try {
    return await withStore(settings, (store) => work(store, settings), !settings.dry_run)
  } catch (error) {
    if (!(error instanceof NoStore)) throw error
  }
  const data = await mkdtemp(join(tmpdir(), 'assay-dry-run-'))
  const own = { ...settings, data, database: undefined }
  try {
    await withStore(own, (store) => work(store, own), true)
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

/** Thrown to undo what was done only to see what it would do. */
class NotKept extends Error {
  override name = 'NotKept'
}

export async function importFile(
  store: Store,
  settings: Settings,
  source: Source,
  importer: Importer,
): Promise<ImportReport> {
  const { dry_run: isDry } = settings
  const staged = new StagedImport(scratchFolder(settings))
  const file = { file: source.name, format: importer.name }
  const isRefused = () => staged.isRefused(settings.skip_invalid)
  try {
    await stage(source, importer, settings, staged)
    if (isRefused()) return staged.report(file, { stored: false })
    let result: ImportResult | undefined
    const progress = new Progress('Storing', whole)
    try {
      await store.writer.transaction(async (transaction) => {
        const project = await ensureProject(transaction, settings.project)
        const onStored = (stored: number) => progress.show(stored, staged.count)
        result = await staged.store(transaction, project, onStored)
        if (isDry || isRefused()) throw new NotKept()
      })
      return staged.report(file, { stored: true, result })
    } catch (error) {
      if (!(error instanceof NotKept)) throw error
      return staged.report(file, { stored: false, result, isDry })
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
  const progress = new Progress(`Reading ${source.name}`, megabytes)
  const options = importOptions(settings, (bytes) => progress.show(bytes, source.size))
  try {
    for await (const found of findingsOf(importer, source, options)) await staged.add(found)
  } finally {
    progress.end()
  }
}
