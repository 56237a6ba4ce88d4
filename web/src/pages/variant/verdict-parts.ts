// The sentence on top of the variant page: the newest value, the best, the last regression, and what is not evaluated.
import type { Direction } from '../../format/direction.ts'
import { formatList } from '../../format/list.ts'
import { formatCount } from '../../format/numbers.ts'
import type { Revision, RevisionEvaluation } from '../../queries/variants.ts'
import { formatDifference, type Measure } from '../../results/measures.ts'
import { baselineName, type Measured, type Metric, measuredRevisions } from '../../revisions/metrics.ts'

export type VerdictPart =
  | string
  | { kind: 'revision'; revision: number }
  | { kind: 'outcome'; outcome: Direction }

export function historyVerdict(
  variantId: string,
  revisions: readonly Revision[],
  metric: Metric,
): VerdictPart[] {
  const measured = measuredRevisions(revisions, metric).filter(({ evaluation }) => !isRunning(evaluation))
  const latest = measured.at(-1)
  if (!latest) return ['No revision has been evaluated yet. ', ...pendingParts(revisions, metric)]
  const newer = revisions.filter(({ revision }) => revision > latest.revision.revision)
  return [
    ...latestParts(variantId, measured, latest, metric),
    ...regressionParts(variantId, measured, latest),
    ...pendingParts(newer, metric),
  ]
}

export function isRunning({ status }: RevisionEvaluation): boolean {
  return status === 'running'
}

/** "running, 74 of 120 rows" */
export function runningText({ scenario_count, expected_count }: RevisionEvaluation): string {
  const rows =
    expected_count == null
      ? formatCount(scenario_count)
      : `${formatCount(scenario_count)} of ${formatCount(expected_count)}`
  return `running, ${rows} rows`
}

function latestParts(
  variantId: string,
  measured: Measured[],
  latest: Measured,
  metric: Metric,
): VerdictPart[] {
  const value = metric.formatWithUnit(latest.measure.value)
  const name = partOf(latest)
  const outcome = outcomeParts(variantId, latest)
  if (measured.length === 1)
    return [name, ` is the only evaluated revision: ${metric.name} ${value}`, ...outcome, '. ']
  const best = bestOf(measured)
  if (best === latest) return [name, ` has the best ${metric.name} so far: ${value}`, ...outcome, '. ']
  const bestValue = metric.formatWithUnit(best.measure.value)
  return [
    name,
    ` has ${metric.name} ${value}`,
    ...outcome,
    '. The best so far is ',
    partOf(best),
    `: ${bestValue}. `,
  ]
}

/** ", tied with baseline r4" or ", worse than baseline r4 by 22.3 points" */
function outcomeParts(variantId: string, { evaluation, measure, revision }: Measured): VerdictPart[] {
  const name = baselineName(evaluation, variantId)
  if (!measure.change || name === undefined) return []
  // Other evaluations of the same revision are told apart by their names.
  const { base } = evaluation.scores
  const baseline = name === `r${revision.revision}` ? (base?.name ?? base?.id ?? name) : name
  const { direction: outcome } = measure.change
  const object = `${baselineNoun(evaluation)} ${baseline}`
  if (outcome === 'tied') return [', ', { kind: 'outcome', outcome }, ` with ${object}`]
  return [', ', { kind: 'outcome', outcome }, ` than ${object}${byText(measure)}`]
}

/** What the baseline is: the declared one, or the one that the API chose. */
function baselineNoun({ scores }: RevisionEvaluation): string {
  const nouns: Record<string, string> = { marked: 'marked baseline', previous: 'previous run' }
  return nouns[scores.base?.chosen ?? ''] ?? 'baseline'
}

/** "r5 was worse by 22.3 points." About the last regression before the latest revision. */
function regressionParts(variantId: string, measured: Measured[], latest: Measured): VerdictPart[] {
  const regression = measured.findLast(
    (item) => item !== latest && item.measure.change?.direction === 'worse',
  )
  if (!regression) return []
  const baseline = baselineName(regression.evaluation, variantId)
  const isSameBaseline = baseline === baselineName(latest.evaluation, variantId)
  const than = isSameBaseline || baseline === undefined ? '' : ` than ${baseline}`
  return [
    partOf(regression),
    ' was ',
    { kind: 'outcome', outcome: 'worse' },
    `${than}${byText(regression.measure)}. `,
  ]
}

/** "r7 is running, 74 of 120 rows." "r8 and r9 have not been evaluated." */
function pendingParts(revisions: readonly Revision[], metric: Metric): VerdictPart[] {
  const running = revisions.flatMap(({ revision, evaluations }) => {
    const evaluation = evaluations.find(isRunning)
    return evaluation ? `r${revision} is ${runningText(evaluation)}. ` : []
  })
  const waiting = revisions.filter(({ evaluations }) => !evaluations.some(isRunning))
  const notEvaluated = waiting.filter(({ evaluations }) => evaluations.length === 0)
  const notScored = waiting.filter(({ evaluations }) => evaluations.length > 0)
  return [
    ...running,
    ...sentence(notEvaluated, 'not been evaluated'),
    ...sentence(notScored, `no ${metric.name}`),
  ]
}

function sentence(revisions: readonly Revision[], text: string): string[] {
  if (revisions.length === 0) return []
  const names = revisions.map(({ revision }) => `r${revision}`)
  return [`${formatList(names)} ${names.length === 1 ? 'has' : 'have'} ${text}. `]
}

/** " by 22.3 points". Empty if the change has no amount. */
export function byText({ unit, change }: Measure): string {
  if (change?.difference === undefined) return ''
  return ` by ${formatDifference(unit, change.difference)}${unit === 'percent' ? ' points' : ''}`
}

/** The newest of the best values. */
export function bestOf(measured: readonly Measured[]): Measured {
  return measured.reduce((best, item) => (isBetter(best, item) ? best : item))
}

function isBetter({ measure }: Measured, other: Measured): boolean {
  if (measure.value === other.measure.value) return false
  return measure.value > other.measure.value === measure.higherIsBetter
}

function partOf({ revision }: Measured): VerdictPart {
  return { kind: 'revision', revision: revision.revision }
}
