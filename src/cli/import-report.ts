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

/** Hundreds of scores that are no numbers say no more than a few. */
const SHOWN_REPAIRS = 10

export function printReport(
  { file, format, stored, evaluations, variants, refusals, repaired, repairs, first }: ImportReport,
  { dry_run }: Settings,
): void {
  const verb = stored ? '' : dry_run ? 'would be ' : 'not stored: '
  const line = (noun: string, element: string, { id, accepted, unchanged }: Imported) =>
    `${file}: ${noun} ${id}: ${counted(accepted, element)} ${verb}added, ${whole(unchanged)} unchanged`
  for (const evaluation of evaluations) print(line('evaluation', 'scenario', evaluation))
  for (const variant of variants) print(line('variant', 'revision', variant))
  if (evaluations.length + variants.length + refusals.length === 0)
    print(`${file}: holds no records, read as ${format}`)
  for (const remark of repairs.slice(0, SHOWN_REPAIRS)) print(`${file}: repaired: ${told(remark)}`)
  if (repaired > SHOWN_REPAIRS)
    print(`${file}: repaired: ${whole(repaired - SHOWN_REPAIRS)} more; --json lists them`)
  for (const remark of refusals) print(`${file}: refused: ${told(remark)}`)
  if (first.length > 0) print(`${file}: read as ${format}, the first scenarios would be`)
  for (const scenario of first) print(JSON.stringify(scenario, null, 2))
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
  const what = count === 1 ? 'One record was refused' : `${whole(count)} records were refused`
  if (dry_run) return new CommandError(`${what}.`, 'It was a dry run: nothing was stored.')
  if (skip_invalid)
    return new CommandError(`${what}; the others are stored.`, 'Mend them and import them again.')
  const files = reports.map(({ file }) => file).join(', ')
  return new CommandError(
    `${what}; nothing of ${files} was stored.`,
    'Mend them, or import the others with --skip-invalid.',
  )
}
