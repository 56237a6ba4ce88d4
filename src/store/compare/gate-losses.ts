// How much worse the candidate is on one evaluator, and whether the regression gate fails because of it. Uses no database.
import type { ComparedEvaluator } from '../../schema/comparisons.ts'
import { DEFAULT_MAX_LOSS, type GateCheck, type GateReason, type GateRules } from '../../schema/gate.ts'
import { exactMcNemar } from '../statistics/mcnemar-test.ts'
import { MIN_ROWS, type PairedNumbers, summarizeDifferences } from '../statistics/paired-differences.ts'
import { roundToZero } from '../statistics/rounding.ts'
import * as reason from './gate-reasons.ts'

/** The probability that any of the checked evaluators is certainly worse by chance. */
const FAMILY_ERROR = 0.05

/** The confidence level of each of `checked` evaluators. */
export function confidenceOf(checked: number): number {
  return 1 - FAMILY_ERROR / Math.max(1, checked)
}

/** An evaluator that is checked, and how many rows it has scored in the baseline. */
export type Selected = Pick<GateCheck, 'name' | 'scored' | 'is_verdict'>

/** The loss of an evaluator over paired rows, with its confidence interval. */
export function measureLoss(
  selected: Selected,
  numbers: PairedNumbers,
  isHigher: boolean,
  confidence: number,
): GateCheck {
  const { n, delta, interval, direction } = summarizeDifferences(numbers, confidence)
  const toLoss = (change: number) => (isHigher ? 0 - change : change)
  const [low, high] = interval ?? []
  const losses = [low, high].filter((bound) => bound !== undefined).map(toLoss)
  return {
    ...selected,
    n,
    loss: delta === null ? null : toLoss(delta),
    interval: direction === null || losses.length < 2 ? null : losses.sort((a, b) => a - b),
  }
}

/** Why the evaluator fails. */
export function judgeLoss(
  check: GateCheck,
  classes: ComparedEvaluator['classes'],
  rules: GateRules,
  confidence: number,
): GateReason[] {
  const { n, loss, interval, is_verdict } = check
  if (loss === null) return []
  const { tolerance = 0, max_loss = is_verdict ? DEFAULT_MAX_LOSS : undefined, max_regressed } = rules
  const failures: GateReason[] = []
  // Equal differences have no interval, but it is no chance that all rows get worse.
  const isCertain = interval
    ? exceeds(interval[0] as number, tolerance)
    : n >= MIN_ROWS && exactMcNemar(n, 0) <= 1 - confidence && exceeds(loss, tolerance)
  if (isCertain) failures.push(reason.certain(check, classes, tolerance))
  else if (max_loss !== undefined && exceeds(loss, max_loss))
    failures.push(reason.observedLoss(check, classes, max_loss))
  if (max_regressed !== undefined && classes.regressed > max_regressed)
    failures.push(reason.rowsRegressed(check, classes, max_regressed))
  return failures
}

/** Ignores rounding errors of means. */
function exceeds(loss: number, limit: number): boolean {
  return roundToZero(loss - limit, Math.abs(loss) + limit) > 0
}
