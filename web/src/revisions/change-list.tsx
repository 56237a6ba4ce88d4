// List of changes: the configuration name, then one item per parameter.
import type { RevisionDiff } from 'assay-client'
import { formatCount } from '../format/numbers.ts'
import { useTruncatedList } from '../ui/truncation.tsx'
import { Change, ConfigNameChange, type TextLayout } from './parameters/parameter-change.tsx'
import styles from './revisions.module.css'

const MAX_ITEMS = 50

interface ChangeListProps {
  diff: RevisionDiff
  /** The changes to show: all, or those without whitespace changes. */
  changes: RevisionDiff['changes']
  /** The parameters of the old and the new revision. Numbers keep all their digits. */
  oldParameters: unknown
  newParameters: unknown
  layout: TextLayout
}

export function ChangeList({ diff, changes, oldParameters, newParameters, layout }: ChangeListProps) {
  const { from, to, config_name, change_count } = diff
  const { items, showAll } = useTruncatedList(changes, MAX_ITEMS, 'change')
  const listedCount = diff.changes.length
  return (
    <>
      <ul className={styles.changes}>
        {config_name && <ConfigNameChange names={config_name} />}
        {items.map((change) => (
          <Change
            key={`${change.kind} ${change.path}`}
            change={change}
            oldParameters={oldParameters}
            newParameters={newParameters}
            names={[`r${from}`, `r${to}`]}
            layout={layout}
          />
        ))}
      </ul>
      {showAll}
      {change_count > listedCount && <p>Only the first {formatCount(listedCount)} changes are listed.</p>}
    </>
  )
}
