// The first changes of a revision on one line, and the number of further changes.
import { ArrowRight } from 'lucide'
import { formatCount } from '../format/numbers.ts'
import { Icon } from '../ui/icon.tsx'
import type { ChangeLabels } from './change-labels.ts'
import styles from './change-summary.module.css'

const MAX_ITEMS = 3

export function ChangeSummary({ changeLabels: { labels, more } }: { changeLabels: ChangeLabels }) {
  const hiddenCount = labels.length - MAX_ITEMS + more
  return (
    <span className={styles.changes}>
      {labels.slice(0, MAX_ITEMS).map(({ path, text, newText }) => (
        <span key={`${path} ${text}`} className={path === undefined ? 'muted' : undefined}>
          {path !== undefined && <code>{path}</code>} <bdi>{text}</bdi>
          {newText !== undefined && (
            <>
              {' '}
              <Icon icon={ArrowRight} size={12} />
              <span className="sr-only">to</span> <bdi>{newText}</bdi>
            </>
          )}
        </span>
      ))}
      {hiddenCount > 0 && <span className="quiet">+ {formatCount(hiddenCount)} more</span>}
    </span>
  )
}
