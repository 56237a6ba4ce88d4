// Error state of the comparison page: names the evaluations that are missing and offers ways to recover.
import { useQueries } from '@tanstack/react-query'
import { AssayError } from 'assay-client'
import { isUnreachable } from '../../api/client.ts'
import { CopyDetailsButton } from '../../errors/error-notice.tsx'
import { evaluationQuery } from '../../queries/evaluations.ts'
import { useChangeSearchParams } from '../../state/search-params.ts'
import { withEvaluations } from './evaluation-links.ts'
import type { ComparisonState } from './page-state.ts'
import styles from './start-page.module.css'

export function ComparisonError({ state, error }: { state: ComparisonState; error: AssayError }) {
  const { evaluations, by } = state.params
  const changeParams = useChangeSearchParams()
  const missingIds = useQueries({
    queries: evaluations.map(evaluationQuery),
    combine: (results) =>
      results.flatMap(({ error: cause }, index) =>
        cause instanceof AssayError && !isUnreachable(cause) ? [evaluations[index] as string] : [],
      ),
  })
  if (isUnreachable(error)) return <p className={styles.error}>The server is not available. Retrying…</p>
  return (
    <div role="alert" className={styles.error}>
      <h2>{error.title}</h2>
      {missingIds.length === 0 && <p>{error.detail}</p>}
      {missingIds.map((id) => (
        <p key={id}>
          Evaluation {id} does not exist, or this key cannot read it.
          <button
            type="button"
            onClick={() => changeParams(withEvaluations(evaluations.filter((other) => other !== id)))}
          >
            Remove it
          </button>
        </p>
      ))}
      <p>
        {missingIds.length === 0 && by !== 'auto' && (
          <button type="button" onClick={() => changeParams({ by: undefined })}>
            Match rows automatically
          </button>
        )}
        <CopyDetailsButton error={error} />
      </p>
    </div>
  )
}
