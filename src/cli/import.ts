// assay import: imports result files. By default, each file is stored completely or not at all.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { StoreNotFound, UsageError } from '../errors.ts'
import { checkFormat, formatsHelp } from '../import/formats.ts'
import type { ImportReport } from '../schema/imports.ts'
import { ON_CONFLICT } from '../schema/scenarios.ts'
import type { Settings } from '../settings/settings.ts'
import type { Command } from './command.ts'
import {
  convertBufferingErrors,
  type InputFiles,
  listFiles,
  onConflictOf,
  openFile,
} from './import/input-files.ts'
import { interruptedError, stopOnInterrupt, untilAborted } from './import/interruption.ts'
import { fileError } from './import/outcome.ts'
import { printReport, printTotal, rejectionError, sumReports } from './import/report.ts'
import { print, sanitizeLine } from './output/terminal-text.ts'
import { withTarget } from './target/open-target.ts'
import type { Target } from './target/target.ts'
import { checkNames } from './validation.ts'

// Keeps the young generation small: a larger one would cost 60 MB of memory and save only 10 % of the time.
setFlagsFromString('--semi-space-growth-factor=1')

export const importFiles: Command = {
  argumentCount: [1, Number.POSITIVE_INFINITY],
  details: formatsHelp(),
  async run(settings, paths) {
    checkNames(settings, 'evaluation', 'variant', 'baseline', 'project')
    checkFormat(settings.format)
    checkOnConflict(settings)
    if (paths.filter((path) => path === '-').length > 1)
      throw new UsageError('Standard input (-) can be used only once.')
    const reports: ImportReport[] = []
    let otherFiles: Pick<InputFiles, 'skipped' | 'duplicates'> = { skipped: [], duplicates: [] }
    let files: string[] = []
    const importPaths = (signal: AbortSignal) =>
      convertBufferingErrors(settings, async () => {
        const input = await untilAborted(signal, listFiles(paths, settings))
        otherFiles = input
        files = input.files
        await withTargetForImport(settings, (target, targetSettings) =>
          importAll(target, targetSettings, files, reports, signal),
        )
      }).catch((error) => {
        throw fileError(error, files, reports, settings.dry_run)
      })
    try {
      await stopOnInterrupt(importPaths, (error) =>
        interruptedError(error, files[reports.length], reports.length > 0),
      )
    } finally {
      // After an error, files that were imported before it remain stored, so they are reported too.
      if (settings.json) print(JSON.stringify(sumReports(reports, otherFiles), null, 2))
      else {
        for (const report of reports) printReport(report, settings)
        printTotal(reports, settings)
        for (const { file, same_run_as } of otherFiles.duplicates)
          print(sanitizeLine(`${file}: skipped, the same run as ${same_run_as}`))
        for (const file of otherFiles.skipped) print(sanitizeLine(`${file}: skipped, unknown format`))
      }
    }
    if (reports.some(({ refused }) => refused > 0)) throw rejectionError(reports, settings)
  },
}

function checkOnConflict({ on_conflict, replace }: Settings): void {
  if (on_conflict === undefined) return
  if (!ON_CONFLICT.some((rule) => rule === on_conflict))
    throw new UsageError(`--on-conflict must be one of ${ON_CONFLICT.join(', ')}.`)
  if (replace && on_conflict !== 'replace_all')
    throw new UsageError(`--replace cannot be combined with --on-conflict ${on_conflict}.`)
}

/** A dry run does not create the store. If the store does not exist, it uses a temporary empty one. */
async function withTargetForImport(
  settings: Settings,
  work: (target: Target, settings: Settings) => Promise<void>,
): Promise<void> {
  try {
    return await withTarget(settings, (target) => work(target, settings), !settings.dry_run)
  } catch (error) {
    if (!(error instanceof StoreNotFound)) throw error
  }
  const data = await mkdtemp(join(tmpdir(), 'assay-dry-run-'))
  const temporarySettings = { ...settings, data, database: undefined }
  try {
    await withTarget(temporarySettings, (target) => work(target, temporarySettings), true)
  } finally {
    await rm(data, { recursive: true, force: true })
  }
}

/** The first file that is stored replaces all scenarios of an evaluation, and the others are added to it. */
function continued(settings: Settings): Settings {
  if (settings.evaluation === undefined || onConflictOf(settings) !== 'replace_all') return settings
  return { ...settings, replace: false, on_conflict: 'replace' }
}

async function importAll(
  target: Target,
  settings: Settings,
  files: string[],
  reports: ImportReport[],
  signal: AbortSignal,
): Promise<void> {
  target.checkScopes('write')
  let fileSettings = settings
  for (const file of files) {
    const { source, importer } = await untilAborted(signal, openFile(file, settings))
    try {
      const report = await target.importFile(source, importer, fileSettings, signal)
      reports.push(report)
      const isRejected = report.refused > 0 && !settings.skip_invalid
      if (report.stored || (settings.dry_run && !isRejected)) fileSettings = continued(settings)
    } finally {
      await source.close()
    }
  }
}
