// A row for folded unchanged lines, with buttons to show some or all of them.
import { ArrowDown, ArrowUp } from 'lucide'
import { pluralize } from '../format/numbers.ts'
import { Button } from '../ui/button.tsx'
import type { IconType } from '../ui/icon.tsx'
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
  const step = (unfolded: UnfoldedLines, icon: IconType, place: string) =>
    lines > UNFOLD_STEP && (
      <Button variant="plain" size="small" icon={icon} onClick={() => onUnfold(unfolded)}>
        Show {UNFOLD_STEP}
        <span className="sr-only"> {place}</span>
      </Button>
    )
  return (
    <tr className={styles.folded}>
      <td colSpan={columns}>
        <span className={styles.foldedLine}>
          {pluralize(lines, 'unchanged line')}{' '}
          {isAfterChange && step({ first: UNFOLD_STEP, last: 0 }, ArrowDown, 'below the previous change')}
          {isBeforeChange && step({ first: 0, last: UNFOLD_STEP }, ArrowUp, 'above the next change')}
          <Button variant="plain" size="small" onClick={() => onUnfold({ first: lines, last: 0 })}>
            Show all
          </Button>
        </span>
      </td>
    </tr>
  )
}
