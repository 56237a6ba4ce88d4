// All rows of the view as a table: what is asked for and what is shown meanwhile, or why there is nothing to show.
import { AssayError } from 'assay-client'
import { counted } from '../format/numbers.ts'
import { useLast } from '../grid/stable.ts'
import { Refused } from '../parts/refused.tsx'
import { Waiting } from '../parts/waiting.tsx'
import { useColumns } from './columns.ts'
import { NoMatch, NoRows } from './empty.tsx'
import styles from './grid.module.css'
import { GridTable } from './grid-table.tsx'
import { orderWords } from './ordering.ts'
import { useSettled } from './settled.ts'
import type { Shown } from './shown.ts'

interface GridProps {
  shown: Shown
  /** What stands above the table already. */
  told: unknown
}

export function Grid({ shown, told }: GridProps) {
  const { settled, isPending, error, cancel } = useSettled(shown)
  const summary = useLast(shown.summary)
  const choice = useColumns(shown, settled?.names)
  const { evaluation } = shown
  const scenarios = evaluation?.scenario_count ?? 0
  return (
    <div className={styles.grid}>
      <div className={styles.waiting}>
        {isPending && <Waiting about={counted(scenarios, 'row')} onCancel={cancel} />}
      </div>
      <Refused error={isSaid(error, told) ? null : error} />
      <p role="status" className="unseen">
        {settled && !isPending && spoken(settled.total, settled.question.order)}
      </p>
      {settled &&
        (settled.total > 0 ? (
          <GridTable shown={shown} summary={summary} settled={settled} isBusy={isPending} choice={choice} />
        ) : scenarios > 0 ? (
          <NoMatch shown={shown} question={settled.question} />
        ) : (
          <NoRows id={shown.id} />
        ))}
    </div>
  )
}

/** Rows and figures are refused for the same reason: it is told once. */
function isSaid(error: Error | null, told: unknown): boolean {
  return error instanceof AssayError && told instanceof AssayError && error.detail === told.detail
}

/** "2,310 rows, sorted by latency, highest first". */
function spoken(total: number, order: string | undefined): string {
  return [counted(total, 'row'), orderWords(order)].filter(Boolean).join(', ')
}
