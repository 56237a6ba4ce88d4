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

export function Evaluations({ revisions, revision }: { revisions: Revision[]; revision: Revision }) {
  const { evaluations } = revision
  const { items, left, showAll } = useCut(evaluations, SHOWN)
  if (evaluations.length === 0) return <p className="soft">No evaluation ran this revision.</p>
  // Of all revisions, so that a figure is of the same kind on both sides of a difference.
  const measures = measuresOf(revisions)
    .filter((measure) => evaluations.some((one) => measure.of(one) !== undefined))
    .map((measure) => ({ measure, base: basesOf(revisions, measure).get(revision.revision) }))
  return (
    <div className={styles.frame}>
      <table className={styles.evaluations}>
        <thead>
          <tr>
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
          {items.map((evaluation) => (
            <tr key={evaluation.id}>
              <td>
                <EvaluationLink id={evaluation.id} name={nameOf(evaluation)} />
              </td>
              <td className="soft">
                <Ago time={evaluation.created_at} />
              </td>
              <td className="number">{count(evaluation.scenario_count)}</td>
              {measures.map(({ measure, base }) => (
                <td key={`${measure.name} ${measure.kind}`} className="number">
                  <Figure evaluation={evaluation} measure={measure} base={base} />
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
