// The words that compare an evaluation with its baseline, for all pages: one sentence about the selected evaluator, and a list
// of what else changed.
import { formatCount, formatPercent, pluralize } from '../format/numbers.ts'

/** Statistics of the pairs of one metric. */
export interface PairedMetric {
  n: number
  /** Mean difference: candidate minus baseline. */
  delta: number | null
  interval: [number, number] | null
  outcome: 'better' | 'worse' | 'tied' | null
  /** The mean of the baseline. */
  baselineMean: number | null
}

export interface PairedEvaluator extends PairedMetric {
  name: string
  regressed: number
  improved: number
}

/** `unclear`: too few pairs for a confidence interval. `none`: no row has a value in both evaluations. */
export type VerdictOutcome = 'better' | 'worse' | 'tied' | 'unclear' | 'none'

export function outcomeOf({ outcome, interval }: Pick<PairedMetric, 'outcome' | 'interval'>): VerdictOutcome {
  if (outcome === null) return 'none'
  return outcome === 'tied' && interval === null ? 'unclear' : outcome
}

/** A text, or a text with a meaning: a name, the outcome, or a number of rows that a click filters by. */
export type SentencePart =
  | string
  | { kind: 'evaluation' | 'evaluator' | 'regressed' | 'improved'; text: string }
  | { kind: 'outcome'; text: string; outcome: 'better' | 'worse' | 'tied' }

interface Verdict {
  /** The name of the candidate. Without it, the sentence is about the evaluation of the page. */
  candidate?: string | undefined
  baseline: string
  evaluator: PairedEvaluator
}

/** "r5 is worse than r4 on answer_correct: 29 rows regressed, 4 improved." */
export function verdictSentence({ candidate, baseline, evaluator }: Verdict): SentencePart[] {
  const base: SentencePart = { kind: 'evaluation', text: baseline }
  const subject: SentencePart[] = candidate === undefined ? [] : [{ kind: 'evaluation', text: candidate }]
  const on: SentencePart[] = [' on ', { kind: 'evaluator', text: evaluator.name }]
  const outcome = outcomeOf(evaluator)
  if (outcome === 'none') {
    const start =
      candidate === undefined ? ['Cannot be compared with '] : [...subject, ' cannot be compared with ']
    return [...start, base, ...on, ': no matched row has a score in both.']
  }
  if (outcome === 'unclear') {
    const object = candidate === undefined ? [] : [...subject, ' ']
    const rows = `: only ${pluralize(evaluator.n, 'row')} with a score in both.`
    return ['Too few rows to compare ', ...object, 'with ', base, ...on, rows]
  }
  const word: SentencePart = {
    kind: 'outcome',
    outcome,
    text: candidate === undefined ? `${outcome[0]?.toUpperCase()}${outcome.slice(1)}` : outcome,
  }
  if (outcome !== 'tied') {
    const start = candidate === undefined ? [word] : [...subject, ' is ', word]
    return [...start, ' than ', base, ...on, ': ', ...changedRows(evaluator), '.']
  }
  const start = candidate === undefined ? [word, ' with ', base] : [...subject, ' and ', base, ' are ', word]
  return [...start, ...on, ': ', ...tiedRows(evaluator), '.']
}

function changedRows({ regressed, improved }: PairedEvaluator): SentencePart[] {
  return [
    { kind: 'regressed', text: `${pluralize(regressed, 'row')} regressed` },
    ', ',
    { kind: 'improved', text: `${formatCount(improved)} improved` },
  ]
}

function tiedRows(evaluator: PairedEvaluator): SentencePart[] {
  if (evaluator.regressed + evaluator.improved === 0)
    return [`all ${pluralize(evaluator.n, 'row')} have the same score`]
  return [...changedRows(evaluator), ', no significant difference']
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

/** "a", "a and b", "a, b and c", "a, b, c and 2 more". */
export function formatList(names: readonly string[], max = 3): string {
  const hiddenCount = names.length - max
  const parts = hiddenCount > 0 ? [...names.slice(0, max), `${hiddenCount} more`] : names
  return parts.length < 2 ? parts.join() : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}
