// The verdict of a card as text. The outcome links to the comparison with the baseline.
import { Link } from '@tanstack/react-router'
import type { Evaluation } from 'assay-client'
import { Fragment, type ReactNode } from 'react'
import type { SentencePart } from '../../../results/verdict-sentence.ts'
import { Triangle } from '../../../ui/icon.tsx'
import { baselineIdOf } from '../groups.ts'
import styles from './card.module.css'

interface CardSentenceProps {
  parts: readonly SentencePart[]
  evaluation: Evaluation
}

export function CardSentence({ parts, evaluation }: CardSentenceProps) {
  const { id, scores } = evaluation
  const baseline = baselineIdOf(evaluation)
  const compareLink = (className: string, children: ReactNode) =>
    baseline !== undefined && (
      <Link
        to="/compare"
        search={{ evaluation: [baseline, id] }}
        className={className}
        data-tooltip="Compare row by row"
      >
        {children}
      </Link>
    )
  const hasOutcome = parts.some((part) => typeof part !== 'string' && part.kind === 'outcome')
  return (
    <>
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other identity
        <Fragment key={index}>{renderPart(part, compareLink)}</Fragment>
      ))}
      {!hasOutcome && baseline !== undefined && (
        <>
          {' '}
          {compareLink('count-link', scores?.base ? 'Compare them.' : 'Open the comparison for the verdict.')}
        </>
      )}
    </>
  )
}

function renderPart(
  part: SentencePart,
  compareLink: (className: string, children: ReactNode) => ReactNode,
): ReactNode {
  if (typeof part === 'string') return part
  if (part.kind !== 'outcome') return <strong className={styles.name}>{part.text}</strong>
  const { outcome, text } = part
  return compareLink(
    `count-link ${outcome} ${styles.outcome}`,
    <>
      {outcome !== 'tied' && <Triangle direction={outcome} />}
      {text}
    </>,
  )
}
