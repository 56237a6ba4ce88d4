// What the cells of the heat map mean.
import { type CellState, HeatCell, stateName } from './heat-cell.tsx'
import styles from './heat-map.module.css'

const CONTEXT = { format: String, range: [0, 1] } as const

export function Legend({ isVerdict }: { isVerdict: boolean }) {
  const states: CellState[] = [...(isVerdict ? (['pass', 'fail'] as const) : []), 'error', 'missing']
  return (
    <ul className={styles.legend} aria-label="Legend">
      {states.map((state) => (
        <li key={state}>
          <span aria-hidden="true">
            <HeatCell cell={{ scenario: null, state, score: null }} context={CONTEXT} />
          </span>
          {stateName(state)}
        </li>
      ))}
      {!isVerdict && <li>the darker, the higher the score</li>}
    </ul>
  )
}
