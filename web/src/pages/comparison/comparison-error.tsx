// Error state of the comparison page: names the evaluations that are missing and offers ways to recover.
import { useQueries } from '@tanstack/react-query'
import { AssayError } from 'assay-client'
import { isUnreachable } from '../../api/client.ts'
import { CopyDetailsButton } from '../../errors/error-notice.tsx'
import { evaluationQuery } from '../../queries/evaluations.ts'
import { useChangeSearchParams } from '../../state/search-params.ts'
import { Button } from '../../ui/button.tsx'
import { MessageBlock } from '../../ui/messages/message-block.tsx'
import type { ComparisonState } from './page-state.ts'
import { withEvaluations } from './search-params.ts'

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
  if (isUnreachable(error)) {
    return (
      <MessageBlock title="The server cannot be reached">
        <p>The comparison appears as soon as the server responds.</p>
      </MessageBlock>
    )
  }
  return (
    <MessageBlock
      isError
      title={error.title}
      actions={
        <>
          {missingIds.map((id) => (
            <Button
              key={id}
              onClick={() => changeParams(withEvaluations(evaluations.filter((other) => other !== id)))}
            >
              Remove {missingIds.length > 1 ? id : 'it'}
            </Button>
          ))}
          {missingIds.length === 0 && by !== 'auto' && (
            <Button onClick={() => changeParams({ by: undefined })}>Match rows automatically</Button>
          )}
          <CopyDetailsButton error={error} />
        </>
      }
    >
      {/* The detail of a 404 names API requests. */}
      {missingIds.length === 0 && error.status !== 404 && <p>{error.detail}</p>}
      {missingIds.map((id) => (
        <p key={id}>Evaluation {id} does not exist, or this key cannot read it.</p>
      ))}
    </MessageBlock>
  )
}
