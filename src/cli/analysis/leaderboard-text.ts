// The text report of a leaderboard: which evaluations can be the best, a table of all, and which are worth their cost.
import type { Leaderboard, RankedEvaluation } from '../../schema/analysis/leaderboards.ts'
import { MAX_WIDTH, wrapText } from '../output/help-text.ts'
import { countOf } from '../output/progress.ts'
import {
  DOLLARS,
  formatChange,
  formatMean,
  fractionDigits,
  joinNames,
  NO_VALUE,
  PLAIN,
  RATE,
  SECONDS,
  type Unit,
} from '../output/statistics.ts'
import { alignColumns, sanitizeLine } from '../output/terminal-text.ts'

type NameOf = (evaluation: RankedEvaluation) => string

export function leaderboardText(leaderboard: Leaderboard): string {
  const { on, evaluations, shared_rows, higher_is_better, warnings } = leaderboard
  const nameOf = chooseNames(evaluations)
  // Names often contain spaces and colons.
  const quote: NameOf = (evaluation) => `'${nameOf(evaluation)}'`
  const direction = higher_is_better ? '' : ' (lower is better)'
  const subject = `${sanitizeLine(on)}${direction} of ${countOf(evaluations.length, 'evaluation')}`
  const lines = [
    wrapText(`${subject}, over the ${countOf(shared_rows, 'row')} that have a score in all of them.`),
    wrapText(describeBest(evaluations, quote)),
    '',
    ...alignColumns(tableRows(leaderboard, nameOf), MAX_WIDTH),
    ...frontierLines(evaluations, quote),
    ...(warnings.length > 0 ? [''] : []),
    ...warnings.map(({ detail }) => wrapText(`Warning: ${sanitizeLine(detail)}`)),
    '',
  ]
  return lines.join('\n')
}

/** Names if all are different, otherwise ids. */
function chooseNames(evaluations: RankedEvaluation[]): NameOf {
  const names = new Set(evaluations.map(({ name }) => name))
  const areDistinct = names.size === evaluations.length && !names.has(null)
  return ({ id, name }) => sanitizeLine(areDistinct ? (name ?? id) : id)
}

function describeBest(evaluations: RankedEvaluation[], nameOf: NameOf): string {
  const [first, ...others] = evaluations.filter(({ rank: [best] }) => best === 1)
  if (first?.rank[1] === 1) return `${nameOf(first)} is certainly better than all others.`
  const best = `${first ? nameOf(first) : NO_VALUE} has the best score`
  if (others.length === 0) return `${best}, and no other one can be the best.`
  if (others.length === evaluations.length - 1) return `${best}, but none of the others is certainly worse.`
  return `${best}. These can be as good: ${joinNames(others.map(nameOf))}.`
}

/** The first row has the headings. */
function tableRows({ evaluations, is_verdict }: Leaderboard, nameOf: NameOf): string[][] {
  const unit = is_verdict ? RATE : PLAIN
  const scores = evaluations.flatMap(({ mean, interval }) => [mean, ...(interval ?? [])])
  const digits = fractionDigits(scores, unit)
  const costs = evaluations.map(({ cost }) => cost.mean)
  const latencies = evaluations.map(({ latency }) => latency.p50)
  const rows = evaluations.map((evaluation) => {
    const { rank, mean, interval, change, cost, latency } = evaluation
    return [
      nameOf(evaluation),
      rank[0] === rank[1] ? String(rank[0]) : rank.join(' to '),
      formatMean(mean, unit, digits),
      formatInterval(interval, unit, digits),
      change ? formatChange(change.delta, unit, digits, unit.changeSuffix) : '',
      formatMean(cost.mean, DOLLARS, fractionDigits(costs, DOLLARS)),
      formatMean(latency.p50, SECONDS, fractionDigits(latencies, SECONDS)),
      change ? describeOutcome(change.outcome) : '',
    ]
  })
  const score = is_verdict ? 'pass rate' : 'mean'
  return [['', 'rank', score, '95 % interval', 'change', 'cost', 'latency', ''], ...rows]
}

function formatInterval(interval: number[] | null, unit: Unit, digits: number): string {
  const [low = null, high = null] = interval ?? []
  if (low === null || high === null) return NO_VALUE
  return `${formatMean(low, { ...unit, suffix: '' }, digits)} to ${formatMean(high, unit, digits)}`
}

function describeOutcome(outcome: NonNullable<RankedEvaluation['change']>['outcome']): string {
  if (outcome === null) return 'equal changes'
  return outcome === 'too-few' ? 'too few rows' : outcome
}

function frontierLines(evaluations: RankedEvaluation[], nameOf: NameOf): string[] {
  const lines = (['cost', 'latency'] as const).flatMap((measure) => {
    const names = evaluations.filter((evaluation) => evaluation[measure].on_frontier).map(nameOf)
    return names.length === 0 ? [] : [wrapText(`Best score for the ${measure}: ${joinNames(names)}.`)]
  })
  return lines.length > 0 ? ['', ...lines] : []
}
