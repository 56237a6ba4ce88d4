// The overview: what is worse comes first. A few variants have a card each; with more, only those that are worse have one.
import { useState } from 'react'
import { formatCount } from '../../../format/numbers.ts'
import { Button } from '../../../ui/button.tsx'
import { Skeleton } from '../../../ui/messages/skeleton.tsx'
import type { Overview } from '../page-state.ts'
import { AttentionCard } from './attention-card.tsx'
import styles from './card.module.css'
import { Card } from './card.tsx'
import type { Entry } from './entries.ts'
import { ComparedList, SingleList } from './lists.tsx'

/** The cards that fit in a line of a wide page. */
const MAX_CARDS = 3

export function Cards({ overview }: { overview: Overview }) {
  const { entries, evaluations, variants } = overview
  if (!evaluations) return <SkeletonCards />
  if (entries.length <= MAX_CARDS) {
    return (
      <section aria-label="Variants" className={`${styles.overview} ${styles.cards}`}>
        {entries.map((entry) => (
          <Card key={entry.group.id} entry={entry} variants={variants} />
        ))}
      </section>
    )
  }
  const ofKind = (kind: Entry['kind']) => entries.filter((entry) => entry.kind === kind)
  const [worse, compared, single] = [ofKind('worse'), ofKind('compared'), ofKind('single')]
  return (
    <>
      {worse.length > 0 && <Attention entries={worse} variants={variants} />}
      <div className={`${styles.overview} ${styles.lists}`}>
        {compared.length > 0 && <ComparedList entries={compared} />}
        {single.length > 0 && <SingleList entries={single} />}
      </div>
    </>
  )
}

function Attention({ entries, variants }: { entries: readonly Entry[] } & Pick<Overview, 'variants'>) {
  const [isExpanded, setIsExpanded] = useState(false)
  const hiddenCount = entries.length - MAX_CARDS
  return (
    <section aria-labelledby="attention" className={styles.overview}>
      <header className={styles.heading}>
        <h2 id="attention">Needs attention</h2>
        <span className="quiet">
          {formatCount(entries.length)}
          <span className={styles.explanation}>
            {` ${entries.length === 1 ? 'variant' : 'variants'} whose latest evaluation is worse than its baseline`}
          </span>
        </span>
        {hiddenCount > 0 && (
          <Button
            size="small"
            variant="plain"
            aria-expanded={isExpanded}
            onClick={() => setIsExpanded(!isExpanded)}
          >
            {isExpanded ? 'Show fewer' : `Show ${hiddenCount} more`}
          </Button>
        )}
      </header>
      <div className={styles.cards}>
        {(isExpanded ? entries : entries.slice(0, MAX_CARDS)).map((entry) => (
          <AttentionCard key={entry.group.id} entry={entry} variants={variants} />
        ))}
      </div>
    </section>
  )
}

function SkeletonCards() {
  return (
    <div className={styles.overview} aria-hidden="true">
      <div className={styles.cards}>
        {[22, 26, 18].map((width) => (
          <div key={width} className={`${styles.card} ${styles.skeleton}`}>
            <Skeleton width={width} />
            {[44, 36, 40, 32, 40, 36].map((lineWidth, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the lines have no other identity
              <Skeleton key={index} width={lineWidth} />
            ))}
          </div>
        ))}
      </div>
    </div>
  )
}
