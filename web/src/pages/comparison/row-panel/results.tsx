// Results of the open row: one table row per evaluator, then latency and cost; one column per evaluation. In a narrow place,
// such as beside the outputs, each table row is a block with a line per evaluation.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Comparison } from 'assay-client'
import { useMemo } from 'react'
import { PlainText } from '../../../content/plain-text.tsx'
import { formatDollars, formatSeconds } from '../../../format/numbers.ts'
import { outputTotal } from '../../../results/cells.ts'
import { formatFixed, useEvaluatorDisplays } from '../../../results/evaluator-display.ts'
import type { Outcome } from '../../../results/outcomes.ts'
import { Verdict } from '../../../results/verdict.tsx'
import { Badge } from '../../../ui/chip.tsx'
import { Delta } from '../../../ui/delta.tsx'
import { LongText } from '../../../ui/truncation.tsx'
import { comparisonRows, type RowQuery } from '../queries.ts'
import type { EvaluationRow, RowData } from '../row-data.ts'
import { resultRowsOf } from './result-rows.ts'
import styles from './row-panel.module.css'

interface RowResultsProps extends Pick<RowData, 'baseline' | 'candidates'> {
  /** The query of the table, whose decimals the scores have. */
  query: RowQuery
  comparison: Comparison
}

const NO_EVALUATORS: never[] = []

export function RowResults({ query, baseline, candidates, comparison }: RowResultsProps) {
  const evaluationRows = [baseline, ...candidates]
  const { data: table } = useQuery({ ...comparisonRows(query).windowQuery(0), enabled: false })
  const tableRows = useMemo(() => table?.rows.flatMap(({ candidates }) => candidates[0]?.row ?? []), [table])
  const displays = useEvaluatorDisplays(
    comparison.candidates[0]?.evaluators ?? NO_EVALUATORS,
    tableRows?.length ? tableRows : evaluationRows.flatMap(({ scenario }) => scenario ?? []),
  )
  const resultRows = resultRowsOf({ baseline, candidates }, comparison, displays)
  return (
    <section className={styles.results} aria-label="Results">
      <table className={styles.resultTable}>
        <thead>
          <tr>
            <th scope="col">Results</th>
            {evaluationRows.map((evaluationRow) => (
              <EvaluationHeader
                key={evaluationRow.comparedEvaluation.id}
                evaluationRow={evaluationRow}
                baseline={baseline}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {resultRows.map(({ evaluator, higherIsBetter, cells }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: an evaluator can have several results
            <tr key={index}>
              <th scope="row">
                <bdi>{evaluator}</bdi>
              </th>
              {cells.map(({ outcome, delta }, index) => (
                <td
                  key={evaluationRows[index]?.comparedEvaluation.id}
                  data-evaluation={evaluationRows[index]?.shortName}
                >
                  {outcome && <Verdict outcome={outcome} />}
                  {!outcome && evaluationRows[index]?.scenario && <span className="muted">not scored</span>}{' '}
                  {delta !== undefined && (
                    <Delta
                      difference={delta}
                      higherIsBetter={higherIsBetter}
                      format={
                        outcome && !outcome.isVerdict
                          ? (amount) => formatFixed(amount, outcome.display)
                          : undefined
                      }
                      baselineName={baseline.name}
                    />
                  )}
                  {outcome && <ResultDetails outcome={outcome} />}
                </td>
              ))}
            </tr>
          ))}
          {resultRows.length === 0 && (
            <tr>
              <td colSpan={evaluationRows.length + 1} className="muted">
                No results for this row.
              </td>
            </tr>
          )}
          <MetricRow evaluationRows={evaluationRows} kind="latency" format={formatSeconds} />
          <MetricRow evaluationRows={evaluationRows} kind="cost" format={formatDollars} />
        </tbody>
      </table>
    </section>
  )
}

interface EvaluationHeaderProps {
  evaluationRow: EvaluationRow
  baseline: EvaluationRow
}

function EvaluationHeader({ evaluationRow, baseline }: EvaluationHeaderProps) {
  const { comparedEvaluation, name, shortName, scenario } = evaluationRow
  const isBaseline = evaluationRow === baseline
  return (
    <th scope="col">
      {scenario ? (
        <Link
          to="/evaluations/$evaluationId"
          params={{ evaluationId: comparedEvaluation.id }}
          search={{ row: scenario.id, ...(!isBaseline && { base: baseline.comparedEvaluation.id }) }}
          data-tooltip={`Open this row in ${name}`}
        >
          <span className="sr-only">open in </span>
          {shortName}
        </Link>
      ) : (
        <>
          <bdi>{shortName}</bdi> <span className="muted">not in this evaluation</span>
        </>
      )}{' '}
      {isBaseline && <Badge>baseline</Badge>}
    </th>
  )
}

/** The evaluator's reason and the stack trace of its error, if any. */
function ResultDetails({ outcome: { reason, error } }: { outcome: Outcome }) {
  return (
    <>
      {reason !== undefined && (
        <bdi className={styles.reason}>
          <LongText text={reason} maxLength={400} />
        </bdi>
      )}
      {error?.stacktrace && (
        <details>
          <summary>Stack trace</summary>
          <PlainText text={error.stacktrace} isWrapped />
        </details>
      )}
    </>
  )
}

interface MetricRowProps {
  evaluationRows: EvaluationRow[]
  kind: 'latency' | 'cost'
  format: (value: number) => string
}

/** The sum over all outputs. Lower is better. */
function MetricRow({ evaluationRows, kind, format }: MetricRowProps) {
  const totals = evaluationRows.map(({ scenario }) => outputTotal(scenario, kind))
  if (totals.every((total) => total === undefined)) return null
  const [baselineTotal] = totals
  return (
    <tr>
      <th scope="row">{kind}</th>
      {totals.map((total, index) => (
        <td
          key={evaluationRows[index]?.comparedEvaluation.id}
          data-evaluation={evaluationRows[index]?.shortName}
        >
          {total !== undefined && format(total)}{' '}
          {index > 0 && total !== undefined && baselineTotal !== undefined && (
            <Delta
              difference={total - baselineTotal}
              higherIsBetter={false}
              format={format}
              baselineName={evaluationRows[0]?.name ?? ''}
            />
          )}
        </td>
      ))}
    </tr>
  )
}
