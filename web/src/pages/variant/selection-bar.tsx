// A floating bar with the selected revisions, what differs between them, and the button that opens their diff.
import { useQuery } from '@tanstack/react-query'
import { ArrowRight } from 'lucide'
import { formatCount, pluralize } from '../../format/numbers.ts'
import { diffQuery, type Revision } from '../../queries/variants.ts'
import { changeLabelsBetween } from '../../revisions/change-labels.ts'
import { ChangeSummary } from '../../revisions/change-summary.tsx'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Keys } from '../../ui/keys.tsx'
import { Skeleton } from '../../ui/messages/skeleton.tsx'
import { diffPair, type Pair } from './diff-pair.ts'
import type { Selection } from './selection.ts'
import styles from './selection-bar.module.css'

interface SelectionBarProps {
  id: string
  revisions: readonly Revision[]
  selection: Selection
}

export function SelectionBar({ id, revisions, selection: { numbers, clear, openDiff } }: SelectionBarProps) {
  const pair = diffPair(revisions, numbers)
  const isPair = numbers.length === 2
  return (
    <div className={numbers.length === 0 ? 'sr-only' : styles.bar}>
      <span role="status" className={styles.names}>
        {isPair && pair ? <PairNames pair={pair} /> : numbers.length === 1 && `r${numbers[0]} selected`}
      </span>
      {numbers.length === 1 && <span className="muted">Select another revision to compare.</span>}
      {isPair && pair && <PairChanges id={id} pair={pair} />}
      {numbers.length > 0 && (
        <span className={styles.actions}>
          {pair && (
            <Button size="small" shortcut="d" onClick={() => openDiff(pair)}>
              {isPair ? 'Show diff' : `Diff with r${pair[0]}`} <Keys keys={['d']} />
            </Button>
          )}
          <Button variant="plain" size="small" shortcut="Esc" onClick={clear}>
            Clear
          </Button>
        </span>
      )}
    </div>
  )
}

function PairNames({ pair: [from, to] }: { pair: Pair }) {
  return (
    <>
      r{from} <Icon icon={ArrowRight} size={14} />
      <span className="sr-only">and</span> r{to} <span className="sr-only">selected</span>
    </>
  )
}

/** "2 of 9 parameters changed", and the first changes. */
function PairChanges({ id, pair: [from, to] }: { id: string; pair: Pair }) {
  const { data: diff } = useQuery(diffQuery(id, from, to))
  if (!diff) return <Skeleton width={24} />
  const { change_count, parameter_count } = diff
  return (
    <>
      <span className={`muted ${styles.count}`}>
        {change_count === 0 ? 'none' : formatCount(change_count)} of {pluralize(parameter_count, 'parameter')}{' '}
        changed
      </span>
      <span className={styles.changes}>
        <ChangeSummary changeLabels={changeLabelsBetween(diff)} />
      </span>
    </>
  )
}
