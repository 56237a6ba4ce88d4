// What an import of several files stored, for the messages of errors.
import { CommandError, Problem } from '../../errors.ts'
import type { ImportReport } from '../../schema/imports.ts'

const MAX_NAMED_FILES = 10

function nameFiles(title: string, files: readonly string[]): string {
  if (files.length === 0) return ''
  const others = files.length > MAX_NAMED_FILES ? ` and ${files.length - MAX_NAMED_FILES} more` : ''
  return ` ${title}: ${files.slice(0, MAX_NAMED_FILES).join(', ')}${others}.`
}

/** Which of the files are stored. `otherFiles` come after an error that ended the import. */
export function describeOutcome(
  reports: readonly ImportReport[],
  otherFiles: readonly string[] = [],
): string {
  const isStored = ({ stored, evaluations, variants }: ImportReport) =>
    stored && evaluations.length + variants.length > 0
  const groups = Map.groupBy(reports, (report) =>
    !isStored(report) ? 'Not stored' : report.refused > 0 ? 'Stored without rejected records' : 'Stored',
  )
  const outcome = [...groups].map(([title, group]) =>
    nameFiles(
      title,
      group.map(({ file }) => file),
    ),
  )
  return [...outcome, nameFiles('Not imported', otherFiles)].join('')
}

/** An error that ended the import of several files: it names its file, and what happened to the others. */
export function fileError(
  error: unknown,
  files: readonly string[],
  reports: readonly ImportReport[],
  isDryRun: boolean,
): unknown {
  const [file, ...otherFiles] = files.slice(reports.length)
  const isKnown = error instanceof CommandError || error instanceof Problem
  const isDamaged = error instanceof Problem && error.code === 'store-damaged'
  if (files.length < 2 || file === undefined || !isKnown || isDamaged) return error
  // The message about one file must not be read as one about all of them.
  const detail = error.message.replace('Nothing was stored', 'Nothing of it was stored')
  const outcome = isDryRun ? ' This was a dry run.' : describeOutcome(reports, otherFiles)
  const hint = error instanceof CommandError ? error.hint : 'Run the command again to import the other files.'
  return new CommandError(`${detail.startsWith(file) ? '' : `${file}: `}${detail}${outcome}`, hint)
}
