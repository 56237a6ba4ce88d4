// The evaluations that ran a revision, with every figure they have, against the revision before.
import { count, counted } from '../format/numbers.ts'
import { Ago } from '../parts/ago.tsx'
import { useCut } from '../parts/cut.ts'
import { Delta } from '../parts/delta.tsx'
import { EvaluationLink } from '../parts/evaluation-link.tsx'
import { type Base, basesOf, type Measure, measuresOf } from '../variant/measures.ts'
import type { RanIt, Revision } from '../variant/questions.ts'
import { nameOf } from '../variant/words.ts'
import styles from './revision.module.css'

const SHOWN = 10

interface EvaluationsProps {
  /** Those that figures are compared among, in their order. */
  revisions: Revision[]
  /** Those whose evaluations are shown. */
  of: Revision[]
}

export function Evaluations({ revisions, of }: EvaluationsProps) {
  const all = of.flatMap((revision) => revision.evaluations.map((evaluation) => ({ revision, evaluation })))
  const { items, left, showAll } = useCut(all, SHOWN)
  if (all.length === 0) return <p className="soft">No evaluation ran {namesOf(of)}.</p>
  // Of all revisions, so that a figure is of the same kind on both sides of a difference.
  const measures = measuresOf(revisions)
    .filter((measure) => all.some(({ evaluation }) => measure.of(evaluation) !== undefined))
    .map((measure) => ({ measure, bases: basesOf(revisions, measure) }))
  const isOfSeveral = of.length > 1
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what is wide scrolls, from the keyboard too
    <div className={styles.frame} tabIndex={0}>
      <table className={styles.evaluations}>
        <thead>
          <tr>
            {isOfSeveral && <th scope="col">Ran</th>}
            <th scope="col">Evaluation</th>
            <th scope="col">When</th>
            <th scope="col" className="number">
              Rows
            </th>
            {measures.map(({ measure: { name, kind } }) => (
              <th key={`${name} ${kind}`} scope="col" className="number">
                {name} <span className={styles.kindOf}>{kind}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map(({ revision: { revision }, evaluation }) => (
            <tr key={evaluation.id}>
              {isOfSeveral && <td>r{revision}</td>}
              <td>
                <EvaluationLink id={evaluation.id} name={nameOf(evaluation)} />
              </td>
              <td className="soft">
                <Ago time={evaluation.created_at} />
              </td>
              <td className="number">{count(evaluation.scenario_count)}</td>
              {measures.map(({ measure, bases }) => (
                <td key={`${measure.name} ${measure.kind}`} className="number">
                  <Figure evaluation={evaluation} measure={measure} base={bases.get(revision)} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {left > 0 && (
        <button type="button" onClick={showAll}>
          Show {counted(left, 'more evaluation')}
        </button>
      )}
    </div>
  )
}

function namesOf(revisions: Revision[]): string {
  return revisions.length === 1
    ? 'this revision'
    : revisions.map(({ revision }) => `r${revision}`).join(' or ')
}

interface FigureProps {
  evaluation: RanIt
  measure: Measure
  base: Base | undefined
}

function Figure({ evaluation, measure, base }: FigureProps) {
  const value = measure.of(evaluation)
  if (value === undefined) return <span className="soft">–</span>
  return (
    <>
      {measure.format(value)}{' '}
      {base && (
        <Delta
          value={value - base.value}
          higherIsBetter={measure.higherIsBetter}
          format={measure.formatDifference}
          base={`r${base.revision}`}
        />
      )}
    </>
  )
}
