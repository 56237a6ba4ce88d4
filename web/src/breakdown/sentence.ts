// The sentence above the groups: which of them explain the change of all rows.
import type { Breakdown } from 'assay-client'
import { formatCount, pluralize } from '../format/numbers.ts'
import { MIN_ROWS } from '../results/verdict-sentence.ts'
import { type Group, isCertain, LARGE_SHARE, type Metric } from './groups.ts'

/** A text, a group that a click filters by, or a number that stands out. */
export type SentencePart = string | { group: Group } | { strong: string }

/** "returns explains 52 % of the loss. Large, but not certain: refunds 28 %. The other 10 groups are tied." */
export function breakdownSentence(
  { base }: Breakdown,
  metric: Metric,
  groups: readonly Group[],
): SentencePart[] {
  const { change: total } = metric.total
  if (!base || !total) return worstGroup(metric, groups)
  if (base.has_different_rows)
    return ['These runs do not have the same rows, so their change cannot be explained.']
  if (total.n === 0) return ['No row has a score in both evaluations.']
  if (total.outcome === 'too-few')
    return [`Too few rows to explain a change: at least ${MIN_ROWS} are needed.`]
  const certain = groups.filter(({ change }) => isCertain(change))
  if (!isCertain(total)) {
    if (certain.length === 0) return [`${metric.name} is tied, and so is every group.`]
    return [`${metric.name} is tied, but not in every group: `, ...outcomes(certain), '.']
  }
  return explanation(metric, groups, certain)
}

function explanation(metric: Metric, groups: readonly Group[], certain: readonly Group[]): SentencePart[] {
  const outcome = metric.total.change?.outcome
  const noun = outcome === 'worse' ? 'loss' : 'gain'
  const causes = certain.filter(({ change }) => change?.outcome === outcome)
  const opposed = certain.filter((group) => !causes.includes(group))
  const uncertain = groups.filter(({ share = 0, change }) => share >= LARGE_SHARE && !isCertain(change))
  const others = groups.filter((group) => ![...certain, ...uncertain].includes(group))
  const share = sumShares(causes)
  return [
    ...(causes.length === 0
      ? [`No group is ${outcome} on its own.`]
      : [
          ...list(causes.map((group) => [{ group }])),
          causes.length === 1 ? ' explains ' : ' explain ',
          { strong: percent(share) },
          ` of the ${noun}.`,
        ]),
    ...(uncertain.length === 0
      ? []
      : [
          ' Large, but not certain: ',
          ...list(uncertain.map((group) => [{ group }, ` ${percent(group.share ?? 0)}`])),
          '.',
        ]),
    ...(opposed.length === 0 ? [] : [' ', ...outcomes(opposed), '.']),
    ...otherGroups(metric, others, sumShares([...causes, ...uncertain]), noun),
  ]
}

/** A sum above 100 % is explained. */
function otherGroups(metric: Metric, others: readonly Group[], share: number, noun: string): SentencePart[] {
  if (others.length === 0) return []
  const subject =
    others.length === 1 ? 'The other group is' : `The other ${formatCount(others.length)} groups are`
  const areAllTied = others.every(({ change }) => change?.outcome === 'tied')
  const start = ` ${subject} tied${areAllTied ? '' : ' or too small'}`
  if (share < 1.005) return [`${start}.`]
  const verb = noun === 'loss' ? 'gained' : 'lost'
  const contribution = others.reduce((sum, { change }) => sum + (change?.contribution ?? 0), 0)
  const amount = metric.formatChange(contribution).slice(1)
  const points = metric.isPassRate ? `${amount} points` : amount
  return [`${start} and ${verb} ${points}, so these add up to ${percent(share)}.`]
}

/** "refunds is worse and care is better". */
function outcomes(groups: readonly Group[]): SentencePart[] {
  return list(groups.map((group) => [{ group }, ` is ${group.change?.outcome}`]))
}

/** Without a baseline, the group with the worst score of those with enough rows. */
function worstGroup(
  { isPassRate, format, total, higherIsBetter }: Metric,
  groups: readonly Group[],
): SentencePart[] {
  const group = groups.find(({ rows, mean }) => rows >= MIN_ROWS && mean !== null)
  if (!group || total.mean === null) return ['No group has enough rows with a score.']
  const unit = isPassRate ? ' %' : ''
  const start = isPassRate ? 'Lowest pass rate: ' : `${higherIsBetter ? 'Lowest' : 'Highest'} mean: `
  return [
    start,
    { group },
    ' with ',
    { strong: `${format(group.mean ?? 0)}${unit}` },
    ` of ${pluralize(group.rows, 'row')}. All rows: ${format(total.mean)}${unit}.`,
  ]
}

function sumShares(groups: readonly Group[]): number {
  return groups.reduce((sum, { share = 0 }) => sum + share, 0)
}

export function percent(share: number): string {
  return `${formatCount(Math.round(share * 100)).replace('-', '−')} %`
}

const MAX_LISTED = 4

/** "a, b and c". */
function list(items: readonly SentencePart[][]): SentencePart[] {
  const hidden = items.length - MAX_LISTED
  const shown = hidden > 0 ? [...items.slice(0, MAX_LISTED), [`${hidden} more`]] : items
  return shown.flatMap((item, index) => [
    ...(index === 0 ? [] : [index === shown.length - 1 ? ' and ' : ', ']),
    ...item,
  ])
}
