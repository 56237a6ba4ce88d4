// How each candidate did against the base over the rows that both have: a row an evaluator, a group of columns a candidate.
import { Link } from '@tanstack/react-router'
import type { Comparison } from 'assay-client'
import { useMemo, useState } from 'react'
import { count } from '../format/numbers.ts'
import { Waiting } from '../parts/waiting.tsx'
import { nameOf } from './compared.ts'
import { type FigureRow, figureRows, tellingRows } from './figure-rows.ts'
import styles from './figures.module.css'
import { BaseCell, CandidateCells } from './figures-cells.tsx'
import { useOwnFigures } from './own-figures.ts'
import type { Shown } from './shown.ts'

/** Up to so many evaluators all are there; of more, the fewer that say most. */
const MOST_EVALUATORS = 5
const TELLING = 4

export function Figures({ shown }: { shown: Shown }) {
  const { comparison, on } = shown
  const [isWhole, setIsWhole] = useState(false)
  const rows = useMemo(() => (comparison ? figureRows(comparison) : []), [comparison])
  const { own, ask } = useOwnFigures(shown.view.evaluations)
  if (!comparison) {
    return (
      <div className={`${styles.figures} ${styles.coming}`}>
        <Waiting />
      </div>
    )
  }
  const evaluators = rows.filter(({ evaluator }) => evaluator !== undefined).length
  const isLong = evaluators > MOST_EVALUATORS
  const listed = isLong && !isWhole ? tellingRows(rows, on, TELLING) : rows
  return (
    <section
      className={styles.figures}
      aria-label="Figures over matched rows"
      onPointerEnter={ask}
      onFocus={ask}
    >
      <table>
        <thead>
          <tr>
            <th scope="col" rowSpan={2} className={styles.corner}>
              matched rows
              {isLong && (
                <button type="button" aria-expanded={isWhole} onClick={() => setIsWhole(!isWhole)}>
                  {isWhole ? 'Show fewer' : `Show all ${count(evaluators)}`}
                </button>
              )}
            </th>
            <Names comparison={comparison} />
          </tr>
          <tr className={styles.labels}>
            <th scope="col" className={styles.base}>
              mean
            </th>
            {comparison.candidates.map(({ id }) => (
              <Labels key={id} />
            ))}
          </tr>
        </thead>
        <tbody>
          {listed.map((row) => (
            <Row
              key={row.evaluator === undefined ? row.name : `result.${row.name}`}
              shown={shown}
              row={row}
              own={own}
            />
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Names({ comparison }: { comparison: Comparison }) {
  return comparison.evaluations.map(({ id }, place) => (
    <th
      key={id}
      scope={place === 0 ? 'col' : 'colgroup'}
      colSpan={place === 0 ? 1 : 5}
      className={place === 0 ? styles.base : styles.candidate}
    >
      {place === 0 && <span aria-hidden="true">★ </span>}
      <Link
        to="/evaluations/$evaluationId"
        params={{ evaluationId: id }}
        title={id}
        className={styles.called}
      >
        {nameOf(comparison, id)}
      </Link>
    </th>
  ))
}

function Labels() {
  return (
    <>
      <th scope="col" className={`${styles.candidate} ${styles.mean}`}>
        mean
      </th>
      <th scope="col">change</th>
      <th scope="col" title="The true change is in here with a confidence of 95 %">
        95 % interval
      </th>
      <th scope="col">rows worse, better</th>
      <th
        scope="col"
        className={styles.n}
        title="Rows with a score on both sides: what the figures are about"
      >
        compared
      </th>
    </>
  )
}

interface RowProps {
  shown: Shown
  row: FigureRow
  own: ReturnType<typeof useOwnFigures>['own']
}

function Row({ shown, row, own }: RowProps) {
  const [base = '', ...candidates] = shown.view.evaluations
  const isFollowed = row.evaluator !== undefined && row.evaluator === shown.on
  return (
    <tr data-followed={isFollowed || undefined}>
      <th scope="row" title={`${row.name}: ${row.kind}`}>
        {row.name}
      </th>
      <BaseCell row={row} ownTitle={own(base, row)} />
      {row.cells.map((cell, place) => (
        <CandidateCells
          key={candidates[place]}
          shown={shown}
          id={candidates[place] ?? ''}
          row={row}
          cell={cell}
          ownTitle={own(candidates[place] ?? '', row)}
        />
      ))}
    </tr>
  )
}
