// Changes one below the other: the name of the configuration, then parameter by parameter.
import type { RevisionDiff } from 'assay-client'
import { count, counted } from '../format/numbers.ts'
import { useCut } from '../parts/cut.ts'
import { Change, ConfigName, type TextLayout } from './change.tsx'
import styles from './revision.module.css'

const SHOWN = 50

interface ChangeItemsProps {
  difference: RevisionDiff
  /** Those of the difference that are shown. */
  changes: RevisionDiff['changes']
  /** The parameters of both revisions, with exact numbers. */
  before: unknown
  after: unknown
  layout: TextLayout
}

export function ChangeItems({ difference, changes, before, after, layout }: ChangeItemsProps) {
  const { from, to, config_name, change_count } = difference
  const { items, left, showAll } = useCut(changes, SHOWN)
  const known = difference.changes.length
  return (
    <>
      <ul className={styles.changes}>
        {config_name && <ConfigName names={config_name} />}
        {items.map((change) => (
          <Change
            key={`${change.kind} ${change.path}`}
            change={change}
            before={before}
            after={after}
            names={[`r${from}`, `r${to}`]}
            layout={layout}
          />
        ))}
      </ul>
      {left > 0 && (
        <button type="button" onClick={showAll}>
          Show {counted(left, 'more change')}
        </button>
      )}
      {change_count > known && <p>Only the first {count(known)} changes are listed.</p>}
    </>
  )
}
