// Below the table: which rows are in sight, of how many, and the keys that help most.
import type { ReactNode } from 'react'
import { count } from '../format/numbers.ts'
import styles from './grid.module.css'
import type { Range } from './ranges.ts'

interface FooterProps {
  sight: Range
  total: number
  /** What rows they are. */
  about: ReactNode
  /** What the key n goes to. */
  sought: string
}

export function Footer({ sight, total, about, sought }: FooterProps) {
  return (
    <footer className={styles.footer}>
      <span>
        rows {count(sight.first + 1)}–{count(Math.min(total, sight.last + 1))} of {count(total)}
        {about}
      </span>
      <span className={styles.hints}>
        <kbd>j</kbd> <kbd>k</kbd> move · <kbd>Enter</kbd> open · <kbd>n</kbd> next {sought} · <kbd>?</kbd>{' '}
        keys
      </span>
    </footer>
  )
}
