// Imports one file into a store, completely or not at all.
import { type Importer, importEventsOf } from '../../import/importer.ts'
import type { Source } from '../../import/source.ts'
import type { ImportReport } from '../../schema/imports.ts'
import type { Settings } from '../../settings/settings.ts'
import { ensureProject, findProject } from '../../store/access/projects.ts'
import { RolledBackImport, StagedImport } from '../../store/ingest/staged-import.ts'
import { storedDataOf } from '../../store/ingest/stored-data.ts'
import { type Store, type Transaction, temporaryFolder } from '../../store/store.ts'
import { importOptions, onConflictOf } from '../import/input-files.ts'
import { formatCount, formatMegabytes, Progress } from '../output/progress.ts'

/** How many notes of each kind a report with --json lists. */
const MAX_JSON_NOTES = 100_000

export async function importIntoStore(
  store: Store,
  settings: Settings,
  source: Source,
  importer: Importer,
  signal?: AbortSignal,
): Promise<ImportReport> {
  const maxNotes = settings.json ? MAX_JSON_NOTES : undefined
  const stagedImport = new StagedImport(temporaryFolder(settings), undefined, maxNotes)
  const file = { file: source.path, format: importer.name }
  try {
    await stageFile(store, source, importer, settings, stagedImport, signal)
    const progress = new Progress('Storing', formatCount)
    const onStored = (storedCount: number) => {
      // Rolls back the transaction.
      signal?.throwIfAborted()
      progress.show(storedCount, stagedImport.count)
    }
    const { dry_run, skip_invalid, baseline } = settings
    const options = { dry_run, skip_invalid, baseline, on_conflict: onConflictOf(settings) }
    const storeAll = async (transaction: Transaction) => {
      const project = await ensureProject(transaction, settings.project)
      return stagedImport.store(transaction, project, file, options, onStored)
    }
    const storing = store.writer.transaction(storeAll, undefined, signal)
    return await storing.finally(() => progress.end())
  } catch (error) {
    if (error instanceof RolledBackImport) return error.report
    throw error
  } finally {
    await stagedImport.close()
  }
}

async function stageFile(
  { reader }: Store,
  source: Source,
  importer: Importer,
  settings: Settings,
  stagedImport: StagedImport,
  signal: AbortSignal | undefined,
): Promise<void> {
  const progress = new Progress(`Reading ${source.path}`, formatMegabytes)
  const stored = storedDataOf(reader, await findProject(reader, settings.project))
  source.onRead = (bytes) => progress.show(bytes, source.size)
  try {
    for await (const event of importEventsOf(importer, source, importOptions(settings, stored))) {
      signal?.throwIfAborted()
      const added = stagedImport.add(event)
      if (added) await added
    }
  } finally {
    progress.end()
  }
}
