// The words that compare an evaluation with its baseline, for all pages: one sentence about the selected evaluator, and a list
// of what else changed.
import { formatList } from '../format/list.ts'
import { formatCount, formatPercent, pluralize } from '../format/numbers.ts'

/** Statistics of the pairs of one metric. */
export interface PairedMetric {
  n: number
  /** Mean difference: candidate minus baseline. */
  delta: number | null
  interval: [number, number] | null
  outcome: 'better' | 'worse' | 'tied' | 'too-few' | null
  /** The smallest change that would have been seen. */
  detectable: number | null
  /** The mean of the baseline. */
  baselineMean: number | null
}

export interface PairedEvaluator extends PairedMetric {
  name: string
  isVerdict: boolean
  regressed: number
  improved: number
  /** Rows with repeats that differ, but not certainly. */
  unclear: number
}

/** Fewer rows with a score in both evaluations are too few for an outcome. */
export const MIN_ROWS = 6

/** `equal-change`: all rows changed by the same amount. `none`: no row has a value in both evaluations. */
export type VerdictOutcome = 'better' | 'worse' | 'tied' | 'too-few' | 'equal-change' | 'none'

export function outcomeOf({ outcome, n }: Pick<PairedMetric, 'outcome' | 'n'>): VerdictOutcome {
  return outcome ?? (n > 0 ? 'equal-change' : 'none')
}

/** The evaluator to show first: the first one that is worse, else the first one that is better. */
export function firstChanged(
  evaluators: readonly Pick<PairedEvaluator, 'name' | 'outcome'>[],
): string | undefined {
  const firstWith = (outcome: 'worse' | 'better') =>
    evaluators.find((evaluator) => evaluator.outcome === outcome)?.name
  return firstWith('worse') ?? firstWith('better')
}

/** A text, or a text with a meaning: a name, the outcome, or a number of rows that a click filters by. */
export type SentencePart =
  | string
  | { kind: 'evaluation' | 'evaluator' | 'regressed' | 'improved'; text: string }
  | { kind: 'outcome'; text: string; outcome: 'better' | 'worse' | 'tied' }

/** Why the baseline was chosen. Null if the user selected it. */
export type ChosenBaseline = 'declared' | 'marked' | 'previous' | null

interface Verdict {
  /** The name of the candidate. Without it, the sentence is about the evaluation of the page. */
  candidate?: string | undefined
  baseline: string
  chosen?: ChosenBaseline | undefined
  /** Whether most of the matched rows have different inputs. */
  hasDifferentRows?: boolean | undefined
  evaluator: PairedEvaluator
}

/** "r5 is worse than r4 on answer_correct: 29 rows regressed, 4 improved." */
export function verdictSentence(verdict: Verdict): SentencePart[] {
  const { candidate, baseline, chosen, hasDifferentRows = false, evaluator } = verdict
  const base = baselineParts(baseline, chosen)
  const subject: SentencePart[] = candidate === undefined ? [] : [{ kind: 'evaluation', text: candidate }]
  const on: SentencePart[] = [' on ', { kind: 'evaluator', text: evaluator.name }]
  const cannotBe =
    candidate === undefined ? ['Cannot be compared with '] : [...subject, ' cannot be compared with ']
  if (hasDifferentRows) return [...cannotBe, ...base, ': these runs do not have the same rows.']
  const outcome = outcomeOf(evaluator)
  if (outcome === 'none') return [...cannotBe, ...base, ...on, ': no matched row has a score in both.']
  if (outcome === 'equal-change') {
    return [...cannotBe, ...base, ...on, `: all ${pluralize(evaluator.n, 'row')} changed by the same amount.`]
  }
  if (outcome === 'too-few') {
    const object = candidate === undefined ? [] : [...subject, ' ']
    return ['Too few rows to compare ', ...object, 'with ', ...base, ...on, `: ${tooFewText(evaluator)}.`]
  }
  const word: SentencePart = {
    kind: 'outcome',
    outcome,
    text: candidate === undefined ? `${outcome[0]?.toUpperCase()}${outcome.slice(1)}` : outcome,
  }
  if (outcome !== 'tied') {
    const start = candidate === undefined ? [word] : [...subject, ' is ', word]
    return [...start, ' than ', ...base, ...on, ': ', ...changedRows(evaluator), '.']
  }
  const start =
    candidate === undefined ? [word, ' with ', ...base] : [...subject, ' and ', ...base, ' are ', word]
  return [...start, ...on, ': ', ...tiedRows(evaluator), '.']
}

