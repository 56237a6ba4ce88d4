// The footer of the table: the visible rows, the total, and the main shortcuts.
import type { ReactNode } from 'react'
import { formatCount } from '../format/numbers.ts'
import type { Range } from './row-windows.ts'
import styles from './table.module.css'

interface FooterProps {
  visibleRange: Range
  total: number
  /** Describes the rows: "filtered from 120". */
  suffix: ReactNode
  /** What the shortcut n finds: "failure". */
  matchName: string
}

export function Footer({ visibleRange, total, suffix, matchName }: FooterProps) {
  return (
    <footer className={styles.footer}>
      <span>
        rows {formatCount(visibleRange.first + 1)}–{formatCount(Math.min(total, visibleRange.last + 1))} of{' '}
        {formatCount(total)}
        {suffix}
      </span>
      <span className={styles.hints}>
        <kbd>j</kbd> <kbd>k</kbd> move · <kbd>Enter</kbd> open · <kbd>n</kbd> next {matchName} · <kbd>?</kbd>{' '}
        shortcuts
      </span>
    </footer>
  )
}
