// The report of an import, as text and as JSON.
import { CommandError } from '../../errors.ts'
import type { ImportNote } from '../../schema/import-events.ts'
import type { ImportColumn, Imported, ImportedEvaluation, ImportReport } from '../../schema/imports.ts'
import type { Settings } from '../../settings/settings.ts'
import { countOf, formatCount } from '../output/progress.ts'
import { print, sanitizeLine } from '../output/terminal-text.ts'
import type { InputFiles } from './input-files.ts'
import { describeOutcome } from './outcome.ts'

type Counter = keyof Omit<Imported, 'id'>

function sumCounters(imported: readonly Imported[], name: Counter): number {
  return imported.reduce((total, counts) => total + (counts[name] ?? 0), 0)
}

export function sumReports(
  files: ImportReport[],
  { skipped, duplicates }: Pick<InputFiles, 'skipped' | 'duplicates'>,
) {
  const sum = (count: (report: ImportReport) => number) =>
    files.reduce((total, report) => total + count(report), 0)
  const sumMember = (kind: 'evaluations' | 'variants', name: Counter) =>
    sum((report) => sumCounters(report[kind], name))
  return {
    read: sum(({ read }) => read),
    accepted: sumMember('evaluations', 'accepted'),
    unchanged: sumMember('evaluations', 'unchanged'),
    replaced: sumMember('evaluations', 'replaced'),
    deleted: sumMember('evaluations', 'deleted'),
    missing: sum(({ evaluations }) => evaluations.reduce((total, { missing = 0 }) => total + missing, 0)),
    dropped_notes: sumMember('evaluations', 'dropped_notes'),
    dropped_human_results: sumMember('evaluations', 'dropped_human_results'),
    dropped_answers: sumMember('evaluations', 'dropped_answers'),
    skipped_scenarios: sumMember('evaluations', 'skipped'),
    accepted_revisions: sumMember('variants', 'accepted'),
    unchanged_revisions: sumMember('variants', 'unchanged'),
    refused: sum(({ refused }) => refused),
    repaired: sum(({ repaired }) => repaired),
    omitted: sum(({ omitted }) => omitted),
    files,
    skipped,
    duplicates,
  }
}

/** Number of notes of one kind printed per file; --json lists more. */
const MAX_PRINTED_NOTES = 20
/** A service lists at most this many notes. */
const MAX_LISTED_NOTES = 1000

export function printReport(report: ImportReport, { dry_run }: Settings): void {
  const { file, format, stored, evaluations, variants, refused, refusals, repaired, repairs, first } = report
  printColumns(report)
  const wouldBe = dry_run ? 'would be ' : ''
  const formatImported = (title: string, element: string, imported: Imported, updated: string[] = []) => {
    const { accepted, unchanged, replaced, skipped, deleted } = imported
    const { dropped_notes, dropped_human_results, dropped_answers } = imported
    const counts = [
      `${countOf(accepted, element)} ${wouldBe}added`,
      `${formatCount(unchanged)} unchanged`,
      ...(replaced === undefined ? [] : [`${formatCount(replaced)} ${wouldBe}replaced`]),
      ...(skipped === undefined ? [] : [`${formatCount(skipped)} ${wouldBe}skipped`]),
      ...(deleted === undefined ? [] : [`${formatCount(deleted)} ${wouldBe}deleted`]),
      ...(dropped_notes
        ? [`${countOf(dropped_notes, 'pin or note', 'pins and notes')} ${wouldBe}dropped`]
        : []),
      ...(dropped_human_results
        ? [`${countOf(dropped_human_results, 'human result')} ${wouldBe}dropped`]
        : []),
      ...(dropped_answers ? [`${countOf(dropped_answers, 'review answer')} ${wouldBe}dropped`] : []),
      ...(updated.length === 0 ? [] : [`${updated.join(' and ')} ${wouldBe}updated`]),
    ]
    return `${file}: ${title}: ${counts.join(', ')}`
  }
  if (stored || dry_run) {
    for (const evaluation of evaluations) {
      const { id, name, updated } = evaluation
      const title = name === id ? `evaluation ${id}` : `evaluation ${id} (${name})`
      printLine(formatImported(title, 'scenario', evaluation, updated))
      const missing = describeMissing(evaluation)
      if (missing !== undefined) printLine(`${file}: ${title}: ${missing}`)
    }
    for (const variant of variants) printLine(formatImported(`variant ${variant.id}`, 'revision', variant))
    for (const id of report.deleted ?? [])
      printLine(`${file}: evaluation ${id}: ${wouldBe}deleted, the file no longer contains it`)
    if (evaluations.length + variants.length + refusals.length === 0)
      printLine(`${file}: contains no records (format: ${format})`)
  }
  printNotes(`${file}: note`, report.notes, 0)
  printNotes(`${file}: repaired`, repairs, repaired - MAX_PRINTED_NOTES)
  // The report lists only the first notes, but counts all records.
  const printedRecords = new Set(refusals.slice(0, MAX_PRINTED_NOTES).map(({ record }) => record))
  const hiddenRecords = refused - printedRecords.size
  printNotes(`${file}: rejected`, refusals, hiddenRecords || refusals.length - MAX_PRINTED_NOTES)
  printOmissions(report)
  printLine(`${file}: ${formatSum([report], dry_run)}`)
  if (first.length > 0) printLine(`${file}: format ${format}, first scenarios:`)
  for (const scenario of first) print(JSON.stringify(scenario, null, 2))
}

