// The rows whose reviewers disagree, as a list to settle.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReviewReport } from 'assay-client'
import { assay } from '../../../api/client.ts'
import { previewText } from '../../../format/value-text.ts'
import { rowParams } from '../../../queries/evaluations.ts'
import { Box, BoxFooter } from '../../../ui/cards/box.tsx'
import { AnswerText } from '../answer-text.tsx'
import styles from './overview.module.css'

const MAX_PREVIEWS = 200
const PREVIEW_LENGTH = 200

export function DisputedRows({ report }: { report: ReviewReport }) {
  const { id, evaluation_id, results, progress } = report
  const disputes = results.flatMap(({ disputed_rows, evaluator }) =>
    disputed_rows.map((row) => ({ ...row, evaluator })),
  )
  const previews = usePreviews(evaluation_id, disputes[0]?.evaluator)
  return (
    <Box
      id="disputed"
      title="Disputed rows"
      count={progress.disputed}
      detail="someone decides; nothing is averaged"
    >
      <ul className={styles.disputes}>
        {disputes.map(({ scenario_id, evaluator, answers }) => (
          <li key={`${scenario_id} ${evaluator}`}>
            <Link to="/reviews/$reviewId" params={{ reviewId: id }} search={{ row: scenario_id }}>
              <code className="quiet">{scenario_id}</code>{' '}
              <span dir="auto" className="ellipsis">
                {previews.get(scenario_id) ?? ''}
              </span>
            </Link>
            <span className={styles.verdicts}>
              {answers.map(({ by, value, note }) => (
                <span key={by} data-tooltip={note ?? undefined}>
                  <bdi className="quiet">{by}</bdi> <AnswerText value={value} />
                </span>
              ))}
            </span>
            {answers.some(({ note }) => note !== null) && (
              <span className={`quiet ellipsis ${styles.notes}`}>
                {answers.flatMap(({ by, note }) => (note === null ? [] : `${by}: “${note}”`)).join(' ')}
              </span>
            )}
          </li>
        ))}
      </ul>
      <BoxFooter>
        {disputes.length === 0
          ? 'None. A row is disputed if its reviewers disagree without a majority.'
          : 'Until a disputed row is decided it has no result, and pass rates leave it out.'}
      </BoxFooter>
    </Box>
  )
}

/** The start of the first input of the first disputed rows. They are among the rows without a result. */
function usePreviews(evaluationId: string, evaluator: string | undefined): Map<string, string> {
  const { data } = useQuery({
    queryKey: ['evaluation', evaluationId, 'rows', 'disputed', evaluator],
    queryFn: ({ signal }) =>
      assay.listEvaluationRows(
        evaluationId,
        {
          ...rowParams({ filters: [[`result.${evaluator}`, 'is.null']] }),
          limit: MAX_PREVIEWS,
          preview: PREVIEW_LENGTH,
        },
        { signal },
      ),
    enabled: evaluator !== undefined,
  })
  return new Map(data?.rows.map(({ id, inputs }) => [id, previewText(inputs[0]?.value)]))
}
