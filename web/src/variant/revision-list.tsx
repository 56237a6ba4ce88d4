// The revisions of a variant, newest first: what each changed, and how the evaluations that ran it did.
import { Link, useLocation } from '@tanstack/react-router'
import { memo, useEffect, useRef, useState } from 'react'
import { count, counted } from '../format/numbers.ts'
import { Ago } from '../parts/ago.tsx'
import { useCut } from '../parts/cut.ts'
import { Delta } from '../parts/delta.tsx'
import { EvaluationLink } from '../parts/evaluation-link.tsx'
import { useRowKeys } from '../parts/row-keys.ts'
import { ChangeWords } from './change-words.tsx'
import type { Entry, History } from './history.ts'
import type { Measure } from './measures.ts'
import type { RanIt, Revision } from './questions.ts'
import styles from './revision-list.module.css'
import type { Selection } from './selection.ts'
import { nameOf } from './words.ts'

const SHOWN_EVALUATIONS = 3

/** So many are shown at once and the others while nothing else is to do, so that a long history is there quickly. */
const BATCH = 60
const MOST = 1000

export function RevisionList({ history, selection }: { history: History; selection: Selection }) {
  const { entries, measure } = history
  const list = useRef<HTMLTableElement>(null)
  const hash = useLocation({ select: (location) => location.hash })
  const { items, left, showAll } = useCut(entries, MOST)
  const ready = useBatches(items.length)
  const isThere = items.slice(0, ready).some(({ revision }) => hash === rowId(revision))
  useRowKeys(list)
  // A label of the plot leads here. The browser goes there first, and takes the focus away.
  useEffect(() => {
    if (!isThere) return
    const frame = requestAnimationFrame(() => document.getElementById(hash)?.querySelector('a')?.focus())
    return () => cancelAnimationFrame(frame)
  }, [hash, isThere])
  return (
    <>
      <table ref={list} aria-label="Revisions" className={styles.list}>
        <thead>
          <tr className={styles.header}>
            <th scope="col">
              <span className="unseen">Selected</span>
            </th>
            <th scope="col">r</th>
            <th scope="col">By</th>
            <th scope="col">When</th>
            <th scope="col">What changed</th>
            <th scope="col">Evaluations{measure && `, ${measure.name}`}</th>
          </tr>
        </thead>
        <tbody>
          {items.slice(0, ready).map(({ revision, changed, base }) => (
            <Row
              key={revision.revision}
              id={history.id}
              revision={revision}
              changed={changed}
              base={base}
              measure={measure}
              isChosen={hash === rowId(revision)}
              isSelected={selection.numbers.includes(revision.revision)}
              onToggle={selection.toggle}
            />
          ))}
        </tbody>
      </table>
      {left > 0 && (
        <p className={styles.more}>
          <button type="button" onClick={showAll}>
            Show {counted(left, 'more revision')}
          </button>
        </p>
      )}
    </>
  )
}

/** How many of so many rows are to be there by now. */
function useBatches(total: number): number {
  const [ready, setReady] = useState(BATCH)
  useEffect(() => {
    if (ready >= total) return
    const timer = setTimeout(() => setReady(ready + BATCH), 0)
    return () => clearTimeout(timer)
  }, [ready, total])
  return ready
}

function rowId({ revision }: Revision): string {
  return `r${revision}`
}

interface RowProps extends Entry {
  id: string
  measure: Measure | undefined
  isChosen: boolean
  isSelected: boolean
  onToggle: (number: number) => void
}

const Row = memo(function Row(props: RowProps) {
  const { id, revision, changed, base, measure, isChosen, isSelected, onToggle } = props
  const { evaluations } = revision
  const more = evaluations.length - SHOWN_EVALUATIONS
  return (
    <tr
      data-row={revision.revision}
      id={rowId(revision)}
      className={styles.row}
      data-chosen={isChosen || isSelected || undefined}
    >
      <td>
        <input
          type="checkbox"
          aria-label={`Select r${revision.revision}`}
          title="Select (x)"
          checked={isSelected}
          onChange={() => onToggle(revision.revision)}
        />
      </td>
      <td>
        <Link
          to="/variants/$variantId/revisions/$revision"
          params={{ variantId: id, revision: String(revision.revision) }}
          className={styles.open}
        >
          r{revision.revision}
        </Link>
      </td>
      <td>
        <span className={styles.by} title={revision.modified_by}>
          {revision.modified_by}
        </span>
      </td>
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
          <Ran key={evaluation.id} evaluation={evaluation} base={base} measure={measure} />
        ))}
        {more > 0 && <span className="soft">+ {count(more)} more</span>}
      </td>
    </tr>
  )
})

function Ran({ evaluation, base, measure }: { evaluation: RanIt } & Pick<RowProps, 'base' | 'measure'>) {
  const value = measure?.of(evaluation)
  return (
    <span className={styles.ran}>
      <EvaluationLink id={evaluation.id} name={nameOf(evaluation)} />
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
