// The sentences that explain a change by the groups of its rows, with the arithmetic.
import type { GroupChange } from '../../schema/analysis/breakdowns.ts'
import { countOf, formatCount } from '../output/progress.ts'
import { formatChange, fractionDigits, joinNames } from '../output/statistics.ts'
import { formatLabel, type ReportStyle } from './group-labels.ts'
import { type ChangePart, formatMetric, type MetricChange } from './metric-changes.ts'

const MAX_LISTED_GROUPS = 5
/** Groups with this share of the change are listed even if their own change can be random. */
const LARGE_SHARE = 0.1

/**
 * For example: `exact: worse, -17.6 pp on 119 rows. returns: -65.0 pp on 20 rows, 62 % of the change (20 × -65.0 of
 * 119 × -17.6 pp). All other groups are tied.`
 */
export function explainChange(metric: MetricChange, style: ReportStyle): string {
  const { total, parts } = metric
  const label = formatMetric(metric, style)
  if (total.delta === null) return `${label}: no row has a value in both evaluations.`
  const sentences = new Sentences(metric, style)
  if (total.outcome === 'too-few')
    return `${label}: too few rows, ${sentences.amountOf(total)}. At least 6 are needed.`
  if (total.outcome === null)
    return `${label}: not comparable, ${sentences.amountOf(total)}. All rows changed by the same amount.`
  const summary = `${label}: ${total.outcome}, ${sentences.amountOf(total)}`
  const moved = parts.filter(({ change }) => change.outcome === 'better' || change.outcome === 'worse')
  if (total.outcome === 'tied') {
    if (moved.length === 0) return `${summary}. There is no change to explain.`
    return [`${summary}, but not in every group.`, ...sentences.list(moved)].join(' ')
  }
  const [firstPart, ...otherParts] = parts.filter(({ change }) => change.n > 0)
  if (firstPart?.groupCount === 1 && otherParts.length === 0)
    return `${summary}. All compared rows are in one group: ${formatLabel(firstPart.label, style)}.`
  const cause = moved.find(({ change }) => change.outcome === total.outcome)
  const largest = cause ?? parts.find(({ change }) => (shareOf(change, total) ?? 0) > 0)
  const description = largest ? sentences.describe(largest) : ''
  if (parts.every(({ change }) => change.outcome === total.outcome))
    return `${summary}. All groups are ${total.outcome}. The largest part is ${description}`
  const introduction = cause ? '' : ` No group is ${total.outcome} on its own. The largest part is`
  return [`${summary}.${introduction}`, description, ...sentences.list(moved, largest)].join(' ')
}

/** The contribution of a group as a fraction of the whole change. Null unless the whole change is certain. */
export function shareOf({ contribution }: GroupChange, { delta, outcome }: GroupChange): number | null {
  const isCertain = outcome === 'better' || outcome === 'worse'
  return contribution === null || !delta || !isCertain ? null : contribution / delta
}

export function formatShare(share: number): string {
  return `${formatCount(100 * share)} %`.replace(/^-0 /, '0 ')
}

/** All numbers have the decimal places of the whole change. */
class Sentences {
  readonly #metric: MetricChange
  readonly #style: ReportStyle
  readonly #digits: number

  constructor(metric: MetricChange, style: ReportStyle) {
    const { mean, delta } = metric.total
    this.#metric = metric
    this.#style = style
    this.#digits = fractionDigits([mean, (mean ?? 0) + (delta ?? 0), delta], metric.unit)
  }

  amountOf({ delta, n }: GroupChange): string {
    return `${this.#format(delta)} on ${countOf(n, 'row')}`
  }

  /** One group with the arithmetic of its share. */
  describe({ label, change }: ChangePart): string {
    const { total, unit } = this.#metric
    const factor = formatChange(change.delta, unit, this.#digits)
    const product = `${formatCount(change.n)} × ${factor}`
    const totalProduct = `${formatCount(total.n)} × ${this.#format(total.delta)}`
    const share = `${formatShare(shareOf(change, total) ?? 0)} of the change`
    return `${formatLabel(label, this.#style)}: ${this.amountOf(change)}, ${share} (${product} of ${totalProduct}).`
  }

  /** The other groups: those that are better or worse, those with a large share, and the state of all that are left. */
  list(moved: ChangePart[], described?: ChangePart): string[] {
    const { total, parts } = this.#metric
    const others = parts.filter((part) => part !== described)
    const isLarge = ({ change }: ChangePart) => (shareOf(change, total) ?? 0) >= LARGE_SHARE
    const uncertain = others.filter((part) => !moved.includes(part) && isLarge(part))
    const lists = [
      this.#listGroups('worse', others, described),
      this.#listGroups('better', others, described),
      this.#join('Large, but not certain', uncertain),
    ]
    const unlisted = others.filter((part) => !moved.includes(part) && !uncertain.includes(part))
    const shares = [...moved, ...(described ? [described] : [])].map(
      ({ change }) => shareOf(change, total) ?? 0,
    )
    // From 1.005 on, a share is printed as more than 100 %.
    const isOpposed = shares.some((share) => share < 0 || share >= 1.005)
    return [
      ...lists.flat(),
      ...describeOthers(unlisted),
      ...(isOpposed ? ['Groups that changed in the opposite direction have negative shares.'] : []),
    ]
  }

  #listGroups(outcome: 'worse' | 'better', parts: ChangePart[], described?: ChangePart): string[] {
    const heading = outcome === described?.change.outcome ? `Also ${outcome}` : HEADINGS[outcome]
    return this.#join(
      heading,
      parts.filter(({ change }) => change.outcome === outcome),
    )
  }

  #join(heading: string, parts: ChangePart[]): string[] {
    if (parts.length === 0) return []
    const names = parts.map((part) => this.#formatListed(part))
    return [`${heading}: ${joinNames(names, MAX_LISTED_GROUPS)}.`]
  }

  #formatListed({ label, change }: ChangePart): string {
    const share = shareOf(change, this.#metric.total)
    const shareText = share === null ? '' : `, ${formatShare(share)}`
    return `${formatLabel(label, this.#style)} (${this.amountOf(change)}${shareText})`
  }

  #format(delta: number | null): string {
    const { unit } = this.#metric
    return formatChange(delta, unit, this.#digits, unit.changeSuffix)
  }
}

const HEADINGS = { worse: 'Worse', better: 'Better' }

/** `parts` are groups that are neither better nor worse. */
function describeOthers(parts: ChangePart[]): string[] {
  if (parts.length === 0) return []
  const isCombined = parts.some(({ groupCount }) => groupCount > 1)
  const isSingle = parts.length === 1 && !isCombined
  const outcomes = new Set(parts.map(({ change }) => change.outcome))
  const states = [
    outcomes.has('tied') && `${isSingle ? 'is' : 'are'} tied`,
    outcomes.has('too-few') && `${isSingle ? 'has' : 'have'} too few rows`,
    outcomes.has(null) && 'cannot be compared',
  ].filter((state) => state !== false)
  const combined = isCombined ? ', the smallest ones taken together' : ''
  return [`${isSingle ? 'The other group' : 'All other groups'} ${states.join(' or ')}${combined}.`]
}
