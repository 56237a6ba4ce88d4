// The rows of one kind, for example those on which the judge and people differ: both verdicts with their reasons, side by side.
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import type { Agreement, Evaluation, EvaluationRows, EvaluationSummary } from 'assay-client'
import { useRef } from 'react'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { formatCount, formatScore } from '../../format/numbers.ts'
import { judgeResult, resultOf, ruleOf } from '../../results/cells.ts'
import { RESULT_STATES } from '../../results/result-states.ts'
import { StateIcon } from '../../results/state-icon.tsx'
import type { FilterSearch } from '../../state/row-params.ts'
import { useChangeSearchParams } from '../../state/search-params.ts'
import { useShortcuts } from '../../state/shortcuts.ts'
import { Chip } from '../../ui/chip.tsx'
import { SkeletonRows } from '../../ui/messages/skeleton.tsx'
import table from '../../ui/table.module.css'
import type { JudgeNames } from './names.ts'
import styles from './page.module.css'
import { judgedRowsQuery, kindFilters } from './queries.ts'
import type { RowKind } from './search-params.ts'

interface JudgedRowsProps {
  evaluation: Evaluation
  summary: EvaluationSummary
  agreement: Agreement
  names: JudgeNames
}

export function JudgedRows(props: JudgedRowsProps) {
  const { evaluation, agreement, names } = props
  const { kind = 'disagree' } = useSearch({ from: '/evaluations/$evaluationId/agreement' })
  const { data, error } = useQuery(
    judgedRowsQuery(evaluation.id, names, kind, agreement.evaluator.higher_is_better),
  )
  return (
    <section aria-label="Rows">
      <Chips {...props} kind={kind} />
      <ErrorNotice error={error} />
      {data ? <RowTable {...props} data={data} kind={kind} /> : !error && <SkeletonRows rows={6} />}
    </section>
  )
}

const CHIPS: [kind: RowKind, label: string][] = [
  ['disagree', 'Disagree'],
  ['false-pass', 'False pass'],
  ['false-fail', 'False fail'],
  ['both-pass', 'Both pass'],
  ['both-fail', 'Both fail'],
  ['no-verdict', 'No verdict yet'],
]

function Chips({ summary, agreement, names, kind: shown }: JudgedRowsProps & { kind: RowKind }) {
  const changeParams = useChangeSearchParams<'/evaluations/$evaluationId/agreement'>()
  const { both_pass = 0, both_fail = 0, only_evaluator = 0, only_with = 0 } = agreement.verdicts ?? {}
  const counts: Record<RowKind, number | undefined> = {
    disagree: only_evaluator + only_with,
    'false-pass': only_evaluator,
    'false-fail': only_with,
    'both-pass': both_pass,
    'both-fail': both_fail,
    'no-verdict': withoutResult(summary, names.with),
  }
  return (
    <div className={styles.chips}>
      {CHIPS.map(([kind, label]) => (
        <Chip
          key={kind}
          count={counts[kind]}
          isPressed={shown === kind}
          onClick={() => changeParams({ kind: kind === 'disagree' ? undefined : kind })}
        >
          {label}
        </Chip>
      ))}
    </div>
  )
}

/** As many as the filter `is.null` matches: rows with a failed output count too. */
function withoutResult({ matched, evaluators }: EvaluationSummary, evaluator: string): number | undefined {
  const counts = evaluators.find(({ name }) => name === evaluator)
  return counts && matched - counts.n - counts.texts - counts.errors
}

type Row = EvaluationRows['rows'][number]

interface RowTableProps extends JudgedRowsProps {
  data: EvaluationRows
  kind: RowKind
}

function RowTable({ evaluation, agreement, names, data, kind }: RowTableProps) {
  const body = useRef<HTMLTableSectionElement>(null)
  const move = (step: 1 | -1) => moveFocus(body.current, step)
  useShortcuts('page', {
    'j, ArrowDown': { label: 'Next row', run: () => move(1) },
    'k, ArrowUp': { label: 'Previous row', run: () => move(-1) },
  })
  const { rows, total } = data
  const filters = Object.fromEntries(kindFilters(names, kind)) as FilterSearch
  if (rows.length === 0) return <p className={styles.none}>No rows.</p>
  const hasScore = rows.some((row) => typeof resultOf(row, names.evaluator)?.value === 'number')
  return (
    <>
      <div className={styles.scroller}>
        <table className={`${table.table} ${styles.rows}`}>
          <thead>
            <tr>
              <th scope="col">Row</th>
              <th scope="col">{names.evaluator}</th>
              {hasScore && (
                <th scope="col" className={table.numeric}>
                  Score
                </th>
              )}
              <th scope="col">Reason of {names.evaluator}</th>
              <th scope="col">{names.with}</th>
              <th scope="col">Reason of {names.with}</th>
              <th scope="col">By</th>
            </tr>
          </thead>
          <tbody ref={body}>
            {rows.map((row) => {
              const judged = resultOf(row, names.evaluator)
              return (
                <tr key={row.id}>
                  <th scope="row">
                    <Link
                      to="/evaluations/$evaluationId"
                      params={{ evaluationId: evaluation.id }}
                      search={{ ...filters, row: row.id }}
                    >
                      <code>{row.id}</code>
                    </Link>
                  </th>
                  <VerdictCell row={row} evaluator={agreement.evaluator} />
                  {hasScore && (
                    <td className={table.numeric}>
                      {typeof judged?.value === 'number' && formatScore(judged.value)}
                    </td>
                  )}
                  <TextCell text={detailOf(row, names.evaluator, 'reason')} />
                  <VerdictCell row={row} evaluator={agreement.with} />
                  <TextCell text={detailOf(row, names.with, 'reason')} />
                  <td className="muted">
                    <bdi>{detailOf(row, names.with, 'by')}</bdi>
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
      {total > rows.length && (
        <p className={styles.none}>
          The first {formatCount(rows.length)} of {formatCount(total)} rows.{' '}
          <Link to="/evaluations/$evaluationId" params={{ evaluationId: evaluation.id }} search={filters}>
            Show all
          </Link>
        </p>
      )}
    </>
  )
}

function VerdictCell({ row, evaluator }: { row: Row; evaluator: Agreement['evaluator'] }) {
  const { state } = judgeResult(resultOf(row, evaluator.name), ruleOf(evaluator))
  const { name, color } = RESULT_STATES[state]
  return (
    <td>
      <StateIcon state={state} /> <span className={color}>{name.toLowerCase()}</span>
    </td>
  )
}

function TextCell({ text }: { text: string | null }) {
  return (
    <td data-tooltip={text ?? undefined}>
      <bdi>{text}</bdi>
    </td>
  )
}

function detailOf({ results, reasons = [] }: Row, evaluator: string, name: 'reason' | 'by'): string | null {
  const index = results.findIndex(({ evaluator_config }) => evaluator_config === evaluator)
  return reasons[index]?.[name] ?? null
}

function moveFocus(body: HTMLElement | null, step: 1 | -1): void {
  const links = [...(body?.querySelectorAll<HTMLElement>('th a') ?? [])]
  const index = links.findIndex((link) => link.matches(':focus'))
  const next = links[index === -1 ? 0 : index + step]
  next?.focus()
}
