// How a joined row changed, and its class.
import type { RowClass } from '../../schema/comparisons.ts'
import { fisherExact } from '../statistics/fisher-test.ts'
import { roundToZero } from '../statistics/rounding.ts'
import type { RowScores } from './rows/row-scores.ts'

/** The numbers of these changes are stored in arrays. */
export const CHANGE = { same: 0, higher: 1, lower: 2, unclear: 3, incomparable: 4 } as const
export type Change = (typeof CHANGE)[keyof typeof CHANGE]

/** Repeats of verdicts that differ this significantly are a change, even if some of them are equal. */
const MAX_P_VALUE = 0.05

/** Each row is given by the position of its first scenario. */
export function changeOf(base: RowScores, row: number, candidate: RowScores, position: number): Change {
  const [before, after] = [base.numbers[row] as number, candidate.numbers[position] as number]
  // A verdict is never compared with a number.
  if (base.verdicts[row] !== candidate.verdicts[position]) return CHANGE.incomparable
  if (Number.isNaN(before) || Number.isNaN(after)) return CHANGE.incomparable
  const difference = differenceOf(base, row, candidate, position)
  if (difference === 0) return CHANGE.same
  const change = difference > 0 ? CHANGE.higher : CHANGE.lower
  const [baseRange, range] = [rangeOf(base, row), rangeOf(candidate, position)]
  const isSeparate = difference > 0 ? range.lowest > baseRange.highest : range.highest < baseRange.lowest
  if (isSeparate) return change
  const isVerdict = base.verdicts[row] === 1
  const passes = ({ count }: { count: number }, mean: number) => Math.round(count * mean)
  const isSignificant =
    isVerdict &&
    fisherExact(passes(baseRange, before), baseRange.count, passes(range, after), range.count) <= MAX_P_VALUE
  return isSignificant ? change : CHANGE.unclear
}

/** The score difference of a row. It can overflow to infinity. */
export function differenceOf(base: RowScores, row: number, candidate: RowScores, position: number): number {
  const [before, after] = [base.numbers[row] as number, candidate.numbers[position] as number]
  // Means of repeats can differ by rounding errors.
  const hasMeans = base.repeats !== undefined || candidate.repeats !== undefined
  return hasMeans ? roundToZero(after - before, Math.max(Math.abs(after), Math.abs(before))) : after - before
}

function rangeOf(
  { numbers, repeats }: RowScores,
  row: number,
): { count: number; lowest: number; highest: number } {
  const number = numbers[row] as number
  if (!repeats) return { count: 1, lowest: number, highest: number }
  return {
    count: repeats.counts[row] as number,
    lowest: repeats.lowest[row] as number,
    highest: repeats.highest[row] as number,
  }
}

export function classOf(change: number, higherIsBetter: boolean): RowClass {
  if (change === CHANGE.incomparable) return 'incomparable'
  if (change === CHANGE.same) return 'same'
  if (change === CHANGE.unclear) return 'unclear'
  return (change === CHANGE.higher) === higherIsBetter ? 'improved' : 'regressed'
}
