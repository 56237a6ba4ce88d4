// What the cells of the heat map mean.
import { useQuery } from '@tanstack/react-query'
import { heatRows } from '../queries.ts'
import type { RankingQuery } from '../search-params.ts'
import { type CellState, heatCellProps, stateName } from './heat-cell.ts'
import styles from './heat-map.module.css'

const CONTEXT = { format: String, range: [0, 1], hasNumbers: false } as const

interface LegendProps {
  query: RankingQuery
  isVerdict: boolean
}

export function Legend({ query, isVerdict }: LegendProps) {
  // The first rows of the table. Their states tell whether numbers have a threshold.
  const { data } = useQuery(heatRows(query).windowQuery(0))
  const found = new Set(data?.rows.flatMap(({ cells }) => cells.map(({ state }) => state)))
  const isJudged = isVerdict || found.has('pass') || found.has('fail')
  const states: CellState[] = [
    ...(isJudged ? (['pass', 'fail'] as const) : []),
    ...(['mixed', 'not-evaluated'] as const).filter((state) => found.has(state)),
    'error',
    'missing',
  ]
  return (
    <ul className={styles.legend} aria-label="Legend">
      {states.map((state) => (
        <li key={state}>
          <span className={heatCellProps({ scenario: null, state, score: null }, CONTEXT).className} />
          {stateName(state)}
        </li>
      ))}
      {!isJudged && <li>the darker, the higher the score</li>}
    </ul>
  )
}
