// The part of the page that says how revisions scored: what is measured, the plot or the same as a table, and what one points at.
import { useState } from 'react'
import { useChangeSearch } from '../change-search.ts'
import { count } from '../format/numbers.ts'
import { EvaluationLink } from '../parts/evaluation-link.tsx'
import { ChangeWords } from './change-words.tsx'
import type { History } from './history.ts'
import type { Measure } from './measures.ts'
import styles from './plot.module.css'
import { Plot } from './plot.tsx'
import type { Target } from './plot-layout.ts'
import type { Revision } from './questions.ts'
import { comparedWith, nameOf, summaryOf } from './words.ts'

export function Scores({ history, revisions }: { history: History; revisions: Revision[] }) {
  const { measures, measure } = history
  const change = useChangeSearch()
  const [isTable, setIsTable] = useState(false)
  const [pointed, setPointed] = useState<Target>()
  if (!measure) {
    return (
      <p className={styles.none}>
        No evaluation of this variant has a score yet. One that names the variant and a revision shows up
        here.
      </p>
    )
  }
  const choose = (index: number) => {
    const { on, figure } = measures[index]?.search ?? {}
    change({ on, figure })
  }
  return (
    <figure className={styles.figure} aria-label="Scores by revision">
      <div className={styles.choice}>
        <h2>Scores by revision</h2>
        <select
          aria-label="What is measured"
          value={measures.indexOf(measure)}
          onChange={(event) => choose(Number(event.target.value))}
        >
          {measures.map(({ name, kind }, index) => (
            <option key={`${name} ${kind}`} value={index}>
              {name} ({kind})
            </option>
          ))}
        </select>
        <span className="soft">
          <span aria-hidden="true">{measure.higherIsBetter ? '↑' : '↓'}</span>{' '}
          {measure.higherIsBetter ? 'higher' : 'lower'} is better
        </span>
        <button type="button" aria-pressed={isTable} onClick={() => setIsTable(!isTable)}>
          As table
        </button>
      </div>
      {isTable ? (
        <ScoreTable revisions={revisions} measure={measure} />
      ) : (
        <>
          <Plot history={history} revisions={revisions} measure={measure} onPoint={setPointed} />
          <figcaption className={styles.readout}>
            {pointed ? (
              <Pointed target={pointed} history={history} measure={measure} />
            ) : (
              <span className="soft">{summaryOf(revisions, measure)}</span>
            )}
          </figcaption>
        </>
      )}
    </figure>
  )
}

function Pointed({ target, history, measure }: { target: Target; history: History; measure: Measure }) {
  const [{ revision }] = target.dots
  const base = history.bases.get(revision.revision)
  const changed = history.changes.get(revision.revision)
  return (
    <>
      {target.dots.slice(0, 3).map(({ evaluation, value }) => (
        <span key={evaluation.id}>
          <strong>
            <bdi>{nameOf(evaluation)}</bdi>
          </strong>{' '}
          {measure.format(value)}
          {base && `, ${comparedWith(value, base, measure)}`}{' '}
          <span className="soft">({count(measure.rowsOf(evaluation))} scored)</span>
        </span>
      ))}
      {changed && (
        <span>
          <span className="soft">r{revision.revision}:</span> <ChangeWords changed={changed} />
        </span>
      )}
    </>
  )
}

function ScoreTable({ revisions, measure }: { revisions: Revision[]; measure: Measure }) {
  return (
    <div className={styles.tableFrame}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Revision</th>
            <th scope="col">Evaluation</th>
            <th scope="col" className="number">
              {measure.name} ({measure.kind})
            </th>
            <th scope="col" className="number">
              Scored
            </th>
          </tr>
        </thead>
        <tbody>
          {revisions.flatMap(({ revision, evaluations }) =>
            evaluations.flatMap((evaluation) => {
              const value = measure.of(evaluation)
              if (value === undefined) return []
              return (
                <tr key={evaluation.id}>
                  <td>r{revision}</td>
                  <td>
                    <EvaluationLink id={evaluation.id} name={nameOf(evaluation)} />
                  </td>
                  <td className="number">{measure.format(value)}</td>
                  <td className="number">{count(measure.rowsOf(evaluation))}</td>
                </tr>
              )
            }),
          )}
        </tbody>
      </table>
    </div>
  )
}
