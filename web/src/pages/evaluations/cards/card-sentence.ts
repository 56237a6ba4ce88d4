// The sentence of a card: how the newest evaluation compares with its baseline on all evaluators, and what it cost.
import type { SummaryBaseline } from 'assay-client'
import { formatList } from '../../../format/list.ts'
import { pluralize } from '../../../format/numbers.ts'
import { formatDifference, formatWithUnit, type Measure } from '../../../results/measures.ts'
import {
  baselineParts,
  MIN_ROWS,
  outcomeOf,
  type PairedEvaluator,
  type SentencePart,
  type VerdictOutcome,
} from '../../../results/verdict-sentence.ts'

interface CardVerdict {
  candidate: string
  /** Undefined without a baseline. */
  baseline: string | undefined
  /** Undefined if the changes against the baseline are not known. Large evaluations are compared on request. */
  base: Pick<SummaryBaseline, 'chosen' | 'has_different_rows'> | undefined
  /** The pairs of each evaluator. */
  evaluators: readonly PairedEvaluator[]
  /** Whether there is no earlier evaluation. */
  isFirst: boolean
}

/** "r6 is better than r4 on faithfulness, tied on answer_correct." Worse comes first. */
export function cardSentence(verdict: CardVerdict): SentencePart[] {
  const { candidate, baseline, base, evaluators, isFirst } = verdict
  const subject: SentencePart = { kind: 'evaluation', text: candidate }
  if (baseline === undefined) {
    return isFirst ? ['First evaluation, no baseline yet.'] : [subject, ' has no baseline to compare with.']
  }
  const object = baselineParts(baseline, base?.chosen)
  if (!base) return [subject, ' has the baseline ', ...object, '.']
  if (base.has_different_rows) {
    return [subject, ' cannot be compared with ', ...object, ': these runs do not have the same rows.']
  }
  const namesWith = (outcome: VerdictOutcome) =>
    evaluators.filter((evaluator) => outcomeOf(evaluator) === outcome).map(({ name }) => name)
  const clauses = (['worse', 'better'] as const)
    .map((outcome) => ({ outcome, names: namesWith(outcome) }))
    .filter(({ names }) => names.length > 0)
  const tied = namesWith('tied')
  const [first, second] = clauses
  if (!first) {
    if (tied.length > 0)
      return [subject, ' and ', ...object, ' are ', word('tied'), ` on ${formatList(tied)}.`]
    return [subject, ' cannot be compared with ', ...object, `: ${reasonOf(namesWith)}.`]
  }
  return [
    ...[subject, ' is ', word(first.outcome), ' than ', ...object, ' on ', ...strongList(first.names)],
    ...(second ? [' and ', word(second.outcome), ' on ', ...strongList(second.names)] : []),
    tied.length > 0 ? `, tied on ${formatList(tied)}.` : '.',
  ]
}

interface Regression {
  candidate: string
  baseline: string
  /** The evaluator that regressed most. */
  evaluator: PairedEvaluator
  /** The number of other evaluators that are worse. */
  otherCount: number
}

/** "r12 is worse than r11 on task_success: 28 rows regressed, worse on 2 more." */
export function attentionSentence({
  candidate,
  baseline,
  evaluator,
  otherCount,
}: Regression): SentencePart[] {
  return [
    ...[{ kind: 'evaluation', text: candidate } as const, ' is ', word('worse'), ' than ', baseline, ' on '],
    { kind: 'evaluator', text: evaluator.name },
    ': ',
    { kind: 'regressed', text: `${pluralize(evaluator.regressed, 'row')} regressed` },
    otherCount > 0 ? `, worse on ${otherCount} more.` : '.',
  ]
}

/** Why there is no outcome. */
function reasonOf(namesWith: (outcome: VerdictOutcome) => string[]): string {
  if (namesWith('too-few').length > 0) {
    return `too few rows have a score in both, at least ${MIN_ROWS} are needed`
  }
  return namesWith('equal-change').length > 0
    ? 'all rows changed by the same amount'
    : 'no matched row has a score in both'
}

function word(outcome: 'better' | 'worse' | 'tied'): SentencePart {
  return { kind: 'outcome', outcome, text: outcome }
}

/** At most three names in bold: "a, b and c". */
function strongList(names: readonly string[]): SentencePart[] {
  const shown = names.slice(0, 3)
  const hiddenCount = names.length - shown.length
  const items: SentencePart[] = shown.map((text) => ({ kind: 'evaluator', text }))
  if (hiddenCount > 0) items.push(`${hiddenCount} more`)
  return items.flatMap((item, index) => {
    if (index === 0) return [item]
    return [index === items.length - 1 ? ' and ' : ', ', item]
  })
}

/** "$0.18 per run, 8.0 % less." */
export function costSentence(cost: Measure | undefined): string | undefined {
  if (!cost) return undefined
  const text = `${formatWithUnit('dollars', cost.value)} per run`
  const { direction, difference } = cost.change ?? {}
  if (direction === undefined || difference === undefined) return `${text}.`
  if (direction === 'tied') return `${text}, about the same.`
  return `${text}, ${formatDifference('dollars', difference)} ${difference < 0 ? 'less' : 'more'}.`
}
