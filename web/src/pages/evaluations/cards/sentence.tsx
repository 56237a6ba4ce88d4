// The verdict of a card as text. The outcome links to the comparison with the baseline.
import { Link } from '@tanstack/react-router'
import type { Evaluation } from 'assay-client'
import { Fragment, type ReactNode } from 'react'
import type { Direction } from '../../../format/direction.ts'
import { baselineIdOf } from '../../../groups/groups.ts'
import type { SentencePart } from '../../../results/verdict-sentence.ts'
import { Triangle } from '../../../ui/icon.tsx'
import styles from './card.module.css'

interface CompareLinkProps {
  evaluation: Evaluation
  /** The evaluator that the comparison selects. */
  on?: string | undefined
  className?: string
  children: ReactNode
}

/** Opens the comparison with the baseline. Nothing without a baseline. */
export function CompareLink({ evaluation, on, className = 'count-link', children }: CompareLinkProps) {
  const baseline = baselineIdOf(evaluation)
  if (baseline === undefined) return null
  return (
    <Link
      to="/compare"
      search={{ evaluation: [baseline, evaluation.id], ...(on !== undefined && { on }) }}
      className={className}
      data-tooltip="Compare row by row"
    >
      {children}
    </Link>
  )
}

interface OutcomeLinkProps extends Omit<CompareLinkProps, 'className' | 'children'> {
  outcome: Direction
}

/** "better", with its color and triangle. */
export function OutcomeLink({ outcome, ...link }: OutcomeLinkProps) {
  return (
    <CompareLink {...link} className={`count-link ${outcome} ${styles.outcome}`}>
      {outcome !== 'tied' && <Triangle direction={outcome} />}
      {outcome}
    </CompareLink>
  )
}

interface CardSentenceProps {
  parts: readonly SentencePart[]
  evaluation: Evaluation
  on?: string
}

export function CardSentence({ parts, ...link }: CardSentenceProps) {
  const { scores } = link.evaluation
  const hasOutcome = parts.some((part) => typeof part !== 'string' && part.kind === 'outcome')
  return (
    <>
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other identity
        <Fragment key={index}>{renderPart(part, link)}</Fragment>
      ))}
      {!hasOutcome && baselineIdOf(link.evaluation) !== undefined && (
        <>
          {' '}
          <CompareLink {...link}>
            {scores?.base ? 'Compare them.' : 'Open the comparison for the verdict.'}
          </CompareLink>
        </>
      )}
    </>
  )
}

function renderPart(part: SentencePart, link: Omit<CardSentenceProps, 'parts'>): ReactNode {
  if (typeof part === 'string') return part
  if (part.kind === 'outcome') return <OutcomeLink {...link} outcome={part.outcome} />
  if (part.kind === 'regressed') return <CompareLink {...link}>{part.text}</CompareLink>
  return <strong className={styles.name}>{part.text}</strong>
}
