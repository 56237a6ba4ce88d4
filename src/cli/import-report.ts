// What an import says of its files, to people and to machines.
import { CommandError } from '../errors.ts'
import type { Remark } from '../schema/findings.ts'
import type { Imported, ImportReport } from '../schema/imports.ts'
import type { Settings } from '../settings.ts'
import { print } from './command.ts'
import { whole } from './progress.ts'

export function totals(files: ImportReport[], skipped: string[]) {
  const sum = (count: (report: ImportReport) => number) =>
    files.reduce((all, report) => all + count(report), 0)
  const of = (name: 'accepted' | 'unchanged') =>
    sum(({ evaluations, variants }) => [...evaluations, ...variants].reduce((all, one) => all + one[name], 0))
  return {
    accepted: of('accepted'),
    unchanged: of('unchanged'),
    refused: sum(({ refused }) => refused),
    repaired: sum(({ repaired }) => repaired),
    files,
    skipped,
  }
}

/** Hundreds of remarks say no more than a few. */
const SHOWN = 10

export function printReport(
  { file, format, stored, evaluations, variants, refusals, repaired, repairs, first }: ImportReport,
  { dry_run }: Settings,
): void {
  const line = (noun: string, element: string, { id, accepted, unchanged }: Imported) =>
    `${file}: ${noun} ${id}: ${counted(accepted, element)} ${dry_run ? 'would be ' : ''}added, ${whole(unchanged)} unchanged`
  if (stored || dry_run) {
    for (const evaluation of evaluations) print(line('evaluation', 'scenario', evaluation))
    for (const variant of variants) print(line('variant', 'revision', variant))
    if (evaluations.length + variants.length + refusals.length === 0)
      print(`${file}: holds no records, read as ${format}`)
  }
  printRemarks(`${file}: repaired`, repairs, repaired)
  printRemarks(`${file}: refused`, refusals, refusals.length)
  if (first.length > 0) print(`${file}: read as ${format}, the first scenarios would be`)
  for (const scenario of first) print(JSON.stringify(scenario, null, 2))
}

function printRemarks(what: string, remarks: Remark[], count: number): void {
  for (const remark of remarks.slice(0, SHOWN)) print(`${what}: ${told(remark)}`)
  if (count > SHOWN) print(`${what}: ${whole(count - SHOWN)} more; --json lists them`)
}

function counted(count: number, noun: string): string {
  return `${whole(count)} ${noun}${count === 1 ? '' : 's'}`
}

function told({ record, line, pointer, detail }: Remark): string {
  const where = [record === null ? '' : `record ${record}`, `line ${line}`, pointer]
  return `${where.filter((part) => part !== '').join(', ')}: ${detail}`
}

export function someRefused(reports: ImportReport[], { skip_invalid, dry_run }: Settings): CommandError {
  const count = reports.reduce((all, { refused }) => all + refused, 0)
  const files = reports.map(({ file }) => file).join(', ')
  // What is wrong with a whole file is not a matter of records.
  const areWhole = reports.every(({ refusals }) => refusals.every(({ record }) => record === null))
  const what = areWhole
    ? `Refused: ${files}`
    : count === 1
      ? 'One record was refused'
      : `${whole(count)} records were refused`
  if (dry_run) return new CommandError(`${what}.`, 'It was a dry run: nothing was stored.')
  const isKept = skip_invalid && reports.some(({ stored }) => stored)
  if (isKept) return new CommandError(`${what}; the others are stored.`, 'Mend them and import them again.')
  return new CommandError(
    `${what}; nothing of ${areWhole ? 'it' : files} was stored.`,
    areWhole ? 'The lines above say why.' : 'Mend them, or import the others with --skip-invalid.',
  )
}
