// Explains the changes of an evaluation from its baseline by the groups of its rows, as text and as Markdown.
import type { Breakdown, GroupChange } from '../../schema/analysis/breakdowns.ts'
import { MAX_WIDTH, wrapText } from '../output/help-text.ts'
import { codeSpanOfName, markdownTable } from '../output/markdown.ts'
import { countOf, formatCount } from '../output/progress.ts'
import { changeCells, NO_VALUE } from '../output/statistics.ts'
import { alignColumns, sanitizeLine, truncateLine } from '../output/terminal-text.ts'
import { explainChange, formatShare, shareOf } from './explanation.ts'
import { formatLabel, type ReportStyle } from './group-labels.ts'
import { type ChangePart, formatMetric, type MetricChange, selectChanges } from './metric-changes.ts'

export const TEXT: ReportStyle = { name: sanitizeLine, value: (text) => truncateLine(text, 40) }
const MARKDOWN: ReportStyle = { name: codeSpanOfName, value: (text) => codeSpanOfName(text, 80) }

interface Report {
  heading: string
  sentences: string[]
  tables: { rows: string[][]; notes: string[] }[]
}

/**
 * Lines. `evaluators` are those to explain, or undefined for all that changed. `joinKey` is the join key that the report
 * names already.
 */
export function changeText(breakdown: Breakdown, evaluators?: string[], joinKey?: string): string[] {
  const { heading, sentences, tables } = reportChanges(breakdown, evaluators, joinKey, TEXT)
  return [
    heading,
    ...sentences.map(wrapSentence),
    ...tables.flatMap(({ rows, notes }) => ['', ...alignColumns(rows, MAX_WIDTH), ...notes]),
  ]
}

/** Does not break a line within a product. */
function wrapSentence(sentence: string): string {
  const text = sentence.replaceAll(' × ', '\u00a0×\u00a0')
  return wrapText(text, '  ').trimStart().replaceAll('\u00a0', ' ')
}

/** Paragraphs, with the same parameters. */
export function changeMarkdown(breakdown: Breakdown, evaluators?: string[], joinKey?: string): string[] {
  const { heading, sentences, tables } = reportChanges(breakdown, evaluators, joinKey, MARKDOWN)
  return [
    heading,
    sentences.map((sentence) => `- ${sentence}`).join('\n'),
    ...tables.flatMap(({ rows: [headings = [], ...rows], notes }) => [
      markdownTable(headings, rows, (column) => column > 0 && column < headings.length - 1).join('\n'),
      ...notes,
    ]),
  ]
}

/** Without selected evaluators, only the first change has a table. */
function reportChanges(
  breakdown: Breakdown,
  evaluators: string[] | undefined,
  joinKey: string | undefined,
  style: ReportStyle,
): Report {
  const { id, by, base } = breakdown
  const changes = selectChanges(breakdown, evaluators)
  // With several candidates, the comparison can need another join key than one of them alone.
  const matched =
    base && joinKey !== undefined && base.by !== joinKey ? `, matched by ${style.name(base.by)}` : ''
  return {
    heading: `Changes of ${style.name(id)} by ${style.name(by)}${matched}:`,
    sentences: base?.has_different_rows
      ? ['These runs do not have the same rows, so their changes cannot be explained.']
      : changes.length === 0
        ? ['Nothing can be compared with the baseline.']
        : changes.map((change) => explainChange(change, style)),
    tables: base?.has_different_rows
      ? []
      : changes
          .slice(0, evaluators?.length ?? 1)
          .map((change) => ({ rows: changeTable(change, style), notes: correctionNote(change) })),
  }
}

const MAX_ROWS = 20
const HEADINGS = ['rows', 'baseline', 'candidate', 'change', 'confidence interval', 'share', 'outcome']
/** The probability that an interval does not contain the true change, over all groups together. */
const ERROR_RATE = 0.05

/** The groups with the largest contributions, one row for all others, and one for all rows. */
function changeTable(metric: MetricChange, style: ReportStyle): string[][] {
  const { unit, total, parts } = metric
  const [shown, hidden] = [parts.slice(0, MAX_ROWS), parts.slice(MAX_ROWS)]
  const row = (label: string, change: GroupChange) => {
    const { n, mean, delta, outcome } = change
    const candidateMean = mean === null || delta === null ? null : mean + delta
    return [
      label,
      formatCount(n),
      ...changeCells({ ...change, base_mean: mean, mean: candidateMean }, unit),
      shareCell(shareOf(change, total)),
      formatOutcome(outcome),
    ]
  }
  return [
    [formatMetric(metric, style), ...HEADINGS],
    ...shown.map(({ label, change }) => row(formatLabel(label, style), change)),
    ...(hidden.length === 0 ? [] : [hiddenRow(hidden, total)]),
    row('(all rows)', total),
  ]
}

function hiddenRow(parts: ChangePart[], total: GroupChange): string[] {
  const sum = (read: (part: ChangePart) => number) => parts.reduce((result, part) => result + read(part), 0)
  const label = `(${countOf(
    sum(({ groupCount }) => groupCount),
    'other group',
  )})`
  const contribution = sum(({ change }) => change.contribution ?? 0)
  const rows = formatCount(sum(({ change }) => change.n))
  return [label, rows, '', '', '', '', shareCell(shareOf({ ...total, contribution }, total)), '']
}

function formatOutcome(outcome: GroupChange['outcome']): string {
  return outcome === 'too-few' ? 'too few rows' : (outcome ?? NO_VALUE)
}

function shareCell(share: number | null): string {
  return share === null ? NO_VALUE : formatShare(share)
}

/** Empty if the intervals are those of one group. */
function correctionNote({ parts }: MetricChange): string[] {
  const confidence = Math.max(0, ...parts.map(({ change }) => change.confidence ?? 0))
  const count = Math.round(ERROR_RATE / (1 - confidence))
  return count > 1
    ? [`The confidence intervals of groups are corrected for ${formatCount(count)} groups.`]
    : []
}
