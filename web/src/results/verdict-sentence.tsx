// The verdict sentence as text with links: the outcome with its triangle, and counts that filter the rows.
import { Fragment, type ReactNode } from 'react'
import { Triangle } from '../ui/icon.tsx'
import styles from './verdict-sentence.module.css'
import type { SentencePart } from './verdict-sentence.ts'

interface VerdictSentenceProps {
  parts: readonly SentencePart[]
  /** Renders a count as a link or a button that filters by these rows. */
  changeLink: (change: 'regressed' | 'improved', text: string) => ReactNode
}

export function VerdictSentence({ parts, changeLink }: VerdictSentenceProps) {
  return (
    <span className={styles.sentence}>
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other identity
        <Fragment key={index}>{renderPart(part, changeLink)}</Fragment>
      ))}
    </span>
  )
}

function renderPart(part: SentencePart, changeLink: VerdictSentenceProps['changeLink']): ReactNode {
  if (typeof part === 'string') return part
  const { text } = part
  if (part.kind === 'evaluation') return <bdi>{text}</bdi>
  if (part.kind === 'evaluator') return <strong className={styles.name}>{text}</strong>
  if (part.kind !== 'outcome') return changeLink(part.kind, text)
  const { outcome } = part
  return (
    <strong className={`${outcome} ${styles.outcome}`}>
      {outcome !== 'tied' && <Triangle direction={outcome} />}
      {text}
    </strong>
  )
}