/** "r4", "the marked baseline r4", "the previous run r4". */
export function baselineParts(name: string, chosen: ChosenBaseline | undefined): SentencePart[] {
  const reason = { marked: 'the marked baseline ', previous: 'the previous run ' }[String(chosen)]
  return [...(reason === undefined ? [] : [reason]), { kind: 'evaluation', text: name }]
}

function tooFewText({ n }: PairedEvaluator): string {
  return `${formatCount(n)} with a score in both, at least ${MIN_ROWS} are needed`
}

function changedRows({ regressed, improved, unclear }: PairedEvaluator): SentencePart[] {
  return [
    { kind: 'regressed', text: `${pluralize(regressed, 'row')} regressed` },
    ', ',
    { kind: 'improved', text: `${formatCount(improved)} improved` },
    ...(unclear > 0 ? [`, ${formatCount(unclear)} unclear`] : []),
  ]
}

function tiedRows(evaluator: PairedEvaluator): SentencePart[] {
  const { regressed, improved, unclear, n, detectable } = evaluator
  const areEqual = regressed + improved + unclear === 0
  return [
    ...(areEqual
      ? [`all ${pluralize(n, 'row')} have the same score`]
      : [...changedRows(evaluator), ', no clear change']),
    ...(detectable === null ? [] : [`; ${detectableText(formatAmount(detectable, evaluator.isVerdict))}`]),
  ]
}

const twoDigits = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 2 })

/** What a tie excludes: "a change of 9 points or more would have been seen". */
export function detectableText(amount: string): string {
  return `a change of ${amount} or more would have been seen`
}

/** The amount of a change with two digits: "9 points" of a pass rate, "0.039" of a mean. */
function formatAmount(amount: number, isVerdict: boolean): string {
  const text = twoDigits.format(isVerdict ? amount * 100 : amount)
  if (!isVerdict) return text
  return `${text} ${text === '1' ? 'point' : 'points'}`
}

interface OtherMetrics {
  /** The evaluator of the sentence before. */
  evaluator: PairedEvaluator
  others: readonly PairedEvaluator[]
  cost: PairedMetric | undefined
  latency: PairedMetric | undefined
}

/** "Also worse on faithfulness and cites_policy, 30.5 % cheaper." Undefined if nothing else changed significantly. */
export function otherChanges({ evaluator, others, cost, latency }: OtherMetrics): string | undefined {
  const clauses = (['worse', 'better'] as const).flatMap((outcome) => {
    const names = others.filter((other) => other.outcome === outcome).map(({ name }) => name)
    const prefix = evaluator.outcome === outcome ? 'also ' : ''
    return names.length === 0 ? [] : `${prefix}${outcome} on ${formatList(names)}`
  })
  const text = [
    ...clauses,
    ...measureChange(cost, 'cheaper', 'more expensive'),
    ...measureChange(latency, 'faster', 'slower'),
  ].join(', ')
  return text === '' ? undefined : `${text[0]?.toUpperCase()}${text.slice(1)}.`
}

/** "30.5 % cheaper", if the difference is significant. */
function measureChange(metric: PairedMetric | undefined, better: string, worse: string): string[] {
  if (metric?.outcome !== 'better' && metric?.outcome !== 'worse') return []
  const { delta, baselineMean, outcome } = metric
  const amount = delta !== null && baselineMean ? `${formatPercent(Math.abs(delta / baselineMean))} ` : ''
  return [`${amount}${outcome === 'better' ? better : worse}`]
}
