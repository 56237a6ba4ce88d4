// Imports one file over HTTP into a service.
import type { Assay, ImportFileQuery } from 'assay-client'
import type { Importer } from '../../import/importer.ts'
import type { Source } from '../../import/source.ts'
import { readUnchanged, tarSize, writeTar } from '../../import/tar/write-tar.ts'
import type { ImportReport } from '../../schema/imports.ts'
import type { Settings } from '../../settings/settings.ts'
import { importOptions, onConflictOf } from '../import/input-files.ts'
import { ResponseInterrupted } from '../import/interruption.ts'
import { formatMegabytes, Progress } from '../output/progress.ts'
import { importReportOf } from './target-errors.ts'

/** Returns the report of a rejected file too. Throws errors of the client. */
export async function importOverHttp(
  assay: Assay,
  settings: Settings,
  source: Source,
  importer: Importer,
  signal?: AbortSignal,
): Promise<ImportReport> {
  importer.checkOptions?.(source, importOptions(settings))
  const files = [source, ...(await openSiblings(source, importer))]
  const totalBytes = files.length > 1 ? tarSize(files) : source.storedSize
  const progress = new Progress(`Sending ${source.path}`, formatMegabytes)
  let isSent = false
  const onProgress = (sentBytes: number) => {
    isSent = sentBytes >= totalBytes
    if (sentBytes < totalBytes) progress.show(sentBytes, totalBytes)
    else progress.showText(`${formatMegabytes(sentBytes)} sent, waiting for the service`)
  }
  try {
    const body = ReadableStream.from(files.length > 1 ? writeTar(files) : readUnchanged(source))
    const query = importQuery(source, importer, settings)
    return (await assay.importFile(body, query, { onProgress, ...(signal && { signal }) })) as ImportReport
  } catch (error) {
    const report = importReportOf(error)
    if (report) return report
    // The service stores a file when it has received all of it.
    throw signal?.aborted && isSent ? new ResponseInterrupted() : error
  } finally {
    progress.end()
    for (const sibling of files.slice(1)) await sibling.close()
  }
}

async function openSiblings(source: Source, importer: Importer): Promise<Source[]> {
  const siblings: Source[] = []
  for (const name of (await importer.findSiblings?.(source)) ?? [])
    siblings.push(await source.openSibling(name))
  return siblings
}

function importQuery(source: Source, importer: Importer, settings: Settings): ImportFileQuery {
  const { evaluation, variant, baseline, map, dry_run, skip_invalid } = settings
  const on_conflict = onConflictOf(settings)
  return {
    format: importer.name as NonNullable<ImportFileQuery['format']>,
    name: source.path,
    ...(evaluation !== undefined && { evaluation }),
    ...(variant !== undefined && { variant }),
    ...(baseline !== undefined && { baseline }),
    ...(map !== undefined && { map }),
    ...(dry_run && { dry_run }),
    ...(skip_invalid && { skip_invalid }),
    ...(on_conflict !== 'error' && { on_conflict }),
  }
}
