// Errors grouped by message, the most frequent first. Each group expands to its rows.
import { useQuery } from '@tanstack/react-query'
import type { EvaluationSummary } from 'assay-client'
import { useState } from 'react'
import type { EvaluationState } from '../../../evaluation-state/page-state.ts'
import { formatCount, formatPercent, pluralize } from '../../../format/numbers.ts'
import { useChangeSearchParams } from '../../../state/search-params.ts'
import { Loading } from '../../../ui/loading.tsx'
import { stateChange } from '../filters/state-filter.ts'
import styles from './error-groups.module.css'
import { ErrorRows, errorRowsQuery, groupFilter } from './error-rows.tsx'

type ErrorGroup = EvaluationSummary['error_groups'][number]

export function ErrorGroups({ pageState }: { pageState: EvaluationState }) {
  const { summary } = pageState
  if (!summary) return <Loading />
  const { error_groups: groups, error_group_count } = summary
  const errors = groups.reduce((sum, group) => sum + group.count, 0)
  if (groups.length === 0) return <p className={styles.empty}>No errors in these rows.</p>
  const isComplete = groups.length === error_group_count
  return (
    <section aria-label="Errors" className={styles.groups}>
      <ul>
        {groups.map((group) => (
          <Group
            key={`${group.evaluator ?? ''} ${group.group}`}
            pageState={pageState}
            group={group}
            share={group.count / errors}
          />
        ))}
      </ul>
      <p className={styles.footer}>
        {isComplete
          ? `${pluralize(groups.length, 'group')}, ${pluralize(errors, 'error')} (all shown)`
          : `${formatCount(groups.length)} of ${pluralize(error_group_count, 'group')}, ${pluralize(errors, 'error')}`}
      </p>
    </section>
  )
}

function Group({
  pageState,
  group,
  share,
}: {
  pageState: EvaluationState
  group: ErrorGroup
  share: number
}) {
  const [isOpen, setIsOpen] = useState(false)
  const changeParams = useChangeSearchParams()
  const { evaluator } = group
  function filter() {
    const { query, activeEvaluator } = pageState
    const [name, value] = groupFilter(group)
    // A row with an error has no other state.
    const withoutState = stateChange({
      filters: query.filters,
      from: activeEvaluator,
      to: activeEvaluator,
      state: undefined,
    })
    changeParams({ ...withoutState, [name]: value, group: undefined })
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
          <span className="muted">{evaluator === null ? 'application' : evaluator}</span>
        </button>
        <button type="button" aria-label={`Filter by ${group.group}`} onClick={filter}>
          Filter
        </button>
        <span className="number">{formatCount(group.count)}</span>
        <span className="number muted">{formatPercent(share)}</span>
        <span className={styles.share} aria-hidden="true">
          <span ref={(element) => element?.style.setProperty('width', `${share * 100}%`)} />
        </span>
      </div>
      {isOpen && <Rows pageState={pageState} group={group} />}
    </li>
  )
}

function Rows({ pageState, group }: { pageState: EvaluationState; group: ErrorGroup }) {
  const { data, error } = useQuery(errorRowsQuery(pageState.id, pageState.statisticsQuery, group))
  if (error) return <p className="notice">{error.message}</p>
  if (!data) return <Loading />
  return (
    <ErrorRows
      rows={data.rows}
      total={data.total}
      evaluator={group.evaluator}
      selectedId={pageState.params.row}
    />
  )
}
