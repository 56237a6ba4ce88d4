// The card of a variant: the verdict of its newest evaluation, and the values of all of them as sparklines.
import { Link } from '@tanstack/react-router'
import type { Evaluation } from 'assay-client'
import { pluralize } from '../../../format/numbers.ts'
import { candidateName, mostChanged, pairedEvaluators } from '../../../groups/series.ts'
import { costMeasure } from '../../../results/measures.ts'
import { SparklineAxis } from '../../../ui/charts/sparkline.tsx'
import { useIsNarrow } from '../../../ui/media.ts'
import { Skeleton } from '../../../ui/messages/skeleton.tsx'
import styles from './card.module.css'
import { axisLabels } from './card-data.ts'
import { CardFooter, CardHeader, type CardProps } from './card-parts.tsx'
import { Against, MeasureRow } from './card-row.tsx'
import { cardSentence, costSentence } from './card-sentence.ts'
import type { Entry } from './entries.ts'
import { CardSentence } from './sentence.tsx'

/** The evaluators that fit in a card. */
const MAX_EVALUATORS = 6

export function Card({ entry, variants }: CardProps) {
  const { group, series, headline, baseline, isLoading } = entry
  const isNarrow = useIsNarrow()
  const { latest, points, evaluators: allEvaluators, measurements } = series
  // A narrow card shows the first row only.
  const evaluators =
    isNarrow && headline.measure ? [headline.measure] : mostChanged(allEvaluators, latest, MAX_EVALUATORS)
  const hiddenCount = allEvaluators.length - evaluators.length
  const rowProps = {
    others: evaluators,
    evaluations: points,
    hasChanges: baseline !== undefined,
  }
  return (
    <article className={styles.card} aria-label={group.title}>
      <CardHeader entry={entry} heading="h2" />
      <p className={styles.sentence}>
        {latest ? (
          <Verdict entry={entry} latest={latest} isLoading={isLoading} />
        ) : (
          'No evaluation has finished yet.'
        )}
      </p>
      {latest && (
        <div className={styles.measures}>
          <div className={`${styles.row} ${styles.axis}`}>
            <span />
            <SparklineAxis labels={axisLabels(points)} />
            <span>latest</span>
            {baseline !== undefined && <Against baseline={baseline} />}
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
      <CardFooter entry={entry} evaluators={allEvaluators} variants={variants} />
    </article>
  )
}

interface VerdictProps {
  entry: Entry
  latest: Evaluation
  isLoading: boolean
}

function Verdict({ entry: { group, series, baseline }, latest, isLoading }: VerdictProps) {
  if (isLoading) return <Skeleton width={48} />
  const { scores } = latest
  const parts = cardSentence({
    candidate: candidateName(latest, group.evaluations),
    baseline,
    base: scores?.base,
    evaluators: pairedEvaluators(scores, series.evaluators),
    isFirst: series.points.length < 2,
  })
  const cost = scores && costSentence(costMeasure(scores.cost))
  return (
    <>
      <CardSentence parts={parts} evaluation={latest} />
      {cost && <span className={styles.cost}> {cost}</span>}
    </>
  )
}
