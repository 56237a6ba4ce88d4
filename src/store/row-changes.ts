// What became of joined rows: the difference of two scores, and the class it puts a row in.
import type { RowClass } from '../schema/comparisons.ts'
import { isHigherBetter, type Side } from './compared-sides.ts'
import { type JoinedColumns, NOWHERE } from './joined-columns.ts'

/** Gives the change of a pair by its two positions; NaN where its scores cannot be compared, or one is NOWHERE. */
export type Changes = (base: number, candidate: number) => number

/** The changes may be outside of a double's range. */
export async function changesOf(
  columns: JoinedColumns,
  candidate: Side,
  evaluator: string | undefined,
): Promise<Changes> {
  const of = evaluator === undefined ? undefined : await columns.scores(columns.base, evaluator)
  const to = evaluator === undefined ? undefined : await columns.scores(candidate, evaluator)
  if (!of || !to) return () => Number.NaN
  return (base, position) =>
    position !== NOWHERE && of.verdicts[base] === to.verdicts[position]
      ? (to.numbers[position] as number) - (of.numbers[base] as number)
      : Number.NaN
}

/** Gives the class of a row by its change. */
export type Classes = (change: number) => RowClass

/** Of rows that both have. */
export function classesOf(base: Side, candidate: Side, evaluator: string | undefined): Classes {
  const isHigher = evaluator === undefined || isHigherBetter(base, candidate, evaluator)
  return (change) => {
    if (Number.isNaN(change)) return 'incomparable'
    if (change === 0) return 'same'
    return change > 0 === isHigher ? 'improved' : 'regressed'
  }
}