/** Stored scenarios that the file lacks. */
function describeMissing({ missing, missing_ids = [] }: ImportedEvaluation): string | undefined {
  if (!missing) return undefined
  const others = missing > missing_ids.length ? ', …' : ''
  const subject = missing === 1 ? '1 stored scenario is' : `${formatCount(missing)} stored scenarios are`
  return `${subject} not in the file: ${missing_ids.join(', ')}${others}. To delete what the file lacks, import it with --replace.`
}

/** What the file contains but Assay does not store. */
function printOmissions({ file, omitted, omissions }: ImportReport): void {
  const prefix = `${file}: not kept`
  for (const { pointer, detail } of omissions.slice(0, MAX_PRINTED_NOTES))
    printLine(`${prefix}: ${pointer === '' ? '' : `${pointer}: `}${detail}`)
  if (omitted > MAX_PRINTED_NOTES) printMore(prefix, omitted - MAX_PRINTED_NOTES)
}

/** The totals of several files. */
export function printTotal(reports: ImportReport[], { dry_run }: Settings): void {
  if (reports.length > 1) printLine(`Total of ${reports.length} files: ${formatSum(reports, dry_run)}`)
}

/** Counts revisions only for files that contain nothing else. */
function formatSum(reports: ImportReport[], isDryRun: boolean): string {
  const imported = reports.flatMap(({ evaluations, variants }) =>
    evaluations.length > 0 ? evaluations : variants,
  )
  const { read, refused, deleted } = sumReports(reports, { skipped: [], duplicates: [] })
  const counts = [
    ...(['accepted', 'replaced', 'unchanged', 'skipped'] as const).map(
      (name) => `${formatCount(sumCounters(imported, name))} ${name === 'accepted' ? 'added' : name}`,
    ),
    ...(deleted > 0 ? [`${formatCount(deleted)} deleted`] : []),
    `${formatCount(refused)} rejected`,
  ]
  const isNothingStored = !isDryRun && reports.every(({ stored }) => !stored)
  const outcome = isDryRun ? ' (dry run)' : isNothingStored ? ' (nothing was stored)' : ''
  return `${countOf(read, 'record')} read: ${counts.join(', ')}${outcome}`
}

const ORIGINS: Record<ImportColumn['origin'], string> = {
  option: 'by option',
  name: 'by name',
  values: 'by values',
  preset: 'by format',
  default: 'not recognized',
}
const MAX_PRINTED_COLUMNS = 50

/** Prints what each column of a table was read as. */
function printColumns({ file, columns }: ImportReport): void {
  if (columns.length === 0) return
  printLine(`${file}: columns`)
  const rows = columns.slice(0, MAX_PRINTED_COLUMNS).map(({ name, role, key, type, provider, origin }) => {
    const typeText = type === null ? '' : ` (${type})`
    const providerText = provider === null ? '' : `/${provider}`
    return [
      name,
      `${role}${providerText}${key === null || key === name ? '' : `.${key}`}${typeText}`,
      ORIGINS[origin],
    ]
  })
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  for (const [name = '', role = '', origin] of rows)
    printLine(`  ${name.padEnd(widths[0] ?? 0)} → ${role.padEnd(widths[1] ?? 0)}  ${origin}`)
  if (columns.length > MAX_PRINTED_COLUMNS)
    printLine(`  ${columns.length - MAX_PRINTED_COLUMNS} more (use --json to list them)`)
}

/** Names of files and details of notes can contain any character of the input. */
function printLine(line: string): void {
  print(sanitizeLine(line))
}

function printNotes(prefix: string, notes: ImportNote[], hiddenCount: number): void {
  for (const note of notes.slice(0, MAX_PRINTED_NOTES)) printLine(`${prefix}: ${formatNote(note)}`)
  if (hiddenCount > 0) printMore(prefix, hiddenCount)
}

function printMore(prefix: string, hiddenCount: number): void {
  const remedy = hiddenCount < MAX_LISTED_NOTES ? 'list them' : 'list more of them'
  printLine(`${prefix}: ${formatCount(hiddenCount)} more (use --json to ${remedy})`)
}

function formatNote({ record, line, pointer, detail }: ImportNote): string {
  const position = [record === null ? '' : `record ${record}`, `line ${line}`, pointer]
  return `${position.filter((part) => part !== '').join(', ')}: ${detail}`
}

export function rejectionError(reports: ImportReport[], settings: Settings): CommandError {
  const { skip_invalid, dry_run } = settings
  const rejected = reports.filter(({ refused }) => refused > 0)
  const { refused, files } = sumReports(rejected, { skipped: [], duplicates: [] })
  const names = files.map(({ file }) => file).join(', ')
  // Some errors concern a file as a whole instead of a record.
  const areFileErrors = rejected.every(({ refusals }) => refusals.every(({ record }) => record === null))
  const summary =
    reports.length > 1
      ? `${formatCount(rejected.length)} of ${countOf(reports.length, 'file')} had errors`
      : areFileErrors
        ? `Rejected: ${names}`
        : refused === 1
          ? 'One record was rejected'
          : `${formatCount(refused)} records were rejected`
  if (dry_run) return new CommandError(`${summary}.`, 'This was a dry run. Nothing was stored.')
  const isPartlyStored = rejected.some(({ stored }) => stored)
  const outcome =
    reports.length > 1
      ? describeOutcome(reports).trimStart()
      : isPartlyStored
        ? 'The others were stored.'
        : areFileErrors
          ? 'Nothing was stored.'
          : `Nothing of ${names} was stored.`
  const hint = isPartlyStored
    ? 'Fix the rejected records and import them again.'
    : areFileErrors
      ? 'The lines above explain why.'
      : skip_invalid
        ? 'The conflict concerns the evaluation, so no record of the file can be stored.'
        : 'Fix the records, or import the valid ones with --skip-invalid.'
  return new CommandError(`${summary}. ${outcome}`, hint)
}
