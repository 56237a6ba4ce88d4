// The last line of a card: the row that regressed most, or a revision without an evaluation.
import { Link } from '@tanstack/react-router'
import type { Evaluation, Variant } from 'assay-client'
import { CircleDashed, TrendingDown } from 'lucide'
import { RevisionLink } from '../../../navigation/revision-link.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { baselineIdOf, type EvaluationGroup, type GroupMeasure } from '../groups.ts'
import styles from './card.module.css'
import { largestRegression, newRevision } from './card-data.ts'

interface CardFooterProps {
  group: EvaluationGroup
  latest: Evaluation | undefined
  evaluators: readonly GroupMeasure[]
  variant: Variant | undefined
}

export function CardFooter({ group, latest, evaluators, variant }: CardFooterProps) {
  const regression = latest && largestRegression(latest, evaluators)
  const baseline = latest && baselineIdOf(latest)
  if (baseline !== undefined && regression) {
    const { scenario, evaluator, isVerdict } = regression
    return (
      <footer className={styles.footer}>
        <Icon icon={TrendingDown} size={14} />
        <span className="ellipsis">
          Largest regression:{' '}
          <Link
            to="/compare"
            search={{ evaluation: [baseline, latest.id], on: evaluator, row: scenario }}
            className="count-link"
          >
            {scenario}
          </Link>
          , {evaluator}
          {isVerdict && ' pass to fail'}
        </span>
      </footer>
    )
  }
  const revision = newRevision(group, variant)
  if (revision === undefined || group.variantId === null) return null
  return (
    <footer className={styles.footer}>
      <Icon icon={CircleDashed} size={14} />
      <span className="ellipsis">
        <RevisionLink variantId={group.variantId} revision={revision} className="count-link" /> has not been
        evaluated
      </span>
    </footer>
  )
}
