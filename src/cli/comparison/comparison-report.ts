// The report of assay compare about one comparison, and several of them together with the decision of the gate.
import type { ComparedCandidate } from '../../schema/comparisons.ts'
import type { Settings } from '../../settings/settings.ts'
import { changeMarkdown, changeText } from '../analysis/change-report.ts'
import { parseBreakdown } from '../analysis/group-labels.ts'
import { codeSpan, codeSpanOfName } from '../output/markdown.ts'
import { sanitizeLine } from '../output/terminal-text.ts'
import type { OpenComparison } from '../target/target-types.ts'
import { type GateSummary, gateParagraphs } from './gate-summary.ts'
import { comparisonMarkdown } from './markdown-report.ts'
import { comparisonText } from './text-report.ts'
import { findWorstRows } from './worst-rows.ts'

export interface ComparisonReport {
  text: string
  candidates: Pick<ComparedCandidate, 'id' | 'gate'>[]
}

export async function formatComparison(
  opened: OpenComparison,
  settings: Settings,
): Promise<ComparisonReport> {
  return { text: await formatText(opened, settings), candidates: opened.comparison.candidates }
}

async function formatText(
  opened: OpenComparison,
  { json, markdown, public_url, url, on, by, rows, fail_on_regression }: Settings,
): Promise<string> {
  const { comparison, chosen } = opened
  const breakdowns: string[] = []
  if (by !== undefined)
    for (const index of comparison.candidates.keys()) breakdowns.push(await opened.breakDown(index, by))
  if (json) return addBreakdowns(JSON.stringify(comparison, null, 2), breakdowns)
  const evaluatorsOf = (candidate: ComparedCandidate | undefined) =>
    selectEvaluators(candidate, on.length > 0, fail_on_regression)
  const explanations = breakdowns.map((text, index) => {
    const evaluators = evaluatorsOf(comparison.candidates[index])
    return (markdown ? changeMarkdown : changeText)(parseBreakdown(text), evaluators, comparison.join.by)
  })
  const worstRows = await findWorstRows(opened, evaluatorsOf, rows)
  const options = { explanations, evaluatorsOf, chosen }
  return markdown
    ? comparisonMarkdown(comparison, worstRows, public_url ?? url, options)
    : comparisonText(comparison, worstRows, options)
}

/** The evaluators of --on, or those that made the gate fail. Undefined for all. */
function selectEvaluators(
  candidate: ComparedCandidate | undefined,
  isSelected: boolean,
  isGate: boolean,
): string[] | undefined {
  if (!candidate) return undefined
  const { decision, reasons, checks } = candidate.gate
  if (isGate && decision === 'failed') {
    const names = reasons.map(({ evaluator }) => evaluator).filter((name) => name !== null)
    return [...new Set(names)]
  }
  return isSelected ? checks.map(({ name }) => name) : undefined
}

/** Adds a member to the JSON text of a comparison. Breakdowns stay exact. */
function addBreakdowns(comparison: string, breakdowns: string[]): string {
  if (breakdowns.length === 0) return comparison
  return `${comparison.slice(0, -2)},\n  "breakdowns": [${breakdowns.join(',')}]\n}`
}

/** With --fail-on-regression, the decision comes first. Otherwise one comparison in JSON is the document of the API. */
export function joinReports(
  reports: ComparisonReport[],
  gate: GateSummary,
  { json, markdown, fail_on_regression }: Settings,
): string {
  const texts = reports.map(({ text }) => text)
  if (json) {
    if (!fail_on_regression && texts.length === 1) return `${texts[0]}\n`
    const { missing, added } = gate
    const members = JSON.stringify(fail_on_regression ? { gate } : { missing, added }, null, 2)
    return `${members.slice(0, -2)},\n  "comparisons": [${texts.join(',')}]\n}\n`
  }
  const formatSentence = markdown ? (sentence: string) => codeSpan(sentence, 400) : sanitizeLine
  const unmatched = [...gate.missing, ...gate.added].map((sentence) => `- ${formatSentence(sentence)}`)
  if (markdown) {
    const { heading, list, unchecked } = gateParagraphs(gate, formatSentence, codeSpanOfName)
    const start = fail_on_regression ? [`**${heading}**`, list, ...unchecked] : [unmatched.join('\n')]
    return `${[...start, ...texts]
      .map((text) => text.trimEnd())
      .filter(Boolean)
      .join('\n\n')}\n`
  }
  const { heading, list, unchecked } = gateParagraphs(gate, formatSentence, sanitizeLine)
  const start = fail_on_regression ? [`${heading}:`, list, ...unchecked] : unmatched
  return [...start, ...(start.length > 0 ? [''] : []), texts.join('\n')].join('\n')
}
