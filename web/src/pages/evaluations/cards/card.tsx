// The card of a variant, or of a source: the verdict of its newest evaluation, and the values of all of them as sparklines.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Evaluation, Variant } from 'assay-client'
import { CircleDashed, TrendingDown } from 'lucide'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { pluralize } from '../../../format/numbers.ts'
import { formatDay } from '../../../format/times.ts'
import { RevisionLink } from '../../../navigation/links.tsx'
import { DEFAULT_BASELINE, summaryQuery } from '../../../queries/evaluations.ts'
import { costMeasure } from '../../../results/measures.ts'
import { SparklineAxis } from '../../../ui/charts/sparkline.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Skeleton } from '../../../ui/messages/skeleton.tsx'
import { baselineIdOf, type EvaluationGroup, type GroupMeasure } from '../groups.ts'
import type { Overview } from '../page-state.ts'
import styles from './card.module.css'
import {
  axisLabels,
  baselineName,
  type CardData,
  candidateName,
  largestRegression,
  needsSummary,
  newRevision,
  pairedEvaluators,
  withSummary,
} from './card-data.ts'
import { MeasureRow } from './card-row.tsx'
import { cardSentence, costSentence } from './card-sentence.ts'
import { CardSentence } from './sentence.tsx'

interface CardProps {
  group: EvaluationGroup
  data: CardData
  overview: Overview
  /** Whether the card may request what is not in the list. */
  mayRequest: boolean
}

export function Card({ group, data, overview, mayRequest }: CardProps) {
  const { variantId, title } = group
  const element = useRef<HTMLElement>(null)
  const { latest: listedLatest, points, evaluators, hiddenCount, measurements } = data
  const summary = useVisibleSummary(element, mayRequest ? listedLatest : undefined, group.evaluations)
  const latest = listedLatest && withSummary(listedLatest, summary.data)
  const evaluations = latest ? [...points.slice(0, -1), latest] : []
  const baseline = latest && baselineName(latest, group.evaluations)
  const rowProps = {
    otherNames: evaluators.map(({ name }) => name),
    evaluations,
    hasChanges: baseline !== undefined,
  }
  const heading = variantId === null ? title : <VariantLink variantId={variantId}>{title}</VariantLink>
  return (
    <article ref={element} className={styles.card} aria-label={title}>
      <header>
        <h2 className="ellipsis">{heading}</h2>
        <span className="quiet">{latest && subtitleOf(latest)}</span>
      </header>
      <p className={styles.sentence}>
        {latest ? (
          <Verdict
            latest={latest}
            candidate={candidateName(latest, group.evaluations)}
            baseline={baseline}
            evaluators={evaluators}
            isFirst={points.length < 2}
            isLoading={summary.isLoading}
          />
        ) : (
          'No evaluation has finished yet.'
        )}
      </p>
      {latest && (
        <div className={styles.measures}>
          <div className={`${styles.row} ${styles.axis}`}>
            <span />
            <SparklineAxis labels={axisLabels(evaluations)} />
            <span>latest</span>
            {baseline !== undefined && (
              <span className="ellipsis" data-tooltip={`Change against ${baseline}, over matched rows`}>
                {/^r\d+$/.test(baseline) ? `vs ${baseline}` : 'vs baseline'}
              </span>
            )}
          </div>
          {evaluators.map((measure) => (
            <MeasureRow key={measure.id} measure={measure} {...rowProps} />
          ))}
          {hiddenCount > 0 && (
            <Link
              to="/evaluations/$evaluationId"
              params={{ evaluationId: latest.id }}
              className={styles.more}
            >
              {pluralize(hiddenCount, 'more evaluator')}
            </Link>
          )}
          {evaluators.length === 0 && <p className={styles.empty}>No evaluator has scores.</p>}
          {measurements.length > 0 && <hr />}
          {measurements.map((measure) => (
            <MeasureRow key={measure.id} measure={measure} {...rowProps} />
          ))}
        </div>
      )}
      <CardFooter
        group={group}
        latest={latest}
        evaluators={evaluators}
        variant={overview.variants.get(variantId ?? '')}
      />
    </article>
  )
}

function VariantLink({ variantId, children }: { variantId: string; children: string }) {
  return (
    <Link to="/variants/$variantId" params={{ variantId }}>
      {children}
    </Link>
  )
}

/** "r6, 6 Oct". */
function subtitleOf({ revision, created_at }: Evaluation): string {
  return `${revision === null ? '' : `r${revision}, `}${formatDay(created_at)}`
}

interface VerdictProps {
  latest: Evaluation
  candidate: string
  baseline: string | undefined
  evaluators: GroupMeasure[]
  isFirst: boolean
  isLoading: boolean
}

function Verdict({ latest, candidate, baseline, evaluators, isFirst, isLoading }: VerdictProps) {
  if (isLoading) return <Skeleton width={48} />
  const { scores } = latest
  const parts = cardSentence({
    candidate,
    baseline,
    base: scores?.base,
    evaluators: pairedEvaluators(scores, evaluators),
    isFirst,
  })
  const cost = scores && costSentence(costMeasure(scores.cost))
  return (
    <>
      <CardSentence parts={parts} evaluation={latest} />
      {cost && <span className={styles.cost}> {cost}</span>}
    </>
  )
}

/** Without an evaluation, or if the list has the comparison, nothing is requested. */
function useVisibleSummary(
  element: RefObject<HTMLElement | null>,
  evaluation: Evaluation | undefined,
  others: readonly Evaluation[],
) {
  const isNeeded = evaluation !== undefined && needsSummary(evaluation, others)
  const [isVisible, setIsVisible] = useState(false)
  useEffect(() => {
    if (!isNeeded || !element.current) return
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setIsVisible(true)
    })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element, isNeeded])
  const query = summaryQuery(evaluation?.id ?? '', {
    filters: [],
    base: evaluation?.baseline_id ?? DEFAULT_BASELINE,
  })
  return useQuery({ ...query, enabled: isNeeded && isVisible })
}

interface CardFooterProps {
  group: EvaluationGroup
  latest: Evaluation | undefined
  evaluators: readonly GroupMeasure[]
  variant: Variant | undefined
}

/** The last line of a card: the row that regressed most, or a revision without an evaluation. */
function CardFooter({ group, latest, evaluators, variant }: CardFooterProps) {
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
