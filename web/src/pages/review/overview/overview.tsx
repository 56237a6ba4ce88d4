// The results of a review, for keys of the project: progress, agreement, failure modes and disputed rows.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { AssayError, type ReviewReport } from 'assay-client'
import { ErrorNotice } from '../../../errors/error-notice.tsx'
import { FailedPage } from '../../../errors/error-page.tsx'
import { evaluationQuery } from '../../../queries/evaluations.ts'
import { useDocumentTitle } from '../../../ui/document-title.ts'
import { SkeletonRows } from '../../../ui/messages/skeleton.tsx'
import { questionText } from '../form/choice-field.tsx'
import { reviewQuery } from '../queries.ts'
import { Actions } from './actions.tsx'
import { Agreement } from './agreement.tsx'
import { DisputedRows } from './disputed-rows.tsx'
import { FailureModes } from './failure-modes.tsx'
import styles from './overview.module.css'
import { Reviewers } from './reviewers.tsx'
import { Sentences } from './sentences.tsx'

export function Overview({ id }: { id: string }) {
  const { data: report, error } = useQuery(reviewQuery(id))
  useDocumentTitle(report?.name ?? id, 'Review')
  if (error instanceof AssayError && !report) return <FailedPage error={error} />
  return (
    <main className={styles.page}>
      {report ? <Results report={report} error={error} /> : <SkeletonRows rows={10} />}
    </main>
  )
}

function Results({ report, error }: { report: ReviewReport; error: unknown }) {
  const { data: evaluation } = useQuery(evaluationQuery(report.evaluation_id))
  const { progress, results, questions } = report
  const isFinished = progress.complete >= progress.rows && progress.rows > 0
  return (
    <>
      <header className={styles.header}>
        <nav aria-label="Breadcrumb">
          <Link to="/evaluations/$evaluationId" params={{ evaluationId: report.evaluation_id }}>
            <bdi>{evaluation?.name ?? report.evaluation_id}</bdi>
          </Link>{' '}
          <span aria-hidden="true">/</span>
        </nav>
        <h1>
          <bdi>{report.name ?? report.id}</bdi>
        </h1>
        <span className="quiet">{isFinished ? 'review, finished' : 'review'}</span>
        <Actions report={report} />
      </header>
      <ErrorNotice error={error} />
      {report.warnings.map((warning) => (
        <p key={warning} role="status" className="notice">
          {warning}
        </p>
      ))}
      <div className={styles.sentences}>
        <Sentences report={report} />
      </div>
      <div className={styles.columns}>
        <div className={styles.column}>
          <Reviewers report={report} />
          {results.map((result) => {
            const [question] = questions.filter(({ evaluator }) => evaluator === result.evaluator)
            const name = results.length > 1 && question ? questionText(question) : undefined
            return (
              <div key={result.evaluator} className={styles.column}>
                {result.pairs.length > 0 && <Agreement result={result} name={name} />}
                {result.labels.length > 0 && (
                  <FailureModes
                    id={report.id}
                    evaluationId={report.evaluation_id}
                    baselineId={evaluation?.baseline_id ?? null}
                    result={result}
                    name={name}
                  />
                )}
              </div>
            )
          })}
        </div>
        <DisputedRows report={report} />
      </div>
    </>
  )
}
