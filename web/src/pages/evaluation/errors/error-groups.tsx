// Errors grouped by message, the most frequent first. Each group expands to its rows.
import { useQuery } from '@tanstack/react-query'
import type { EvaluationSummary } from 'assay-client'
import { ChevronDown, ChevronRight } from 'lucide'
import { useId, useState } from 'react'
import { assay } from '../../../api/client.ts'
import type { EvaluationState } from '../../../evaluation-state/page-state.ts'
import { formatCount, pluralize } from '../../../format/numbers.ts'
import { previewText } from '../../../format/value-text.ts'
import { rowParams } from '../../../queries/evaluations.ts'
import { type Row, resultOf } from '../../../results/cells.ts'
import type { Filter } from '../../../state/row-params.ts'
import { useChangeSearchParams } from '../../../state/search-params.ts'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Loading } from '../../../ui/messages/loading.tsx'
import { MessageBlock } from '../../../ui/messages/message-block.tsx'
import { SkeletonRows } from '../../../ui/messages/skeleton.tsx'
import table from '../../../ui/table.module.css'
import { stateChange } from '../filters/state-filter.ts'
import styles from './error-groups.module.css'

export function ErrorGroups({ pageState }: { pageState: EvaluationState }) {
  const { summary } = pageState
  if (!summary) return <SkeletonRows rows={8} />
  const { error_groups: groups, error_group_count } = summary
  if (groups.length === 0) {
    return (
      <MessageBlock title="No errors">
        <p>No output and no evaluator failed in these rows.</p>
      </MessageBlock>
    )
  }
  return (
    <section aria-label="Errors" className={styles.groups}>
      <table className={`${table.table} ${styles.table}`}>
        <thead>
          <tr>
            <th scope="col">Message</th>
            <th scope="col">Source</th>
            <th scope="col" className={table.numeric}>
              Rows
            </th>
            <td />
          </tr>
        </thead>
        <tbody>
          {groups.map((group) => (
            <Group key={`${group.evaluator ?? ''} ${group.group}`} pageState={pageState} group={group} />
          ))}
        </tbody>
      </table>
      {groups.length < error_group_count && (
        <p className={styles.footer}>
          The {formatCount(groups.length)} most frequent of {pluralize(error_group_count, 'message')}.
        </p>
      )}
    </section>
  )
}

function Group({ pageState, group }: { pageState: EvaluationState; group: ErrorGroup }) {
  const [isOpen, setIsOpen] = useState(false)
  const changeParams = useChangeSearchParams()
  const id = useId()
  function showRows() {
    const [name, value] = groupFilter(group)
    // A row with an error has no other state.
    changeParams({ ...stateChange(pageState), [name]: value, group: undefined })
  }
  return (
    <>
      <tr className={styles.group}>
        <td>
          <button
            type="button"
            className={`plain ${styles.template}`}
            aria-expanded={isOpen}
            onClick={() => setIsOpen(!isOpen)}
          >
            <Icon icon={isOpen ? ChevronDown : ChevronRight} />
            <span id={id} className={styles.message}>
              {group.group}
            </span>
          </button>
        </td>
        <td className="muted">{group.evaluator ?? 'application'}</td>
        <td className={table.numeric}>
          {formatCount(group.count)}
          <span className={styles.unit}> {group.count === 1 ? 'row' : 'rows'}</span>
        </td>
        <td>
          <Button size="small" variant="plain" aria-describedby={id} onClick={showRows}>
            Show rows
          </Button>
        </td>
      </tr>
      {isOpen && (
        <tr className={styles.expanded}>
          <td colSpan={4}>
            <ErrorRows pageState={pageState} group={group} />
          </td>
        </tr>
      )}
    </>
  )
}

type ErrorGroup = EvaluationSummary['error_groups'][number]

const MAX_ROWS = 50
/** Characters of a message: about eight lines. */
const MESSAGE_LENGTH = 600

/** The evaluator is null if the application failed. */
function groupFilter({ group, evaluator }: ErrorGroup): Filter {
  return [evaluator === null ? 'error' : `error.${evaluator}`, `eq.${group}`]
}

function ErrorRows({ pageState, group }: { pageState: EvaluationState; group: ErrorGroup }) {
  const changeParams = useChangeSearchParams()
  const [name, value] = groupFilter(group)
  const params = { ...rowParams(pageState.statisticsQuery), [name]: value }
  const { data, error } = useQuery({
    queryKey: ['evaluation', pageState.id, 'rows', 'error-group', params],
    queryFn: ({ signal }) =>
      assay.listEvaluationRows(
        pageState.id,
        { ...params, limit: MAX_ROWS, preview: MESSAGE_LENGTH },
        { signal },
      ),
  })
  if (error) return <p className="notice">{error.message}</p>
  if (!data) return <Loading />
  const { rows, total } = data
  return (
    <ul className={styles.rows}>
      {rows.map((row) => (
        <li key={row.id}>
          <button
            type="button"
            className="plain"
            aria-pressed={row.id === pageState.params.row}
            onClick={() => changeParams({ row: row.id })}
          >
            <span className="number muted">{formatCount(row.position + 1)}</span>
            <span dir="auto" className={styles.lines}>
              {messageOf(row, group.evaluator)}
            </span>
            <span dir="auto" className="muted">
              {inputsOf(row)}
            </span>
          </button>
        </li>
      ))}
      {total > rows.length && (
        <li className="muted">
          First {formatCount(rows.length)} of {formatCount(total)}. “Show rows” shows all.
        </li>
      )}
    </ul>
  )
}

function messageOf(row: Row, evaluator: string | null): string {
  const result =
    evaluator === null ? row.outputs.find(({ result }) => result.error)?.result : resultOf(row, evaluator)
  return result?.error?.message ?? ''
}

function inputsOf({ inputs }: Row): string {
  return inputs.map(({ name, value }) => `${name}: ${previewText(value)}`).join(' · ')
}
