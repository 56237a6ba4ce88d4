// Below the table: which rows are in sight, of how many, and the keys that help most.
import { count } from '../format/numbers.ts'
import type { Range } from '../grid/ranges.ts'
import styles from './grid.module.css'

interface GridFooterProps {
  sight: Range
  total: number
  /** How many there are without filters. */
  scenarios: number
}

export function GridFooter({ sight, total, scenarios }: GridFooterProps) {
  return (
    <footer className={styles.footer}>
      <span>
        rows {count(sight.first + 1)}–{count(Math.min(total, sight.last + 1))} of {count(total)}
        {total < scenarios && ` (filtered from ${count(scenarios)})`}
      </span>
      <span className={styles.hints}>
        <kbd>j</kbd> <kbd>k</kbd> move · <kbd>Enter</kbd> open · <kbd>n</kbd> next failure · <kbd>?</kbd> keys
      </span>
    </footer>
  )
}
