// The overview: one card per variant or source, those with the newest evaluation first.
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { useIsNarrow } from '../../../ui/media.ts'
import { Skeleton } from '../../../ui/messages/skeleton.tsx'
import type { Overview } from '../page-state.ts'
import styles from './card.module.css'
import { Card } from './card.tsx'
import { cardDataOf, needsSummary } from './card-data.ts'

/** A narrow page shows fewer, so that the list is not far below. */
const MAX_NARROW_CARDS = 3
const MAX_CARDS = 6
/** The cards that can request a comparison that is not in the list, so that the page makes at most ten requests. */
const MAX_REQUESTS = 2

export function Cards({ overview }: { overview: Overview }) {
  const [isExpanded, setIsExpanded] = useState(false)
  const isNarrow = useIsNarrow()
  const { groups, evaluations } = overview
  if (!evaluations) return <SkeletonCards />
  const maxCards = isNarrow ? MAX_NARROW_CARDS : MAX_CARDS
  const hiddenCount = groups.length - maxCards
  const cards = groups.map((group) => ({ group, data: cardDataOf(group) }))
  const requesting = cards
    .filter(({ group, data }) => data.latest && needsSummary(data.latest, group.evaluations))
    .slice(0, MAX_REQUESTS)
  return (
    <section aria-label="Variants" className={styles.overview}>
      <div className={styles.cards}>
        {(isExpanded ? cards : cards.slice(0, maxCards)).map((card) => (
          <Card key={card.group.id} {...card} overview={overview} mayRequest={requesting.includes(card)} />
        ))}
      </div>
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
