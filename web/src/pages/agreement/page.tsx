// Page that compares a judge with people: how well they agree, where they differ, the threshold with the best agreement, and
// the pass rate as people would give it.
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { type Agreement, AssayError, type Evaluation, type EvaluationSummary } from 'assay-client'
import { ErrorNotice, IgnoredParams } from '../../errors/error-notice.tsx'
import { FailedPage } from '../../errors/error-page.tsx'
import { evaluationQuery, summaryQuery } from '../../queries/evaluations.ts'
import { ignoredParams } from '../../state/search-params.ts'
import { buttonClass } from '../../ui/button.tsx'
import { useDocumentTitle } from '../../ui/document-title.ts'
import { MessageBlock } from '../../ui/messages/message-block.tsx'
import { SkeletonRows } from '../../ui/messages/skeleton.tsx'
import { CorrectedRate } from './corrected-rate.tsx'
import { Header } from './header.tsx'
import { comparableNames, type JudgeNames, judgeNames, truthName } from './names.ts'
import styles from './page.module.css'
import { agreementQuery } from './queries.ts'
import { Rates } from './rates.tsx'
import { JudgedRows } from './rows.tsx'
import { Square } from './square.tsx'
import { Threshold } from './threshold.tsx'

const route = getRouteApi('/evaluations/$evaluationId/agreement')

export function AgreementPage() {
  const { evaluationId } = route.useParams()
  const { data: evaluation, error: evaluationError } = useQuery(evaluationQuery(evaluationId))
  const { data: summary, error: summaryError } = useQuery(summaryQuery(evaluationId, { filters: [] }))
  useDocumentTitle('Can I trust this judge?', evaluation?.name ?? evaluationId)
  const error = evaluationError ?? summaryError
  if (error instanceof AssayError && !(evaluation && summary)) return <FailedPage error={error} />
  if (!evaluation || !summary) {
    return (
      <main>
        <SkeletonRows rows={9} />
      </main>
    )
  }
  return <ComparedEvaluators evaluation={evaluation} summary={summary} />
}

interface ComparedEvaluatorsProps {
  evaluation: Evaluation
  summary: EvaluationSummary
}

function ComparedEvaluators({ evaluation, summary }: ComparedEvaluatorsProps) {
  const search = route.useSearch()
  const options = comparableNames(summary)
  const names = judgeNames(options, evaluation, search)
  if (!names) return <OneEvaluator evaluation={evaluation} />
  return (
    <main className={styles.page}>
      <LoadedPage
        evaluation={evaluation}
        summary={summary}
        options={options}
        names={names}
        ignored={ignoredParams(search)}
      />
    </main>
  )
}

/** A judge needs someone who judges the same rows. */
function OneEvaluator({ evaluation: { id, name } }: { evaluation: Evaluation }) {
  return (
    <main>
      <MessageBlock
        title="There is nothing to compare a judge with"
        heading="h1"
        actions={
          <Link
            to="/evaluations/$evaluationId"
            params={{ evaluationId: id }}
            className={buttonClass({ variant: 'primary' })}
          >
            Open {name ?? id}
          </Link>
        }
      >
        <p>
          An agreement needs the scores of two evaluators, such as a judge and people. Let people review rows:
          open the evaluation and press <kbd>r</kbd>.
        </p>
      </MessageBlock>
    </main>
  )
}

interface LoadedPageProps extends ComparedEvaluatorsProps {
  options: readonly string[]
  names: JudgeNames
  ignored: string[]
}

function LoadedPage({ evaluation, summary, options, names, ignored }: LoadedPageProps) {
  const { data: agreement, error } = useQuery(agreementQuery(evaluation.id, names))
  return (
    <>
      <Header evaluation={evaluation} agreement={agreement} options={options} names={names} />
      <IgnoredParams params={ignored} />
      <ErrorNotice error={error} />
      {agreement ? (
        <>
          {otherWarnings(agreement).map(({ code, detail }) => (
            <p key={code} role="status" className="notice">
              {detail}
            </p>
          ))}
          <div className={styles.boxes}>
            {agreement.verdicts && (
              <Square verdicts={agreement.verdicts} names={names} truthName={truthName(agreement)} />
            )}
            {agreement.verdicts && (
              <Rates
                verdicts={agreement.verdicts}
                names={names}
                truthName={truthName(agreement)}
                evaluationId={evaluation.id}
              />
            )}
            {agreement.best_threshold && <Threshold agreement={agreement} best={agreement.best_threshold} />}
          </div>
          {agreement.corrected_pass_rate && (
            <CorrectedRate
              rate={agreement.corrected_pass_rate}
              names={names}
              warning={agreement.warnings.find(({ code }) => code === SAMPLE_WARNING)?.detail}
            />
          )}
          <JudgedRows evaluation={evaluation} summary={summary} agreement={agreement} names={names} />
        </>
      ) : (
        !error && <SkeletonRows rows={9} />
      )}
    </>
  )
}

/** It is about the corrected pass rate only. */
const SAMPLE_WARNING = 'not-a-random-sample'

function otherWarnings({ warnings }: Agreement): Agreement['warnings'] {
  return warnings.filter(({ code }) => code !== SAMPLE_WARNING)
}
