// Formats the statistics of a comparison for the text and Markdown reports: the verdict, table rows and the matched rows.

import type {
  ComparedCandidate,
  ComparedEvaluator,
  Comparison,
  PairedStatistics,
} from '../../schema/comparisons.ts'
import type { BaselineReason } from '../../schema/rules.ts'
import { countOf, formatCount, formatRowCount } from '../output/progress.ts'
import {
  changeCells,
  DOLLARS,
  type FormatName,
  PLAIN,
  RATE,
  SECONDS,
  type Unit,
} from '../output/statistics.ts'
import { formatDetectable, otherChanges, type VerdictMetric, verdictSentence } from './verdict-sentence.ts'

export interface ReportOptions {
  /** For each candidate, its changes by groups: lines of text, or paragraphs of Markdown. */
  explanations?: string[][]
  /** The evaluators of --on, or those that decided. Undefined for all. */
  evaluatorsOf?: (candidate: ComparedCandidate) => string[] | undefined
  /** Why the baseline was chosen. Null if it was named. */
  chosen?: BaselineReason | null
}

/** An evaluator, cost or latency, with its label and unit. */
interface ComparedMetric extends PairedStatistics {
  label: string
  unit: Unit
  classes?: ComparedEvaluator['classes']
}

/** The first row has the headings. Rows can be unclear only if there are repeats. */
export function comparisonTable(candidate: ComparedCandidate, formatName: FormatName): string[][] {
  const metrics = comparedMetrics(candidate, formatName)
  const hasUnclear = metrics.some(({ classes }) => classes && classes.unclear > 0)
  const headings = [
    ...['', 'baseline', 'candidate', 'change', '95 % confidence interval', 'regressed', 'improved'],
    ...(hasUnclear ? ['unclear'] : []),
    ...['n', ''],
  ]
  const rows = metrics.map((metric) => {
    const count = (name: 'regressed' | 'improved' | 'unclear') =>
      metric.classes ? formatCount(metric.classes[name]) : ''
    const interval = candidate.has_different_rows ? null : metric.interval
    return [
      metric.label,
      ...changeCells({ ...metric, interval }, metric.unit),
      count('regressed'),
      count('improved'),
      ...(hasUnclear ? [count('unclear')] : []),
      formatCount(metric.n),
      describeOutcome(metric, candidate.has_different_rows),
    ]
  })
  return [headings, ...rows]
}

function describeOutcome(
  { n, outcome, detectable, unit }: ComparedMetric,
  hasDifferentRows: boolean,
): string {
  if (hasDifferentRows) return 'different rows'
  if (outcome === null) return n === 0 ? 'not comparable' : 'equal changes'
  if (outcome === 'too-few') return 'too few rows'
  if (outcome !== 'tied' || detectable === null) return outcome
  return `tied, detectable: ${formatDetectable(detectable, unit)}`
}

/** Cost and latency are included only if they can be compared. */
function comparedMetrics(
  { evaluators, cost, latency }: ComparedCandidate,
  formatName: FormatName,
): ComparedMetric[] {
  const costAndLatency: ComparedMetric[] = [
    { ...cost, label: 'cost', unit: DOLLARS },
    { ...latency, label: 'latency', unit: SECONDS },
  ]
  return [
    ...evaluators.map((evaluator) => ({
      ...evaluator,
      label: formatName(evaluator.name),
      unit: unitOf(evaluator),
    })),
    ...costAndLatency.filter(({ n }) => n > 0),
  ]
}

/** Means of verdicts are pass rates. */
function unitOf({ is_verdict }: ComparedEvaluator): Unit {
  return is_verdict ? RATE : PLAIN
}

/**
 * The sentence about one evaluator, and what else changed. The evaluator is the first of --on, or else the first that is worse,
 * that is better, or that both evaluations have.
 */
export function verdictText(
  comparison: Comparison,
  candidate: ComparedCandidate,
  formatName: FormatName,
  { evaluatorsOf, chosen = null }: ReportOptions,
): string {
  const { id, matched, outputs_changed, has_different_rows, cost, latency } = candidate
  const baseline = comparison.evaluations[0]?.id ?? ''
  const evaluators = candidate.evaluators.map((evaluator) => ({
    ...evaluator,
    ...evaluator.classes,
    unit: unitOf(evaluator),
  }))
  const hasScores = evaluators.some(({ n }) => n > 0)
  const name = evaluatorsOf?.(candidate)?.[0] ?? defaultEvaluator(comparison, candidate)
  const evaluator = evaluators.find((each) => each.name === name)
  if (matched === 0 || !evaluator || !(hasScores || has_different_rows)) {
    const changed = `${formatCount(outputs_changed)} of ${countOf(matched, 'matched output')} differ.`
    const reason = matched === 0 ? 'matching rows.' : `scores in common. ${changed}`
    return `${formatName(id)} and ${formatName(baseline)} have no ${reason}`
  }
  const verdict = { candidate: id, baseline, chosen, has_different_rows, evaluator }
  const toMetric = (measure: PairedStatistics, unit: Unit): VerdictMetric => ({ ...measure, name: '', unit })
  const changes = otherChanges(
    {
      evaluator,
      others: evaluators.filter((each) => each !== evaluator),
      cost: toMetric(cost, DOLLARS),
      latency: toMetric(latency, SECONDS),
    },
    formatName,
  )
  return [verdictSentence(verdict, formatName), ...(changes === undefined ? [] : [changes])].join(' ')
}

function defaultEvaluator({ warnings }: Comparison, candidate: ComparedCandidate): string | undefined {
  const { id, evaluators, has_different_rows } = candidate
  const firstWith = (word: 'worse' | 'better') =>
    has_different_rows ? undefined : evaluators.find(({ outcome }) => outcome === word)
  const changed = firstWith('worse') ?? firstWith('better')
  const missing = new Set(
    warnings
      .filter(({ code, evaluation }) => code === 'evaluator-missing' && evaluation === id)
      .map(({ evaluator }) => evaluator),
  )
  return (changed ?? evaluators.find(({ name }) => !missing.has(name)) ?? evaluators[0])?.name
}

/** How many rows were matched, by which join key, and their repeats. */
export function matchSummary(
  { join, evaluations }: Comparison,
  candidate: ComparedCandidate,
  formatName: FormatName,
): string {
  const { id, matched, only_in_base, only_in_candidate } = candidate
  const [baseline, ...others] = evaluations
  const sides = [baseline, others.find((evaluation) => evaluation.id === id)]
  const [baselineRows, candidateRows] = sides.map((side) =>
    side ? formatRowCount(side.row_count, side.scenario_count) : '',
  )
  const hasRepeats = sides.some((side) => side && side.row_count < side.scenario_count)
  const parts = [
    `${countOf(matched, 'row')} matched by ${formatName(join.by)}`,
    only_in_base > 0 && `${formatCount(only_in_base)} only in the baseline`,
    only_in_candidate > 0 && `${formatCount(only_in_candidate)} only in the candidate`,
  ]
  const repeats = hasRepeats ? ` Baseline: ${baselineRows}. Candidate: ${candidateRows}.` : ''
  return `${parts.filter((part) => part !== false).join(', ')}.${repeats}`
}
