// Lines that both texts have, folded away: how many they are, and the way to some or all of them.
import { counted } from '../format/numbers.ts'
import styles from './diff.module.css'
import type { Fold, Unfolded } from './rows.ts'

/** So many are shown at a time. */
const SOME = 10

interface FoldedProps {
  fold: Fold
  columns: number
  onUnfold: (lines: Unfolded) => void
}

export function Folded({ fold, columns, onUnfold }: FoldedProps) {
  const { lines, isBehindChange, isBeforeChange } = fold
  return (
    <tr className={styles.folded}>
      <td colSpan={columns}>
        <span className={styles.foldedLine}>
          ⋯ {counted(lines, 'unchanged line')}{' '}
          {lines > SOME && isBehindChange && (
            <button type="button" className="plain" onClick={() => onUnfold({ first: SOME, last: 0 })}>
              Show {SOME} <span aria-hidden="true">↓</span>
              <span className="unseen">below the change before</span>
            </button>
          )}
          {lines > SOME && isBeforeChange && (
            <button type="button" className="plain" onClick={() => onUnfold({ first: 0, last: SOME })}>
              Show {SOME} <span aria-hidden="true">↑</span>
              <span className="unseen">above the next change</span>
            </button>
          )}
          <button type="button" className="plain" onClick={() => onUnfold({ first: lines, last: 0 })}>
            Show all
          </button>
        </span>
      </td>
    </tr>
  )
}
