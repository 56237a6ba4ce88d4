// Imports one file over HTTP into a service.
import type { Assay, ImportFileQuery } from 'assay-client'
import { CommandError } from '../../errors.ts'
import type { Importer } from '../../import/importer.ts'
import type { Source } from '../../import/source.ts'
import type { ImportReport } from '../../schema/imports.ts'
import type { Settings } from '../../settings/settings.ts'
import { importOptions } from '../import/input-files.ts'
import { formatMegabytes, Progress } from '../output/progress.ts'
import { importReportOf } from './service-errors.ts'

/** Returns the report of a rejected file too. Throws errors of the client. */
export async function importOverHttp(
  assay: Assay,
  settings: Settings,
  source: Source,
  importer: Importer,
): Promise<ImportReport> {
  importer.checkOptions?.(
    source,
    importOptions(settings, () => undefined),
  )
  await rejectSiblings(source, importer)
  const progress = new Progress(`Sending ${source.name}`, formatMegabytes)
  const onProgress = (sentBytes: number) => {
    if (sentBytes < source.size) progress.show(sentBytes, source.size)
    else progress.showText(`${formatMegabytes(sentBytes)} sent, waiting for the service`)
  }
  try {
    const body = ReadableStream.from(copyChunks(source))
    const query = importQuery(source, importer, settings)
    return (await assay.importFile(body, query, { onProgress })) as ImportReport
  } catch (error) {
    const report = importReportOf(error)
    if (report) return report
    throw error
  } finally {
    progress.end()
  }
}

/** A chunk of a source is valid only until the next one is read. */
async function* copyChunks(source: Source): AsyncGenerator<Uint8Array> {
  for await (const chunk of source.chunks()) yield new Uint8Array(chunk)
}

function importQuery(source: Source, importer: Importer, settings: Settings): ImportFileQuery {
  const { evaluation, variant, dry_run, skip_invalid, on_conflict } = settings
  const columns = { ...settings, output: settings.output_column }
  const names = ['input', 'output', 'expected', 'score', 'extra'] as const
  return {
    format: importer.name as NonNullable<ImportFileQuery['format']>,
    name: source.name,
    ...(evaluation !== undefined && { evaluation }),
    ...(variant !== undefined && { variant }),
    ...(dry_run && { dry_run }),
    ...(skip_invalid && { skip_invalid }),
    ...(on_conflict !== 'error' && { on_conflict: on_conflict as 'replace' | 'skip' }),
    ...Object.fromEntries(
      names.filter((name) => columns[name].length > 0).map((name) => [name, columns[name].join(',')]),
    ),
  }
}

/** Some formats consist of several files, but a request contains one file. */
async function rejectSiblings(source: Source, importer: Importer): Promise<void> {
  if (!(await importer.readsSiblings?.(source))) return
  throw new CommandError(
    `${source.name} is imported together with other files of its folder, but a request contains one file.`,
    'Import it into a local store with --data DIR, then copy it with assay copy DIR URL.',
  )
}
