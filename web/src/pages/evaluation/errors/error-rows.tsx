// The rows of one error group: row number, error message and inputs.
import { useQuery } from '@tanstack/react-query'
import type { EvaluationSummary } from 'assay-client'
import { assay } from '../../../api/client.ts'
import type { EvaluationState } from '../../../evaluation-state/page-state.ts'
import { formatCount } from '../../../format/numbers.ts'
import { previewText } from '../../../format/value-text.ts'
import { rowParams } from '../../../queries/evaluations.ts'
import { type Row, resultOf } from '../../../results/cells.ts'
import type { Filter } from '../../../state/row-params.ts'
import { useChangeSearchParams } from '../../../state/search-params.ts'
import { Loading } from '../../../ui/messages/loading.tsx'
import styles from './error-groups.module.css'

export type ErrorGroup = EvaluationSummary['error_groups'][number]

const MAX_ROWS = 50
/** Characters of a message: about eight lines. */
const MESSAGE_LENGTH = 600

/** The evaluator is null if the application failed. */
export function groupFilter({ group, evaluator }: ErrorGroup): Filter {
  return [evaluator === null ? 'error' : `error.${evaluator}`, `eq.${group}`]
}

export function ErrorRows({ pageState, group }: { pageState: EvaluationState; group: ErrorGroup }) {
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
