// The ranked evaluations: ranks as ranges, scores with intervals, changes to the best one, cost and latency.
import type { Leaderboard } from 'assay-client'
import { useRef } from 'react'
import { formatPercent } from '../../../format/numbers.ts'
import { useListShortcuts } from '../../../navigation/list-shortcuts.ts'
import { columnDecimals, formatMeasure } from '../../../results/measures.ts'
import { useShortcuts } from '../../../state/shortcuts.ts'
import tableStyles from '../../../ui/table.module.css'
import { scoreFormat, scoreUnit } from '../scores.ts'
import type { Selection } from '../selection.ts'
import { intervalScale } from './interval-bar.tsx'
import styles from './ranking.module.css'
import { RankingRow } from './ranking-row.tsx'

interface RankingTableProps {
  leaderboard: Leaderboard
  selection: Selection
}

export function RankingTable({ leaderboard, selection }: RankingTableProps) {
  const { evaluations, on, confidence } = leaderboard
  const table = useRef<HTMLTableElement>(null)
  useListShortcuts(table)
  useShortcuts('page', {
    x: {
      label: 'Select or deselect the evaluation',
      run: () => {
        const row = document.activeElement?.closest<HTMLElement>('[data-row]')
        if (row?.dataset.row) selection.toggle(row.dataset.row)
      },
    },
  })
  const unit = scoreUnit(leaderboard)
  const scale = intervalScale(leaderboard)
  const costs = evaluations.flatMap(({ cost }) => cost.mean ?? [])
  const latencies = evaluations.flatMap(({ latency }) => latency.p50 ?? [])
  const formats = {
    score: scoreFormat(leaderboard).format,
    cost: (value: number) => formatMeasure('dollars', value, columnDecimals('dollars', costs)),
    latency: (value: number) => formatMeasure('seconds', value, columnDecimals('seconds', latencies)),
  }
  const confidenceText = `${formatPercent(confidence)} confidence for each change, so that all pairs together have at least 95 %`
  return (
    <section aria-label="Ranking" className={`${tableStyles.card} ${styles.ranking}`}>
      <table ref={table} className={tableStyles.table}>
        <thead>
          <tr>
            <th scope="col" className={styles.select}>
              <span className="sr-only">Selected</span>
            </th>
            <th scope="col" data-tooltip="The range of ranks that the data allow">
              Rank
            </th>
            <th scope="col" className={styles.name}>
              Evaluation
            </th>
            <th scope="col" className={tableStyles.numeric} data-tooltip={on}>
              Score {unit === 'percent' && <span className={tableStyles.unit}>%</span>}
            </th>
            <th scope="col" className={styles.chart} aria-label="95 % confidence interval">
              <span aria-hidden="true" className={styles.axis}>
                {scale.ticks.map(({ y, label }) => (
                  <span key={label} style={{ left: `${y}%` }}>
                    {label}
                  </span>
                ))}
              </span>
            </th>
            <th scope="col" className={tableStyles.numeric} data-tooltip="Paired by row">
              vs best
            </th>
            <th scope="col" className={styles.outcome}>
              <span className="sr-only">Outcome</span>
            </th>
            <th scope="col" className={styles.interval} data-tooltip={confidenceText}>
              Interval
            </th>
            {costs.length > 0 && (
              <th
                scope="col"
                className={`${tableStyles.numeric} ${styles.cost}`}
                data-tooltip="Mean cost of a row"
              >
                Cost <span className={tableStyles.unit}>$</span>
              </th>
            )}
            {latencies.length > 0 && (
              <th
                scope="col"
                className={`${tableStyles.numeric} ${styles.latency}`}
                data-tooltip="Median latency of a row"
              >
                p50 <span className={tableStyles.unit}>s</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {evaluations.map((evaluation) => (
            <RankingRow
              key={evaluation.id}
              leaderboard={leaderboard}
              evaluation={evaluation}
              formats={formats}
              scale={scale}
              hasCost={costs.length > 0}
              hasLatency={latencies.length > 0}
              isSelected={selection.ids.includes(evaluation.id)}
              onToggle={() => selection.toggle(evaluation.id)}
            />
          ))}
        </tbody>
      </table>
    </section>
  )
}
