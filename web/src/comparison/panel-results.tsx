// What every evaluator said of the row, in each evaluation beside the base, with latency and cost.
import { Link } from '@tanstack/react-router'
import type { Comparison } from 'assay-client'
import { PlainText } from '../content/content.tsx'
import { figureOf } from '../evaluation/cells.ts'
import { dollars, score, seconds } from '../format/numbers.ts'
import { Delta } from '../parts/delta.tsx'
import { LongText } from '../parts/long-text.tsx'
import type { Outcome } from '../scenario/outcomes.ts'
import { Verdict } from '../scenario/verdict.tsx'
import type { OpenedRow, RowSide } from './opened-row.ts'
import styles from './panel.module.css'
import { outcomeLines } from './panel-outcomes.ts'

interface PanelResultsProps {
  opened: OpenedRow
  comparison: Comparison
  /** The candidate that is looked at. */
  chosen: RowSide
}

export function PanelResults({ opened, comparison, chosen }: PanelResultsProps) {
  const { base, candidates } = opened
  const sides = [base, ...candidates]
  const lines = outcomeLines(opened, comparison)
  return (
    <table className={styles.results}>
      <caption className="unseen">Results, evaluator by evaluator</caption>
      <thead>
        <tr>
          <td />
          {sides.map((side) => (
            <SideHead key={side.compared.id} side={side} base={base} isChosen={side === chosen} />
          ))}
        </tr>
      </thead>
      <tbody>
        {lines.map(({ evaluator, higherIsBetter, cells }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an evaluator may have said several things
          <tr key={index}>
            <th scope="row">
              <bdi>{evaluator}</bdi>
            </th>
            {cells.map(({ outcome, delta }, place) => (
              <td key={sides[place]?.compared.id}>
                {outcome && <Verdict outcome={outcome} />}
                {!outcome && sides[place]?.scenario && <span className="soft">not evaluated</span>}{' '}
                {delta !== undefined && (
                  <Delta
                    value={delta}
                    higherIsBetter={higherIsBetter}
                    format={outcome?.isVerdict ? undefined : score}
                    base={base.name}
                  />
                )}
                {outcome && <Why outcome={outcome} />}
              </td>
            ))}
          </tr>
        ))}
        <Figures sides={sides} kind="latency" format={seconds} />
        <Figures sides={sides} kind="cost" format={dollars} />
      </tbody>
    </table>
  )
}

interface SideHeadProps {
  side: RowSide
  base: RowSide
  isChosen: boolean
}

function SideHead({ side, base, isChosen }: SideHeadProps) {
  const { compared, name, scenario } = side
  const isBase = side === base
  return (
    <th scope="col" className={isChosen ? styles.chosen : undefined}>
      <bdi className={styles.name} title={name}>
        {name}
      </bdi>{' '}
      {isBase && <span className="soft">base</span>}{' '}
      {scenario ? (
        <Link
          to="/evaluations/$evaluationId"
          params={{ evaluationId: compared.id }}
          search={{ row: scenario.id, ...(!isBase && { base: base.compared.id }) }}
          title={`Open in ${name}`}
        >
          open<span className="unseen"> in {name}</span>
        </Link>
      ) : (
        <span className="soft">no row</span>
      )}
    </th>
  )
}

/** The reason that an evaluator gave, or where it failed. */
function Why({ outcome: { reason, error } }: { outcome: Outcome }) {
  return (
    <>
      {reason !== undefined && (
        <bdi className={styles.reason}>
          <LongText text={reason} shown={400} />
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

interface FiguresProps {
  sides: RowSide[]
  kind: 'latency' | 'cost'
  format: (value: number) => string
}

/** Of all outputs together; lower is better. */
function Figures({ sides, kind, format }: FiguresProps) {
  const figures = sides.map(({ scenario }) => scenario && figureOf(scenario, kind))
  if (figures.every((figure) => typeof figure !== 'number')) return null
  const [base] = figures
  return (
    <tr>
      <th scope="row" className={styles.figure}>
        {kind}
      </th>
      {figures.map((figure, place) => (
        <td key={sides[place]?.compared.id}>
          {typeof figure === 'number' && format(figure)}{' '}
          {place > 0 && typeof figure === 'number' && typeof base === 'number' && (
            <Delta value={figure - base} higherIsBetter={false} format={format} base={sides[0]?.name ?? ''} />
          )}
        </td>
      ))}
    </tr>
  )
}
