// The failure modes, or other labels, that people gave to the rows of an evaluation, the most frequent first.
import { useQueries, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReviewReport } from 'assay-client'
import { assay } from '../../../api/client.ts'
import { formatCount, formatDecimal, pluralize } from '../../../format/numbers.ts'
import { reviewsQuery } from '../../../queries/reviews.ts'
import { Bar } from '../../../ui/charts/bar.tsx'
import styles from '../metrics/metric-strip.module.css'

export function FailureModes({ evaluationId }: { evaluationId: string }) {
  const { data: reviews = [] } = useQuery(reviewsQuery(evaluationId))
  const reports = useQueries({
    queries: reviews.map(({ id }) => ({
      // Each answer changes the evaluation, which refetches what has its key.
      queryKey: ['evaluation', evaluationId, 'review', id],
      queryFn: ({ signal }: { signal: AbortSignal }) => assay.getReview(id, { signal }),
    })),
    combine: (results) => results.flatMap(({ data }) => data ?? []),
  })
  return reports.flatMap((report) =>
    report.results
      .filter(({ labels }) => labels.length > 0)
      .map((result) => <RankedLabels key={result.evaluator} report={report} result={result} />),
  )
}

interface RankedLabelsProps {
  report: ReviewReport
  result: ReviewReport['results'][number]
}

function RankedLabels({ report, result }: RankedLabelsProps) {
  const { labels, answered, type, evaluator } = result
  const most = Math.max(...labels.map(({ rows }) => rows))
  const title = type === 'verdict' ? 'Failure modes' : 'Labels'
  return (
    <section aria-label={`${title} of ${evaluator}`} className={styles.strip}>
      <p>
        {/* In inline elements, this only prevents line breaks. */}
        <span className="ellipsis">
          {title} <bdi className="quiet">{evaluator}</bdi>
        </span>
        <br />
        <span className="quiet ellipsis">in {pluralize(answered, 'reviewed row')}</span>
      </p>
      {labels.map(({ label, rows }) => {
        const content = (
          <>
            <span className="ellipsis">
              <span className="quiet number">
                {formatCount(rows)}, {formatDecimal((rows / answered) * 100, 0)} %
              </span>{' '}
              <bdi>{label}</bdi>
            </span>
            <Bar share={rows / most} />
          </>
        )
        // Rows can be filtered by the result of a question, but not by the failure modes of a verdict.
        return type === 'label' ? (
          <Link
            key={label}
            to="/evaluations/$evaluationId"
            params={{ evaluationId: report.evaluation_id }}
            search={(old) => ({ ...old, [`result.${evaluator}`]: `eq.${label}` })}
            className={styles.metric}
            data-tooltip={`Show rows with ${label}`}
          >
            {content}
          </Link>
        ) : (
          <Link
            key={label}
            to="/reviews/$reviewId"
            params={{ reviewId: report.id }}
            className={styles.metric}
            data-tooltip={`${label}: open the review`}
          >
            {content}
          </Link>
        )
      })}
    </section>
  )
}
