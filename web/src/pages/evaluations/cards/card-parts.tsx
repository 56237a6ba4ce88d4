// The header and the footer of a card.
import { Link } from '@tanstack/react-router'
import type { Evaluation, Variant } from 'assay-client'
import { CircleDashed, TrendingDown } from 'lucide'
import { BEST_DIMENSION } from '../../../breakdown/breakdown-state.ts'
import { formatDay } from '../../../format/times.ts'
import { baselineIdOf, type GroupMeasure } from '../../../groups/groups.ts'
import { EvaluationLink, RevisionLink } from '../../../navigation/links.tsx'
import { Icon } from '../../../ui/icon.tsx'
import styles from './card.module.css'
import { largestRegression, newRevision } from './card-data.ts'
import type { Entry } from './entries.ts'

export interface CardProps {
  entry: Entry
  variants: ReadonlyMap<string, Variant>
}

export function CardHeader({ entry, heading: Heading }: { entry: Entry; heading: 'h2' | 'h3' }) {
  const { latest } = entry.series
  return (
    <header>
      <Heading className="ellipsis">
        <EntryLink entry={entry} />
      </Heading>
      <span className="quiet">{latest && subtitleOf(latest)}</span>
    </header>
  )
}

/** Opens the variant, or the newest evaluation of a group without one. */
export function EntryLink({ entry: { group, series } }: { entry: Entry }) {
  const { variantId, title, evaluations } = group
  if (variantId === null) {
    const { id = '' } = series.latest ?? evaluations[0] ?? {}
    return <EvaluationLink id={id} name={title} />
  }
  return (
    <Link to="/variants/$variantId" params={{ variantId }}>
      {title}
    </Link>
  )
}

/** "r6, 6 Oct". */
function subtitleOf({ revision, created_at }: Evaluation): string {
  return `${revision === null ? '' : `r${revision}, `}${formatDay(created_at)}`
}

interface CardFooterProps extends CardProps {
  evaluators: readonly GroupMeasure[]
  /** The evaluator whose change the footer offers to break down. */
  explained?: string
}

/** The last line of a card: the row that regressed most, or a revision without an evaluation. */
export function CardFooter({ entry: { group, series }, evaluators, variants, explained }: CardFooterProps) {
  const { latest } = series
  const regression = latest && largestRegression(latest, evaluators)
  const baseline = latest && baselineIdOf(latest)
  if (latest && baseline !== undefined && (regression || explained !== undefined)) {
    return (
      <footer className={styles.footer}>
        <Icon icon={TrendingDown} size={14} />
        {regression && (
          <span className="ellipsis">
            Largest regression:{' '}
            <Link
              to="/compare"
              search={{
                evaluation: [baseline, latest.id],
                on: regression.evaluator,
                row: regression.scenario,
              }}
              className="count-link"
            >
              {regression.scenario}
            </Link>
            {/* With a single evaluator, the sentence names it. */}
            {explained === undefined && `, ${regression.evaluator}`}
            {regression.isVerdict && ', pass to fail'}
          </span>
        )}
        {explained !== undefined && (
          <Link
            to="/compare"
            search={{ evaluation: [baseline, latest.id], on: explained, breakdown: BEST_DIMENSION }}
            className={styles.explain}
            data-tooltip="Find the group of rows that explains the change"
          >
            Break down
          </Link>
        )}
      </footer>
    )
  }
  const revision = newRevision(group, variants.get(group.variantId ?? ''))
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
