// What every evaluator said of a row in each evaluation, side by side, and how far each is from the base.
import type { Comparison } from 'assay-client'
import { type Outcome, outcomesOf } from '../scenario/outcomes.ts'
import type { OpenedRow, RowSide } from './opened-row.ts'

interface OutcomeCell {
  /** Undefined where the evaluator said nothing, or there is no row. */
  outcome: Outcome | undefined
  /** Its score less that of the base, where the two can be compared. */
  delta: number | undefined
}

interface OutcomeLine {
  evaluator: string
  higherIsBetter: boolean
  /** Of the base and each candidate. */
  cells: OutcomeCell[]
}

export function outcomeLines({ base, candidates }: OpenedRow, comparison: Comparison): OutcomeLine[] {
  const sides = [base, ...candidates].map(outcomesBySide)
  const known = comparison.candidates[0]?.evaluators ?? []
  const keys = new Set([
    ...known.map(({ name }) => keyOf(name, 0)),
    ...sides.flatMap((outcomes) => [...outcomes.keys()]),
  ])
  return [...keys].flatMap((key) => {
    const outcomes = sides.map((side) => side.get(key))
    const evaluator = outcomes.find(Boolean)?.evaluator
    if (evaluator === undefined) return []
    const higherIsBetter = known.find(({ name }) => name === evaluator)?.higher_is_better ?? true
    const cells = outcomes.map((outcome, side) => ({
      outcome,
      delta: side === 0 ? undefined : deltaOf(outcomes[0], outcome),
    }))
    return [{ evaluator, higherIsBetter, cells }]
  })
}

/** An evaluator may have said several things of a row: the first stands beside the first. */
function outcomesBySide({ scenario, evaluation }: RowSide): Map<string, Outcome> {
  const said = new Map<string, Outcome>()
  for (const outcome of scenario ? outcomesOf(scenario, evaluation, undefined) : []) {
    let place = 0
    while (said.has(keyOf(outcome.evaluator, place))) place++
    said.set(keyOf(outcome.evaluator, place), outcome)
  }
  return said
}

function keyOf(evaluator: string, place: number): string {
  return `${place} ${evaluator}`
}

/** A verdict against a number says nothing. */
function deltaOf(base: Outcome | undefined, outcome: Outcome | undefined): number | undefined {
  if (!base || !outcome || base.isVerdict !== outcome.isVerdict) return undefined
  const [before, after] = [scoreOf(base), scoreOf(outcome)]
  return before === undefined || after === undefined ? undefined : after - before
}

function scoreOf({ isVerdict, state, text }: Outcome): number | undefined {
  if (isVerdict) return state === 'pass' ? 1 : 0
  return state === 'scored' || state === 'pass' || state === 'fail' ? Number(text) : undefined
}
