// The verdict sentence of the variant page, with links to the revisions it names.
import { Fragment, type ReactNode } from 'react'
import { RevisionLink } from '../../navigation/revision-link.tsx'
import sentenceStyles from '../../results/verdict-sentence.module.css'
import { Triangle } from '../../ui/icon.tsx'
import { Skeleton } from '../../ui/messages/skeleton.tsx'
import type { History } from './history.ts'
import styles from './page.module.css'
import { historyVerdict, type VerdictPart } from './verdict-parts.ts'

export function Verdict({ history: { id, revisions, metric } }: { history: History }) {
  if (!revisions) {
    return (
      <p className={styles.verdict}>
        <Skeleton width={60} />
      </p>
    )
  }
  if (revisions.length === 0) return null
  const parts = metric ? historyVerdict(id, revisions, metric) : ['No revision has been evaluated yet.']
  return (
    <p className={styles.verdict}>
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other identity
        <Fragment key={index}>{renderPart(id, part)}</Fragment>
      ))}
    </p>
  )
}

function renderPart(id: string, part: VerdictPart): ReactNode {
  if (typeof part === 'string') return part
  if (part.kind === 'revision')
    return <RevisionLink variantId={id} revision={part.revision} className="count-link" />
  const { outcome } = part
  return (
    <strong className={`${outcome} ${sentenceStyles.outcome}`}>
      {outcome !== 'tied' && <Triangle direction={outcome} />}
      {outcome}
    </strong>
  )
}
