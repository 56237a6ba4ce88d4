// The rows that have an error of one group: where each stands, what went in, and what the error said.
import { useChangeSearch } from '../change-search.ts'
import { count } from '../format/numbers.ts'
import { onLine } from '../format/values.ts'
import type { Row } from './cells.ts'
import styles from './error-groups.module.css'

interface ErrorRowsProps {
  rows: Row[]
  total: number
  /** Whose error it is; null: the application's. */
  evaluator: string | null
  /** The scenario that is open in the panel. */
  chosen: string | undefined
}

export function ErrorRows({ rows, total, evaluator, chosen }: ErrorRowsProps) {
  const change = useChangeSearch()
  return (
    <ul className={styles.rows}>
      {rows.map((row) => (
        <li key={row.id}>
          <button
            type="button"
            className="plain"
            aria-pressed={row.id === chosen}
            onClick={() => change({ row: row.id })}
          >
            <span className="number soft">{count(row.position + 1)}</span>
            <span>{messageOf(row, evaluator)}</span>
            <span className="soft">{inputsOf(row)}</span>
          </button>
        </li>
      ))}
      {total > rows.length && (
        <li className="soft">
          The first {count(rows.length)} of {count(total)}. Filter by it to see all.
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
  return inputs.map(({ name, value }) => `${name}: ${onLine(value)}`).join(' · ')
}
