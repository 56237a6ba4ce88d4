// The counts of import reports as text.
import type { ImportReport } from 'assay-client'
import { formatCount, pluralize } from '../../../../format/numbers.ts'

type Counts = Pick<
  ImportReport['variants'][number],
  'accepted' | 'replaced' | 'unchanged' | 'skipped' | 'deleted'
>

/** "3 scenarios added, 2 replaced". Zeros are omitted. */
export function countsText(
  { accepted, replaced = 0, unchanged, skipped = 0, deleted = 0 }: Counts,
  noun: string,
  isStored: boolean,
): string {
  const counts: [count: number, outcome: string][] = [
    [accepted, isStored ? 'added' : 'to add'],
    [replaced, isStored ? 'replaced' : 'to replace'],
    [unchanged, 'unchanged'],
    [skipped, 'different and skipped'],
    [deleted, isStored ? 'deleted' : 'to delete'],
  ]
  const [first, ...others] = counts.filter(([count]) => count > 0)
  if (!first) return `no ${noun}`
  const texts = others.map(([count, outcome]) => `${formatCount(count)} ${outcome}`)
  return [`${pluralize(first[0], noun)} ${first[1]}`, ...texts].join(', ')
}

/** "120 records read, 118 scenarios added, 2 rejected" */
export function totalsText(reports: ImportReport[]): string {
  const sum = (count: (report: ImportReport) => number) =>
    reports.reduce((total, report) => total + count(report), 0)
  const sumOf = (name: keyof Counts) =>
    sum(({ evaluations }) => evaluations.reduce((total, counts) => total + (counts[name] ?? 0), 0))
  const counts = {
    accepted: sumOf('accepted'),
    replaced: sumOf('replaced'),
    unchanged: sumOf('unchanged'),
    skipped: sumOf('skipped'),
    deleted: sumOf('deleted'),
  }
  const rejected = sum(({ refused }) => refused)
  const rejectedText = rejected > 0 ? `, ${formatCount(rejected)} rejected` : ''
  return `${pluralize(
    sum(({ read }) => read),
    'record',
  )} read, ${countsText(counts, 'scenario', true)}${rejectedText}`
}

/** A message of the service, with the controls of the page instead of command-line flags and URL parameters. */
export function pageText(detail: string): string {
  return detail
    .replace(
      /Map its columns with map\. Similar formats: .*Set the format with format=NAME\./s,
      'To give its columns roles, choose the format CSV, TSV or flat JSON under Options, and import it again.',
    )
    .replace(
      /Similar formats: .*Set the format with format=NAME\./s,
      'If the list of formats under Options contains it, choose it there and import the file again.',
    )
    .replaceAll(/ [^.:]*: --map '.*?'\./g, ' Import the file again to choose the roles of its columns.')
}
