// The card of a variant whose newest evaluation is worse, if there are many variants: only the evaluator that regressed most.
import { candidateName } from '../../../groups/series.ts'
import styles from './card.module.css'
import { CardFooter, CardHeader, type CardProps } from './card-parts.tsx'
import { MeasureRow } from './card-row.tsx'
import { attentionSentence } from './card-sentence.ts'
import { CardSentence } from './sentence.tsx'

export function AttentionCard({ entry, variants }: CardProps) {
  const { group, series, headline, baseline } = entry
  const { latest, points } = series
  const { measure, evaluator, otherCount } = headline
  if (!latest || !measure || !evaluator || baseline === undefined) return null
  const parts = attentionSentence({
    candidate: candidateName(latest, group.evaluations),
    baseline,
    evaluator,
    otherCount,
  })
  return (
    <article className={`${styles.card} ${styles.compact}`} aria-label={group.title}>
      <CardHeader entry={entry} heading="h3" />
      <p className={styles.sentence}>
        <CardSentence parts={parts} evaluation={latest} on={evaluator.name} />
      </p>
      <MeasureRow
        measure={measure}
        others={series.evaluators}
        evaluations={points}
        hasChanges
        baseline={baseline}
      />
      <CardFooter entry={entry} evaluators={[measure]} variants={variants} explained={evaluator.name} />
    </article>
  )
}
