// The revisions of a variant, newest first: what each changed, and how the evaluations that ran it did.
import { Link, useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { Ago } from '../parts/ago.tsx'
import { Delta } from '../parts/delta.tsx'
import { ChangeWords } from './change-words.tsx'
import type { Entry, History } from './history.ts'
import type { Measure } from './measures.ts'
import type { RanIt } from './questions.ts'
import styles from './revision-list.module.css'
import { useRowKeys } from './row-keys.ts'
import { nameOf } from './words.ts'

const SHOWN_EVALUATIONS = 3

export function RevisionList({ history }: { history: History }) {
  const list = useRef<HTMLTableElement>(null)
  const hash = useLocation({ select: (location) => location.hash })
  useRowKeys(list)
  // A label of the plot leads here.
  useEffect(() => {
    if (/^r\d+$/.test(hash)) document.getElementById(hash)?.querySelector('a')?.focus()
  }, [hash])
  return (
    <table ref={list} aria-label="Revisions" className={styles.list}>
      <thead>
        <tr className={styles.header}>
          <th scope="col">r</th>
          <th scope="col">By</th>
          <th scope="col">When</th>
          <th scope="col">What changed</th>
          <th scope="col">Evaluations{history.measure && `, ${history.measure.name}`}</th>
        </tr>
      </thead>
      <tbody>
        {history.entries.map((entry) => (
          <Row
            key={entry.revision.revision}
            id={history.id}
            entry={entry}
            measure={history.measure}
            isChosen={hash === `r${entry.revision.revision}`}
          />
        ))}
      </tbody>
    </table>
  )
}

interface RowProps {
  id: string
  entry: Entry
  measure: Measure | undefined
  isChosen: boolean
}

function Row({ id, entry, measure, isChosen }: RowProps) {
  const { revision, changed } = entry
  const { evaluations } = revision
  const number = String(revision.revision)
  const more = evaluations.length - SHOWN_EVALUATIONS
  return (
    <tr data-row id={`r${number}`} className={styles.row} data-chosen={isChosen || undefined}>
      <td>
        <Link
          to="/variants/$variantId/revisions/$revision"
          params={{ variantId: id, revision: number }}
          className={styles.open}
        >
          r{number}
        </Link>
      </td>
      <td className={styles.by}>{revision.modified_by}</td>
      <td className={styles.when}>
        <Ago time={revision.created_at} />
      </td>
      <td>
        <ChangeWords changed={changed} />
      </td>
      <td className={styles.evaluations}>
        {evaluations.length === 0 && (
          <span className="soft">
            –<span className="unseen"> none</span>
          </span>
        )}
        {evaluations.slice(0, SHOWN_EVALUATIONS).map((evaluation) => (
          <Ran key={evaluation.id} evaluation={evaluation} entry={entry} measure={measure} />
        ))}
        {more > 0 && <span className="soft">+ {more} more</span>}
      </td>
    </tr>
  )
}

function Ran({ evaluation, entry, measure }: { evaluation: RanIt } & Pick<RowProps, 'entry' | 'measure'>) {
  const value = measure?.of(evaluation)
  const { base } = entry
  return (
    <span className={styles.ran}>
      <Link
        to="/evaluations/$evaluationId"
        params={{ evaluationId: evaluation.id }}
        title={nameOf(evaluation)}
      >
        {nameOf(evaluation)}
      </Link>
      {measure && value !== undefined && (
        <>
          <span className="number">{measure.format(value)}</span>
          {base && (
            <span className="number">
              <Delta
                value={value - base.value}
                higherIsBetter={measure.higherIsBetter}
                format={measure.formatDifference}
                base={`r${base.revision}`}
              />
            </span>
          )}
        </>
      )}
    </span>
  )
}
