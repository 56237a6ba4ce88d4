// All rows of the view as a table: what is asked for and what is shown meanwhile, or why there is nothing to show.
import { useQueryClient } from '@tanstack/react-query'
import { AssayError } from 'assay-client'
import { useEffect, useMemo } from 'react'
import { NoMatch } from '../filters/no-match.tsx'
import { counted } from '../format/numbers.ts'
import styles from '../grid/grid.module.css'
import { useSettled } from '../grid/settled.ts'
import { useLast } from '../grid/stable.ts'
import { Refused } from '../parts/refused.tsx'
import { Waiting } from '../parts/waiting.tsx'
import { namesIn, useColumns } from './columns.ts'
import { NoRows } from './empty.tsx'
import { GridTable } from './grid-table.tsx'
import { orderWords } from './ordering.ts'
import { totalQuestion, windowQuestion } from './questions.ts'
import type { Shown } from './shown.ts'

interface GridProps {
  shown: Shown
  /** What stands above the table already. */
  told: unknown
}

export function Grid({ shown, told }: GridProps) {
  const { id, question, evaluation } = shown
  const isUnfilled = evaluation?.scenario_count === 0
  const { settled, isPending, error, cancel } = useSettled({
    question,
    ask: (asked, index) => windowQuestion(id, asked, index),
    // Which evaluation it is compared with is known from the evaluation.
    isReady: evaluation !== undefined,
    isUnfilled,
  })
  // An evaluation without any row goes on by itself when the first ones arrive.
  const queries = useQueryClient()
  const hasBegun = isUnfilled && settled !== undefined && settled.first.total > 0
  useEffect(() => {
    if (hasBegun) void queries.invalidateQueries({ queryKey: ['evaluation', id] })
  }, [queries, id, hasBegun])
  const summary = useLast(shown.summary)
  const firstRows = settled?.first.rows
  const names = useMemo(() => firstRows && namesIn(firstRows), [firstRows])
  const choice = useColumns(shown, names)
  const scenarios = evaluation?.scenario_count ?? 0
  return (
    <div className={styles.grid}>
      <div className={styles.waiting}>
        {isPending && <Waiting about={counted(scenarios, 'row')} onCancel={cancel} />}
      </div>
      <Refused error={isSaid(error, told) ? null : error} />
      <p role="status" className="unseen">
        {settled && !isPending && spoken(settled.first.total, settled.question.order)}
      </p>
      {settled &&
        (settled.first.total > 0 ? (
          <GridTable shown={shown} summary={summary} settled={settled} isBusy={isPending} choice={choice} />
        ) : scenarios > 0 ? (
          <div className={styles.empty}>
            <NoMatch
              filters={settled.question.filters}
              ask={(filters) => totalQuestion(id, { filters, base: settled.question.base })}
            />
          </div>
        ) : (
          <NoRows id={id} />
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
