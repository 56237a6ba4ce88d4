// Table of a row's results: one line per evaluator, then latency and cost; one column per evaluation.
import { Link } from '@tanstack/react-router'
import type { Comparison } from 'assay-client'
import { PlainText } from '../../../content/content.tsx'
import { formatDollars, formatScore, formatSeconds } from '../../../format/numbers.ts'
import { outputTotal } from '../../../results/cells.ts'
import type { Outcome } from '../../../results/outcomes.ts'
import { Verdict } from '../../../results/verdict.tsx'
import { Delta } from '../../../ui/delta.tsx'
import { LongText } from '../../../ui/truncation.tsx'
import type { RowData, RowSide } from '../row-data.ts'
import { resultLines } from './result-lines.ts'
import styles from './row-panel.module.css'

interface ResultsProps {
  rowData: RowData
  comparison: Comparison
  /** The selected candidate. */
  selected: RowSide
}

export function Results({ rowData, comparison, selected }: ResultsProps) {
  const { baseline, candidates } = rowData
  const sides = [baseline, ...candidates]
  const lines = resultLines(rowData, comparison)
  return (
    <table className={styles.resultTable}>
      <caption className="sr-only">Results by evaluator</caption>
      <thead>
        <tr>
          <td />
          {sides.map((side) => (
            <SideHeader
              key={side.comparedEvaluation.id}
              side={side}
              baseline={baseline}
              isSelected={side === selected}
            />
          ))}
        </tr>
      </thead>
      <tbody>
        {lines.map(({ evaluator, higherIsBetter, cells }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an evaluator can have several results
          <tr key={index}>
            <th scope="row">
              <bdi>{evaluator}</bdi>
            </th>
            {cells.map(({ outcome, delta }, index) => (
              <td key={sides[index]?.comparedEvaluation.id}>
                {outcome && <Verdict outcome={outcome} />}
                {!outcome && sides[index]?.scenario && <span className="muted">not evaluated</span>}{' '}
                {delta !== undefined && (
                  <Delta
                    value={delta}
                    higherIsBetter={higherIsBetter}
                    format={outcome?.isVerdict ? undefined : formatScore}
                    baselineName={baseline.name}
                  />
                )}
                {outcome && <ResultDetails outcome={outcome} />}
              </td>
            ))}
          </tr>
        ))}
        {lines.length === 0 && (
          <tr>
            <td colSpan={sides.length + 1} className="muted">
              No results for this row.
            </td>
          </tr>
        )}
        <MetricRow sides={sides} kind="latency" format={formatSeconds} />
        <MetricRow sides={sides} kind="cost" format={formatDollars} />
      </tbody>
    </table>
  )
}

interface SideHeaderProps {
  side: RowSide
  baseline: RowSide
  isSelected: boolean
}

function SideHeader({ side, baseline, isSelected }: SideHeaderProps) {
  const { comparedEvaluation, name, scenario } = side
  const isBaseline = side === baseline
  return (
    <th scope="col" className={isSelected ? styles.selected : undefined}>
      {scenario ? (
        <Link
          to="/evaluations/$evaluationId"
          params={{ evaluationId: comparedEvaluation.id }}
          search={{ row: scenario.id, ...(!isBaseline && { base: baseline.comparedEvaluation.id }) }}
          title={`Open in ${name}`}
        >
          <span className="sr-only">open in </span>
          {isBaseline && <span aria-hidden="true">★ </span>}
          {name}
        </Link>
      ) : (
        <>
          <bdi>{name}</bdi> <span className="muted">no row</span>
        </>
      )}
    </th>
  )
}

/** The evaluator's reason, or the stack trace of its error. */
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
  sides: RowSide[]
  kind: 'latency' | 'cost'
  format: (value: number) => string
}

/** Sum over all outputs; lower is better. */
function MetricRow({ sides, kind, format }: MetricRowProps) {
  const totals = sides.map(({ scenario }) => scenario && outputTotal(scenario, kind))
  if (totals.every((total) => typeof total !== 'number')) return null
  const [baseline] = totals
  return (
    <tr>
      <th scope="row">{kind}</th>
      {totals.map((total, index) => (
        <td key={sides[index]?.comparedEvaluation.id}>
          {typeof total === 'number' && format(total)}{' '}
          {index > 0 && typeof total === 'number' && typeof baseline === 'number' && (
            <Delta
              value={total - baseline}
              higherIsBetter={false}
              format={format}
              baselineName={sides[0]?.name ?? ''}
            />
          )}
        </td>
      ))}
    </tr>
  )
}
