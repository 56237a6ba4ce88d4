// A row for folded unchanged lines, with buttons to show some or all of them.
import { pluralize } from '../format/numbers.ts'
import styles from './diff.module.css'
import type { Fold, UnfoldedLines } from './diff-rows.ts'

/** Lines that one click unfolds. */
const UNFOLD_STEP = 10

interface FoldedLinesProps {
  fold: Fold
  columns: number
  onUnfold: (lines: UnfoldedLines) => void
}

export function FoldedLines({ fold, columns, onUnfold }: FoldedLinesProps) {
  const { lines, isAfterChange, isBeforeChange } = fold
  return (
    <tr className={styles.folded}>
      <td colSpan={columns}>
        <span className={styles.foldedLine}>
          ⋯ {pluralize(lines, 'unchanged line')}{' '}
          {lines > UNFOLD_STEP && isAfterChange && (
            <button type="button" className="plain" onClick={() => onUnfold({ first: UNFOLD_STEP, last: 0 })}>
              Show {UNFOLD_STEP} <span aria-hidden="true">↓</span>
              <span className="sr-only">below the previous change</span>
            </button>
          )}
          {lines > UNFOLD_STEP && isBeforeChange && (
            <button type="button" className="plain" onClick={() => onUnfold({ first: 0, last: UNFOLD_STEP })}>
              Show {UNFOLD_STEP} <span aria-hidden="true">↑</span>
              <span className="sr-only">above the next change</span>
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
