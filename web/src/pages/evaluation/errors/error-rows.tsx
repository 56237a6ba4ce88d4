// The rows of one error group: row number, error message and inputs.

import { queryOptions } from '@tanstack/react-query'
import { assay } from '../../../api/client.ts'
import { formatCount } from '../../../format/numbers.ts'
import { compactText } from '../../../format/value-text.ts'
import { type RowQuery, rowParams } from '../../../queries/evaluations.ts'
import type { Row } from '../../../results/cells.ts'
import type { Filter } from '../../../state/row-params.ts'
import { useChangeSearchParams } from '../../../state/search-params.ts'

import styles from './error-groups.module.css'

interface ErrorRowsProps {
  rows: Row[]
  total: number
  /** The evaluator that failed; null for the application. */
  evaluator: string | null
  /** The row in the panel. */
  selectedId: string | undefined
}

export function ErrorRows({ rows, total, evaluator, selectedId }: ErrorRowsProps) {
  const changeParams = useChangeSearchParams()
  return (
    <ul className={styles.rows}>
      {rows.map((row) => (
        <li key={row.id}>
          <button
            type="button"
            className="plain"
            aria-pressed={row.id === selectedId}
            onClick={() => changeParams({ row: row.id })}
          >
            <span className="number muted">{formatCount(row.position + 1)}</span>
            <span>{messageOf(row, evaluator)}</span>
            <span className="muted">{inputsOf(row)}</span>
          </button>
        </li>
      ))}
      {total > rows.length && (
        <li className="muted">
          First {formatCount(rows.length)} of {formatCount(total)}. Filter by the group to see all.
        </li>
      )}
    </ul>
  )
}

function messageOf({ outputs, results }: Row, evaluator: string | null): string {
  const failed =
    evaluator === null
      ? outputs.find(({ result }) => result.error)
      : results.find(({ evaluator_config }) => evaluator_config === evaluator)
  return failed?.result.error?.message ?? ''
}

function inputsOf({ inputs }: Row): string {
  return inputs.map(({ name, value }) => `${name}: ${compactText(value)}`).join(' · ')
}

interface ErrorGroupKey {
  group: string
  /** Null for the application. */
  evaluator: string | null
}

const MAX_ROWS = 50

export function groupFilter({ group, evaluator }: ErrorGroupKey): Filter {
  return [evaluator === null ? 'error' : `error.${evaluator}`, `eq.${group}`]
}

export function errorRowsQuery(id: string, query: RowQuery, key: ErrorGroupKey) {
  const [name, value] = groupFilter(key)
  const params = { ...rowParams(query), [name]: value }
  return queryOptions({
    queryKey: ['evaluation', id, 'rows', 'error-group', params],
    queryFn: ({ signal }) => assay.listEvaluationRows(id, { ...params, limit: MAX_ROWS }, { signal }),
  })
}
