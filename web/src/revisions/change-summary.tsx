// The first changes of a revision on one line, and the number of further changes.
import { formatCount } from '../format/numbers.ts'
import type { ChangeLabels } from './change-labels.ts'
import styles from './header.module.css'

const MAX_ITEMS = 3

export function ChangeSummary({ changeLabels: { labels, more } }: { changeLabels: ChangeLabels }) {
  const hiddenCount = labels.length - MAX_ITEMS + more
  return (
    <span className={styles.changes}>
      {labels.slice(0, MAX_ITEMS).map(({ path, text }) => (
        <span key={`${path} ${text}`}>
          {path !== undefined && <code>{path}</code>} <bdi>{text}</bdi>
        </span>
      ))}
      {hiddenCount > 0 && <span className="muted">+ {formatCount(hiddenCount)} more</span>}
    </span>
  )
}
