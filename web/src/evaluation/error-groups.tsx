// Errors by what they say, the most frequent first; each opens to the rows that have it.
import { useQuery } from '@tanstack/react-query'
import type { EvaluationSummary } from 'assay-client'
import { useState } from 'react'
import { useChangeSearch } from '../change-search.ts'
import { count, counted, percent } from '../format/numbers.ts'
import { Waiting } from '../parts/waiting.tsx'
import { stateChange } from './chosen-state.ts'
import styles from './error-groups.module.css'
import { ErrorRows } from './error-rows.tsx'
import { errorRowsQuestion, groupFilter } from './error-rows-question.ts'
import type { Shown } from './shown.ts'

type ErrorGroup = EvaluationSummary['error_groups'][number]

export function ErrorGroups({ shown }: { shown: Shown }) {
  const { summary } = shown
  if (!summary) return <Waiting />
  const { error_groups: groups, error_group_count } = summary
  const errors = groups.reduce((sum, group) => sum + group.count, 0)
  if (groups.length === 0) return <p className={styles.none}>None of these rows has an error.</p>
  const isWhole = groups.length === error_group_count
  return (
    <section aria-label="Errors" className={styles.groups}>
      <ul>
        {groups.map((group) => (
          <Group
            key={`${group.evaluator ?? ''} ${group.group}`}
            shown={shown}
            group={group}
            share={group.count / errors}
          />
        ))}
      </ul>
      <p className={styles.foot}>
        {isWhole
          ? `${counted(groups.length, 'group')}, ${counted(errors, 'error')} (all shown)`
          : `${count(groups.length)} of ${counted(error_group_count, 'group')}, ${counted(errors, 'error')} in them`}
      </p>
    </section>
  )
}

function Group({ shown, group, share }: { shown: Shown; group: ErrorGroup; share: number }) {
  const [isOpen, setIsOpen] = useState(false)
  const change = useChangeSearch()
  const { evaluator } = group
  function filter() {
    const { question, on } = shown
    const [name, value] = groupFilter(group)
    // A row that failed has no other state.
    const stateless = stateChange({ filters: question.filters, from: on, to: on, state: undefined })
    change({ ...stateless, [name]: value, group: undefined })
  }
  return (
    <li>
      <div className={styles.group}>
        <button
          type="button"
          className={`plain ${styles.template}`}
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        >
          <span aria-hidden="true">{isOpen ? '▾' : '▸'}</span>
          <span className={styles.message}>{group.group}</span>
          <span className="soft">{evaluator === null ? 'application' : evaluator}</span>
        </button>
        <button type="button" aria-label={`Filter by it: ${group.group}`} onClick={filter}>
          Filter by it
        </button>
        <span className="number">{count(group.count)}</span>
        <span className="number soft">{percent(share)}</span>
        <span className={styles.share} aria-hidden="true">
          <span ref={(element) => element?.style.setProperty('width', `${share * 100}%`)} />
        </span>
      </div>
      {isOpen && <Rows shown={shown} group={group} />}
    </li>
  )
}

function Rows({ shown, group }: { shown: Shown; group: ErrorGroup }) {
  const { data, error } = useQuery(errorRowsQuestion(shown.id, shown.figures, group))
  if (error) return <p className="notice">{error.message}</p>
  if (!data) return <Waiting />
  return <ErrorRows rows={data.rows} total={data.total} evaluator={group.evaluator} chosen={shown.view.row} />
}
