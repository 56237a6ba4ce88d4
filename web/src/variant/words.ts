// Sentences about how revisions scored, for whoever hears the plot instead of seeing it.
import { directionOf } from '../format/direction.ts'
import { counted } from '../format/numbers.ts'
import type { Base, Measure } from './measures.ts'
import type { Target } from './plot-layout.ts'
import type { RanIt, Revision } from './questions.ts'

export function nameOf({ id, name }: RanIt): string {
  return name ?? id
}

/** "better", "worse" or "the same", never up or down. */
export function comparedWith(value: number, base: Base, { higherIsBetter }: Measure): string {
  const word = directionOf(value - base.value, higherIsBetter)
  return word === 'tied' ? `the same as r${base.revision}` : `${word} than r${base.revision}`
}

export function targetName({ dots }: Target, measure: Measure, base: Base | undefined): string {
  const [{ revision, evaluation, value }] = dots
  const where = `revision ${revision.revision}`
  if (dots.length > 1) {
    const values = dots.map((dot) => dot.value)
    const range = `${measure.format(Math.min(...values))} to ${measure.format(Math.max(...values))}`
    return `${counted(dots.length, 'evaluation')} close together, ${measure.name} ${range}, ${where}`
  }
  const compared = base ? `, ${comparedWith(value, base, measure)}` : ''
  return `${nameOf(evaluation)}, ${measure.name} ${measure.format(value)}, ${where}${compared}`
}

/** The plot in a sentence. */
export function summaryOf(revisions: readonly Revision[], measure: Measure): string {
  const measured = revisions.flatMap(({ revision, evaluations }) => {
    const value = evaluations.map(measure.of).find((one) => one !== undefined)
    return value === undefined ? [] : [{ revision, value }]
  })
  const [first, last] = [measured[0], measured.at(-1)]
  const about = `${measure.name} (${measure.kind}, ${measure.higherIsBetter ? 'higher' : 'lower'} is better)`
  if (!first || !last) return `No evaluation has a figure of ${about}.`
  const said = ({ revision, value }: Base) => `${measure.format(value)} in r${revision}`
  const share = `${measured.length} of ${counted(revisions.length, 'revision')}`
  if (first === last) return `${about} was measured for ${share}: ${said(first)}.`
  const best = measured.reduce((one, other) =>
    other.value > one.value === measure.higherIsBetter && other.value !== one.value ? other : one,
  )
  return `${about} was measured for ${share}: from ${said(first)} to ${said(last)}, best ${said(best)}.`
}
