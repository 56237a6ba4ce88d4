// Errors grouped by message, the most frequent first. Each group expands to its rows.
import { ChevronDown, ChevronRight } from 'lucide'
import { useState } from 'react'
import type { EvaluationState } from '../../../evaluation-state/page-state.ts'
import { formatCount, formatPercent, pluralize } from '../../../format/numbers.ts'
import { useChangeSearchParams } from '../../../state/search-params.ts'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { MessageBlock } from '../../../ui/messages/message-block.tsx'
import { SkeletonRows } from '../../../ui/messages/skeleton.tsx'
import { stateChange } from '../filters/state-filter.ts'
import styles from './error-groups.module.css'
import { type ErrorGroup, ErrorRows, groupFilter } from './error-rows.tsx'

export function ErrorGroups({ pageState }: { pageState: EvaluationState }) {
  const { summary } = pageState
  if (!summary) return <SkeletonRows rows={8} />
  const { error_groups: groups, error_group_count } = summary
  const errors = groups.reduce((sum, group) => sum + group.count, 0)
  if (groups.length === 0) {
    return (
      <MessageBlock title="No errors">
        <p>No output and no evaluator failed in these rows.</p>
      </MessageBlock>
    )
  }
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
    const [name, value] = groupFilter(group)
    // A row with an error has no other state.
    changeParams({ ...stateChange(pageState), [name]: value, group: undefined })
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
          <Icon icon={isOpen ? ChevronDown : ChevronRight} />
          <span className={styles.message}>{group.group}</span>
          <span className="muted">{evaluator === null ? 'application' : evaluator}</span>
        </button>
        <Button size="small" variant="plain" aria-label={`Filter by ${group.group}`} onClick={filter}>
          Filter
        </Button>
        <span className="number">{formatCount(group.count)}</span>
        <span className="number muted">{formatPercent(share)}</span>
        <span className={styles.share} aria-hidden="true">
          <span ref={(element) => element?.style.setProperty('width', `${share * 100}%`)} />
        </span>
      </div>
      {isOpen && <ErrorRows pageState={pageState} group={group} />}
    </li>
  )
}
